import type { Disposes } from '../base/lifecycle';
import type { ViewHead } from '../chat/view';

type Shown = NonNullable<ViewHead['activity']>;

export interface ActivityTiming {
  /** How long an agent may take to answer Stop before the user may end it, in ms. */
  stopWait: number;
  /** Silence during a turn after which the user is told, in ms. */
  silence: number;
}

export const waitingForSignIn = 'Waiting for sign-in…';

/** What is being waited for, in words, and the watches behind it: an agent that says nothing, or does not stop. */
export class Activity implements Disposes {
  private shown: Shown | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastHeard = 0;
  private isSilent = false;
  private unanswered = false;

  /**
   * @param isWaiting whether it is the agent that is being waited for, and not the user
   */
  constructor(
    private readonly agent: string,
    private readonly timing: ActivityTiming,
    private readonly isWaiting: () => boolean,
    private readonly onChange: () => void,
  ) {}

  get current(): Shown | undefined {
    return this.shown;
  }

  /** The agent has had its time to answer Stop. */
  get stopUnanswered(): boolean {
    return this.unanswered;
  }

  starting(text = `Starting ${this.agent}…`): void {
    this.show(text, true);
  }

  /** A turn runs: nothing is said about it until the agent falls silent. */
  running(): void {
    this.none();
    this.lastHeard = Date.now();
    this.watchSilence(this.timing.silence);
  }

  /** Called for everything that the agent says, so it only takes the time. */
  heard(): void {
    this.lastHeard = Date.now();
    if (!this.isSilent) return;
    this.running();
    this.onChange();
  }

  signingIn(): void {
    this.show(waitingForSignIn, true);
  }

  /** Takes back what `signingIn` shows. */
  signedIn(): void {
    if (this.shown?.text !== waitingForSignIn) return;
    this.none();
    this.onChange();
  }

  stopping(): void {
    this.none();
    this.show('Stopping…', false);
    this.timer = setTimeout(() => {
      this.unanswered = true;
      this.show(`${this.agent} does not answer. Stop again to end it.`, true);
    }, this.timing.stopWait);
  }

  none(): void {
    clearTimeout(this.timer);
    this.shown = undefined;
    this.isSilent = false;
    this.unanswered = false;
  }

  dispose(): void {
    this.none();
  }

  private watchSilence(ms: number): void {
    this.timer = setTimeout(() => {
      const left = this.lastHeard + this.timing.silence - Date.now();
      if (left > 0 || !this.isWaiting()) return this.watchSilence(Math.max(left, this.timing.silence / 10));
      this.isSilent = true;
      this.show(`No news from ${this.agent}; it may still be working`, true, this.lastHeard);
    }, ms);
  }

  private show(text: string, cancellable: boolean, since = Date.now()): void {
    this.shown = { text, since, cancellable };
    this.onChange();
  }
}
