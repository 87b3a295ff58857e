import type { ViewEntry } from '../src/chat/view';
import type { EntryView } from './article';
import { el } from './dom';
import { createEntryView, type EntryContext } from './entries';

/** How many entries a section holds; one that grows beyond twice that is cut. */
export const sectionSize = 50;

/**
 * A run of entries that is laid out only near the screen, and whose elements exist only once it was. Content
 * visibility costs the browser a look at each such element in every frame: on sections that is nothing, on each
 * entry it would be more than drawing them all.
 */
export class Section {
  readonly root = el('div', { class: 'section' });
  private readonly views = new Map<string, EntryView>();
  private built = false;

  constructor(
    public entries: ViewEntry[],
    private readonly context: EntryContext,
  ) {
    this.estimate();
  }

  get isBuilt(): boolean {
    return this.built;
  }

  /** Number of elements that exist for it. */
  get weight(): number {
    return this.root.getElementsByTagName('*').length;
  }

  view(id: string): EntryView | undefined {
    return this.views.get(id);
  }

  /** @param first position of the first entry in the conversation */
  build(first: number): void {
    if (this.built) return;
    this.built = true;
    for (const [index, entry] of this.entries.entries()) this.root.append(this.make(entry, first + index));
  }

  /** Lets go of the elements; the section keeps the size that it had on the screen. */
  drop(): void {
    this.built = false;
    this.views.clear();
    this.root.replaceChildren();
  }

  insert(at: number, entry: ViewEntry, position: number): void {
    this.entries.splice(at, 0, entry);
    if (this.built) this.root.insertBefore(this.make(entry, position), this.root.children[at] ?? null);
    else this.estimate();
  }

  set(entry: ViewEntry): void {
    const at = this.entries.findIndex(({ id }) => id === entry.id);
    if (at < 0) return;
    const kindChanged = this.entries[at]?.kind !== entry.kind;
    this.entries[at] = entry;
    if (!this.built) return;
    if (kindChanged) {
      const standing = this.root.children[at];
      standing?.replaceWith(this.make(entry, Number(standing.getAttribute('aria-posinset')) - 1));
    } else this.views.get(entry.id)?.update(entry);
  }

  append(entry: ViewEntry, block: number, text: string): void {
    const at = this.entries.findLastIndex(({ id }) => id === entry.id);
    if (at < 0) return;
    this.entries[at] = entry;
    this.views.get(entry.id)?.append?.(block, text);
  }

  remove(id: string): void {
    const at = this.entries.findIndex(entry => entry.id === id);
    if (at < 0) return;
    this.entries.splice(at, 1);
    if (this.built) this.root.children[at]?.remove();
    this.views.delete(id);
  }

  private make(entry: ViewEntry, position: number): HTMLElement {
    const view = createEntryView(entry, this.context);
    this.views.set(entry.id, view);
    view.root.setAttribute('aria-posinset', String(position + 1));
    // The conversation may go on, so its size is not known.
    view.root.setAttribute('aria-setsize', '-1');
    return view.root;
  }

  /** Until it was on the screen its height is a guess; the browser keeps the scroll position when it turns out. */
  private estimate(): void {
    const height = this.entries.reduce((sum, entry) => sum + guessHeight(entry), 0);
    this.root.style.containIntrinsicBlockSize = `auto ${Math.round(height)}px`;
  }
}

const lineHeight = 18;
const charactersPerLine = 60;

function guessHeight(entry: ViewEntry): number {
  switch (entry.kind) {
    case 'user':
    case 'agent':
      return entry.blocks.reduce((sum, block) => sum + (block.type === 'text' ? textHeight(block.text) : 40), 24);
    case 'tool':
      return 40 + entry.content.reduce((sum, item) => sum + (item.type === 'diff' ? 120 : 60), 0);
    case 'changes':
      return 40 + entry.files.length * lineHeight;
    case 'plan':
      return 40 + entry.entries.length * lineHeight;
    case 'write':
      return 40 + entry.diff.preview.length * lineHeight;
    case 'thought':
    case 'error':
    case 'note':
    case 'unknown':
      return 36;
  }
}

function textHeight(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lineHeight * Math.max(lines, text.length / charactersPerLine);
}
