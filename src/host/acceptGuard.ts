/** How long keys are ignored after a question has opened, or after something was typed, in milliseconds. */
const pause = 500;

/** How long it takes until a row that the host has made active is drawn so, in milliseconds. */
const travel = 100;

/**
 * Decides whether an accept in a pick is meant. A key that was on its way to the editor when the pick opened never
 * counts: keys of the first moment are ignored, typing makes the list choose a row by itself, so a row counts only when
 * it was reached by arrow key or mouse while the filter box was empty. Times are in milliseconds of one clock.
 */
export class AcceptGuard {
  private reached = false;
  private quietUntil: number;
  private shownAt = 0;

  constructor(openedAt: number) {
    this.quietUntil = openedAt + pause;
  }

  /** The text of the filter box changed. */
  typed(now: number): void {
    this.reached = false;
    this.quietUntil = Math.max(this.quietUntil, now + pause);
  }

  /** The active row was moved on by the host: until the screen shows it, an accept is for the row before. */
  passedOver(now: number): void {
    this.shownAt = now + travel;
  }

  /** The active row changed; gives whether it counts as reached. */
  moved(hasRow: boolean, filter: string, now: number): boolean {
    this.reached = hasRow && filter === '' && now >= this.quietUntil;
    return this.reached;
  }

  accepts(filter: string, now: number): boolean {
    return this.reached && filter === '' && now >= Math.max(this.quietUntil, this.shownAt);
  }
}
