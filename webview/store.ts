import { signal, type ReadonlySignal } from '@preact/signals';
import { Emitter } from '../src/base/lifecycle';
import { applyPatch } from '../src/chat/patch';
import type { Patch, PatchOp, Snapshot, ViewHead, ViewState } from '../src/chat/view';

export interface Change {
  before: ViewState;
  after: ViewState;
  ops: readonly PatchOp[];
}

const nothing: ViewState = { head: { conversationId: '', phase: 'idle', queue: [], commands: [] }, entries: [] };

/** What the view knows of the host's state. */
export class Store {
  private readonly headSignal = signal<ViewHead>(nothing.head);
  readonly head: ReadonlySignal<ViewHead> = this.headSignal;
  private readonly emptySignal = signal(true);
  readonly isEmpty: ReadonlySignal<boolean> = this.emptySignal;
  private readonly didReset = new Emitter<ViewState>();
  readonly onDidReset = this.didReset.event;
  private readonly didChange = new Emitter<Change>();
  readonly onDidChange = this.didChange.event;
  private current = nothing;
  private seq: number | undefined;

  /** @param askAgain is called when a patch is missing; a snapshot must follow */
  constructor(private readonly askAgain: () => void) {}

  get state(): ViewState {
    return this.current;
  }

  reset(snapshot: Snapshot): void {
    this.seq = snapshot.seq;
    this.take(snapshot.state);
    this.didReset.fire(snapshot.state);
  }

  patch(patch: Patch): void {
    // Patches from before the snapshot that was asked for are already in it.
    if (this.seq === undefined || patch.seq <= this.seq) return;
    const before = this.current;
    if (patch.seq !== this.seq + 1) return this.loseTrack();
    let after: ViewState;
    try {
      after = applyPatch(before, patch);
    } catch {
      return this.loseTrack();
    }
    this.seq = patch.seq;
    this.take(after);
    this.didChange.fire({ before, after, ops: patch.ops });
  }

  private loseTrack(): void {
    this.seq = undefined;
    this.askAgain();
  }

  private take(state: ViewState): void {
    this.current = state;
    this.headSignal.value = state.head;
    this.emptySignal.value = state.entries.length === 0;
  }
}
