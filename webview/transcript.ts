import { Emitter } from '../src/base/lifecycle';
import type { PatchOp, ViewEntry } from '../src/chat/view';
import type { ScrollPosition } from '../src/contract/messages';
import { blockAt, blockOf } from './anchor';
import { el } from './dom';
import type { EntryContext } from './entries';
import { nextFrame } from './frame';
import { icon } from './icons';
import { Section, sectionSize } from './section';
import { words } from './words';

/** Elements of the conversation that may exist before sections far from the screen are dropped. */
const elementBudget = 4000;
/** Frames in which a position is corrected while sections on the way to it get their real height. */
const settleFrames = 12;

type Place = Extract<ScrollPosition, { at: 'entry' }>;

/** The conversation on the screen: draws the entries that a patch names and nothing else. */
export class Transcript {
  readonly root: HTMLElement;
  private readonly didScroll = new Emitter<void>();
  readonly onDidScroll = this.didScroll.event;
  private readonly didBuild = new Emitter<void>();
  /** Entries have come onto the screen that were not there before. */
  readonly onDidBuild = this.didBuild.event;

  private readonly feed = el('div', { class: 'feed', role: 'feed', 'aria-label': words.feed });
  private readonly scroller = el('div', { class: 'scroller' }, this.feed);
  private readonly jump = el('button', { type: 'button', class: 'jump' }, icon('arrowDown'), words.jump);
  private sections: Section[] = [];
  private readonly skipped = new Set<Section>();
  private following = true;
  private lastTop = 0;
  private lastHeight = 0;
  private lastWidth = 0;
  private settling: { place: Place; frames: number; range?: Range } | undefined;
  /** The article that the Tab key reaches: where the user was last, else the last one. */
  private current: HTMLElement | undefined;
  private visited = false;

  constructor(private readonly context: EntryContext) {
    this.jump.hidden = true;
    this.root = el('div', { class: 'transcript' }, this.scroller, this.jump);
    this.scroller.addEventListener('scroll', this.onScroll, { passive: true });
    for (const type of ['wheel', 'pointerdown', 'keydown'])
      this.scroller.addEventListener(type, this.onUser, { passive: true });
    this.feed.addEventListener('contentvisibilityautostatechange', this.onSight, { capture: true });
    this.feed.addEventListener('keydown', this.onKey);
    this.feed.addEventListener('focusin', event => {
      this.visited = true;
      this.makeCurrent(event.target);
    });
    this.jump.addEventListener('click', () => this.jumpToEnd());
    const sizes = new ResizeObserver(() => this.onResize());
    sizes.observe(this.feed);
    sizes.observe(this.scroller);
  }

  /** Shows another conversation, or the same one anew. */
  reset(entries: readonly ViewEntry[], scroll: ScrollPosition): void {
    this.sections = [];
    this.skipped.clear();
    for (let at = 0; at < entries.length; at += sectionSize)
      this.sections.push(new Section(entries.slice(at, at + sectionSize), this.context));
    this.feed.replaceChildren(...this.sections.map(section => section.root));
    this.feed.hidden = entries.length === 0;
    this.setFollowing(true);
    const held = scroll.at === 'entry' && this.sectionOf(scroll.id) ? scroll : undefined;
    if (held) this.showPlace(held);
    else this.buildLast();
    this.offerFocus();
  }

  apply(ops: readonly PatchOp[], entries: readonly ViewEntry[]): void {
    this.feed.hidden = entries.length === 0;
    for (const op of ops) {
      switch (op.op) {
        case 'insert':
          for (const [index, entry] of op.entries.entries()) this.insert(op.at + index, entry);
          break;
        case 'set':
          this.sectionOf(op.entry.id)?.set(op.entry);
          break;
        case 'append': {
          const entry = entries.findLast(({ id }) => id === op.id);
          if (entry) this.sectionOf(op.id)?.append(entry, op.block, op.text);
          break;
        }
        case 'remove':
          this.remove(op.id);
          break;
        case 'head':
          break;
      }
    }
    this.offerFocus();
  }

  /** Where the view is, in a form that outlives it. */
  position(): ScrollPosition {
    if (this.settling && !this.settling.range) return this.settling.place;
    if (this.following) return { at: 'bottom' };
    const top = this.scroller.getBoundingClientRect().top;
    for (const section of this.sections) {
      if (!section.isBuilt || section.root.getBoundingClientRect().bottom <= top) continue;
      for (const article of section.root.children) {
        const box = article.getBoundingClientRect();
        const id = article.getAttribute('data-id');
        if (box.bottom <= top || id === null) continue;
        const block = box.top < top ? blockAt(article, top) : undefined;
        const offset = Math.round((block?.element ?? article).getBoundingClientRect().top - top);
        return { at: 'entry', id, offset, ...(block && { block: block.index }) };
      }
    }
    return { at: 'bottom' };
  }

  /** Scrolls to an entry and gives its element. */
  reveal(id: string): HTMLElement | undefined {
    const article = this.build(id);
    if (article) this.showPlace({ at: 'entry', id, offset: 24 });
    return article;
  }

  /** Brings a part of an entry that was revealed into sight. */
  scrollTo(range: Range): void {
    if (!this.settling) return;
    const place = { ...this.settling.place, offset: this.scroller.clientHeight / 3 };
    this.settling = { place, range, frames: settleFrames };
    this.settle();
  }

  /** Builds the section of an entry, without scrolling. */
  build(id: string): HTMLElement | undefined {
    const section = this.sectionOf(id);
    if (!section) return undefined;
    this.buildSection(section);
    return section.view(id)?.root;
  }

  /** Keeps the view where it is, whatever comes, until the user goes to the end again. */
  hold(): void {
    this.setFollowing(false);
  }

  jumpToEnd(): void {
    const hadFocus = document.activeElement === this.jump;
    this.settling = undefined;
    this.buildLast();
    this.setFollowing(true);
    this.follow();
    if (hadFocus) this.articles().at(-1)?.focus({ preventScroll: true });
    this.didScroll.fire();
  }

  /** The entries that have elements, in order. */
  articles(): HTMLElement[] {
    return [...this.feed.querySelectorAll<HTMLElement>('article')];
  }

  private sectionOf(id: string): Section | undefined {
    return this.sections.findLast(section => section.entries.some(entry => entry.id === id));
  }

  private insert(at: number, entry: ViewEntry): void {
    let first = 0;
    let index = 0;
    while (index < this.sections.length - 1) {
      const end = first + (this.sections[index]?.entries.length ?? 0);
      if (at < end) break;
      first = end;
      index++;
    }
    const section = this.sections[index];
    const size = section?.entries.length ?? 0;
    if (!section || (at === first + size && size >= sectionSize)) this.addSection([entry], at);
    else {
      section.insert(at - first, entry, at);
      if (size >= sectionSize * 2) this.cut(index, first);
    }
  }

  private addSection(entries: ViewEntry[], first: number): void {
    const section = new Section(entries, this.context);
    const built = this.sections.at(-1)?.isBuilt ?? true;
    this.sections.push(section);
    this.feed.append(section.root);
    if (built) section.build(first);
  }

  private cut(index: number, first: number): void {
    const whole = this.sections[index];
    if (!whole) return;
    const half = new Section(whole.entries.splice(sectionSize), this.context);
    const wasBuilt = whole.isBuilt;
    whole.drop();
    this.sections.splice(index + 1, 0, half);
    whole.root.after(half.root);
    if (!wasBuilt) return;
    whole.build(first);
    half.build(first + sectionSize);
  }

  private remove(id: string): void {
    const section = this.sectionOf(id);
    section?.remove(id);
    if (!section || section.entries.length > 0) return;
    section.root.remove();
    this.skipped.delete(section);
    this.sections.splice(this.sections.indexOf(section), 1);
  }

  private buildLast(): void {
    const last = this.sections.at(-1);
    if (last) this.buildSection(last);
  }

  private buildSection(section: Section): void {
    if (section.isBuilt) return;
    let first = 0;
    for (const other of this.sections) {
      if (other === section) break;
      first += other.entries.length;
    }
    section.build(first);
    this.didBuild.fire();
  }

  private readonly onSight = (event: Event): void => {
    const section = this.sections.find(({ root }) => root === event.target);
    if (!section || !(event instanceof ContentVisibilityAutoStateChangeEvent)) return;
    if (!event.skipped) {
      this.skipped.delete(section);
      this.buildSection(section);
    } else {
      this.skipped.delete(section);
      this.skipped.add(section);
      this.dropFar();
    }
  };

  /** The section that left the screen first goes first. */
  private dropFar(): void {
    let weight = this.sections.reduce((sum, section) => sum + (section.isBuilt ? section.weight : 0), 0);
    for (const section of this.skipped) {
      if (weight <= elementBudget) return;
      if (!section.isBuilt || section.root.contains(document.activeElement)) continue;
      weight -= section.weight;
      section.drop();
    }
  }

  private readonly onScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = this.scroller;
    // Another width lays everything out anew, which may scroll; `onResize` follows.
    const laidOut = scrollHeight < this.lastHeight || clientWidth !== this.lastWidth;
    if (scrollHeight - scrollTop - clientHeight <= 2 && scrollTop >= this.lastTop && !this.settling)
      this.setFollowing(true);
    else if (scrollTop < this.lastTop && !laidOut) this.setFollowing(false);
    this.lastTop = scrollTop;
    this.lastHeight = scrollHeight;
    this.lastWidth = clientWidth;
    this.didScroll.fire();
  };

  private readonly onUser = (): void => {
    this.settling = undefined;
  };

  private setFollowing(following: boolean): void {
    this.following = following;
    this.jump.hidden = following;
  }

  private onResize(): void {
    const { scrollHeight, clientHeight, clientWidth } = this.scroller;
    this.lastWidth = clientWidth;
    // Where everything is in sight there is nothing to jump to.
    if (scrollHeight <= clientHeight && !this.settling) this.setFollowing(true);
    this.follow();
  }

  private follow(): void {
    if (!this.following) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop;
    this.lastHeight = this.scroller.scrollHeight;
  }

  private showPlace(place: Place): void {
    if (!this.build(place.id)) return;
    this.setFollowing(false);
    this.settling = { place, frames: settleFrames };
    this.settle();
    nextFrame(this.settleOn);
  }

  private readonly settleOn = (): boolean => {
    this.settle();
    return !this.settling;
  };

  private settle(): void {
    const target = this.settling;
    const article = target && this.build(target.place.id);
    if (!target || !article) return;
    const { block, offset } = target.place;
    const top =
      (target.range ?? blockOf(article, block) ?? article).getBoundingClientRect().top -
      this.scroller.getBoundingClientRect().top;
    this.scroller.scrollTop += top - offset;
    if (--target.frames > 0) return;
    this.settling = undefined;
    this.didScroll.fire();
  }

  private makeCurrent(target: EventTarget | null): void {
    const article = target instanceof Element ? target.closest('article') : null;
    if (!(article instanceof HTMLElement) || article === this.current) return;
    this.current?.setAttribute('tabindex', '-1');
    article.setAttribute('tabindex', '0');
    this.current = article;
  }

  /** Page keys go from article to article, and through one that is higher than the screen. */
  private readonly onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    const article = event.target instanceof Element ? event.target.closest('article') : null;
    if (step === 0 || !article || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = article.getBoundingClientRect();
    const frame = this.scroller.getBoundingClientRect();
    if (step > 0 ? box.bottom > frame.bottom + 1 : box.top < frame.top - 1) return;
    const next = this.neighbour(article, step);
    if (!next) return;
    event.preventDefault();
    this.setFollowing(false);
    next.focus();
  };

  private neighbour(article: Element, step: number): HTMLElement | undefined {
    const ids = this.sections.flatMap(section => section.entries.map(({ id }) => id));
    const next = ids[ids.indexOf(article.getAttribute('data-id') ?? '') + step];
    return next === undefined ? undefined : this.build(next);
  }

  private offerFocus(): void {
    if (this.visited && this.current?.isConnected) return;
    this.visited = false;
    this.makeCurrent(this.sections.at(-1)?.root.lastElementChild ?? null);
  }
}
