import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Throttle } from '../src/base/async';
import type { FindMatch } from '../src/contract/messages';
import type { Host } from './host';
import { IconButton } from './iconView';
import { rangesOf } from './textSearch';
import type { Transcript } from './transcript';
import { findCount, words } from './words';

const hitsName = 'portside-find';
const currentName = 'portside-find-current';

/** Finds in the whole conversation: the host searches, the view goes to the hits, drawn before or not. */
export class Finder {
  readonly isOpen = signal(false);
  readonly query = signal('');
  /** Grows each time the box is asked for, so that it takes the focus again. */
  readonly opened = signal(0);
  readonly total = signal(0);
  /** Which hit is shown, from 0. */
  readonly index = signal(0);
  private matches: readonly FindMatch[] = [];
  private asked = 0;
  private readonly again = new Throttle(500, () => void this.search(this.query.value, false));

  constructor(
    private readonly host: Host,
    private readonly transcript: Transcript,
  ) {
    transcript.onDidBuild(() => requestAnimationFrame(() => this.paint()));
  }

  open(): void {
    this.isOpen.value = true;
    this.opened.value++;
    if (this.query.value !== '') void this.search(this.query.value, false);
  }

  close(): void {
    this.isOpen.value = false;
    this.matches = [];
    this.paint();
  }

  /** @param move whether to go to the first hit at or after the one that is shown */
  async search(query: string, move = true): Promise<void> {
    this.query.value = query;
    const mine = ++this.asked;
    const { matches } = query === '' ? { matches: [] } : await this.host.request('find', { query });
    if (mine !== this.asked) return;
    this.matches = matches;
    this.total.value = matches.reduce((sum, match) => sum + match.count, 0);
    this.index.value = Math.min(this.index.value, Math.max(0, this.total.value - 1));
    if (move) this.show();
    else this.paint();
  }

  go(step: 1 | -1): void {
    if (this.total.value === 0) return;
    this.index.value = (this.index.value + step + this.total.value) % this.total.value;
    this.show();
  }

  /** The conversation has changed: what is marked is marked anew, now and then while it streams. */
  refresh(): void {
    if (this.isOpen.value && this.query.value !== '') this.again.trigger();
  }

  private get currentHit(): { entryId: string; nth: number } | undefined {
    let left = this.index.value;
    for (const { entryId, count } of this.matches) {
      if (left < count) return { entryId, nth: left };
      left -= count;
    }
    return undefined;
  }

  private show(): void {
    const hit = this.currentHit;
    const article = hit && this.transcript.reveal(hit.entryId);
    for (const details of article?.querySelectorAll('details') ?? []) details.open = true;
    this.paint();
    const [range] = CSS.highlights.get(currentName) ?? [];
    if (range instanceof Range) this.transcript.scrollTo(range);
  }

  private paint(): void {
    CSS.highlights.delete(hitsName);
    CSS.highlights.delete(currentName);
    if (this.matches.length === 0) return;
    const hit = this.currentHit;
    const wanted = new Set(this.matches.map(match => match.entryId));
    const all = new Highlight();
    for (const article of this.transcript.articles()) {
      const id = article.dataset['id'] ?? '';
      if (!wanted.has(id)) continue;
      const ranges = rangesOf(article, this.query.value);
      for (const range of ranges) all.add(range);
      // The host counts in the source, where an address or a mark may match too.
      const current = hit?.entryId === id ? ranges[Math.min(hit.nth, ranges.length - 1)] : undefined;
      if (current) CSS.highlights.set(currentName, new Highlight(current));
    }
    CSS.highlights.set(hitsName, all);
  }
}

export function FindBox({ finder, onClose }: { finder: Finder; onClose: () => void }): VNode | null {
  const input = useRef<HTMLInputElement>(null);
  const opened = finder.opened.value;
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [opened]);
  if (!finder.isOpen.value) return null;
  const close = (): void => {
    finder.close();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'F3') finder.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const total = finder.total.value;
  const count = total > 0 ? findCount(finder.index.value + 1, total) : words.noResults;
  return (
    <div class="find" role="search" onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        aria-label={words.find}
        placeholder={words.find}
        value={finder.query.value}
        onInput={event => void finder.search(event.currentTarget.value)}
      />
      <span class="findCount" role="status">
        {finder.query.value === '' ? '' : count}
      </span>
      <IconButton name="arrowUp" label={words.findPrevious} disabled={total === 0} onClick={() => finder.go(-1)} />
      <IconButton name="arrowDown" label={words.findNext} disabled={total === 0} onClick={() => finder.go(1)} />
      <IconButton name="close" label={words.findClose} onClick={close} />
    </div>
  );
}
