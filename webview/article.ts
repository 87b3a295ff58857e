import type { ViewEntry } from '../src/chat/view';
import { el } from './dom';
import { LineChunks } from './lineChunks';

/** One entry of the transcript on the screen. */
export interface EntryView {
  readonly root: HTMLElement;
  update(entry: ViewEntry): void;
  /** Text added to a text block or an output. */
  append?(block: number, text: string): void;
}

/** The element of an entry: an article of the feed, which the keyboard can go to. */
export function article(entry: ViewEntry, name: string, ...children: Node[]): HTMLElement {
  return el(
    'article',
    { class: `entry ${entry.kind}`, 'data-id': entry.id, 'aria-label': name, tabindex: '-1' },
    ...children,
  );
}

/** Text as it came, in a box that scrolls. */
export function plain(text: string): HTMLElement {
  const box = el('pre', { class: 'plain', tabindex: '0' });
  new LineChunks(box).append(text);
  return box;
}
