import { CodeBlock } from './codeBlock';
import { el } from './dom';
import { labelsOf, parseBlocks, type Block, type Parsed, type References } from './markdown';
import { BlockList, renderBlock, renderTable, tableRows } from './markdownDom';
import { morph } from './morph';
import type { TableView } from './tableView';

/** A finished block that may refer to definitions which are still to come. */
interface Referring {
  index: number;
  source: string;
  labels: ReadonlySet<string>;
}

/** A block that is drawn piece by piece: `start` is where it begins in the text. */
type Open =
  | { kind: 'fence'; code: CodeBlock; closing: RegExp; shown: number }
  | { kind: 'list'; start: number; root: Element; opening: string; items: number; loose: boolean; labels: Set<string> }
  | { kind: 'table'; start: number; table: TableView; head: string; rows: number; labels: Set<string> };

/** The part of the text that is not finished, cut into lines. The last line may still grow. */
class Tail {
  readonly starts = [0];

  constructor(readonly source: string) {
    for (let end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1)) this.starts.push(end + 1);
  }

  /** Number of the line that may still grow. */
  get growing(): number {
    return this.starts.length - 1;
  }

  offset(line: number): number {
    return this.starts[line] ?? this.source.length;
  }

  line(line: number): string {
    return this.source.slice(this.offset(line), this.offset(line + 1));
  }

  isBlank(line: number): boolean {
    return line < this.growing && this.line(line).trim() === '';
  }
}

const calmLength = 8192;

/**
 * Draws Markdown while it arrives. Only the block that is still open is parsed again, lists and tables by their last
 * item or row, fenced code by its last line; what is finished is never touched, except when a definition arrives that
 * it refers to. At the end the DOM is that of `renderMarkdown`.
 */
export class MarkdownStream {
  readonly root = el('div', { class: 'markdown' });
  /** Characters given to the parser so far. */
  parsed = 0;

  private readonly list = new BlockList(this.root);
  private text = '';
  /** Length of the text that is drawn. */
  private drawn = 0;
  private lastDrawn = 0;
  /** Where the unfinished part begins. */
  private tailStart = 0;
  /** Number of finished blocks. */
  private finished = 0;
  private open: Open | undefined;
  private references = Object.create(null) as References;
  private referring: Referring[] = [];
  private ended = false;
  private heldReturn = false;
  private restarts = 0;

  /** @param onFinished is told of each element that will not change any more */
  constructor(private readonly onFinished: (element: Element) => void = () => {}) {}

  get isEnded(): boolean {
    return this.ended;
  }

  /** Whether text came after an end. */
  get wasEnded(): boolean {
    return this.restarts > 0;
  }

  append(chunk: string): void {
    if (chunk === '') return;
    const whole = this.heldReturn ? `\r${chunk}` : chunk;
    this.heldReturn = whole.endsWith('\r');
    if (this.ended) this.restart();
    const settled = this.heldReturn ? whole.slice(0, -1) : whole;
    this.text += settled.includes('\r') || settled.includes('\0') ? plainLines(settled) : settled;
  }

  /** Draws what has arrived. Gives false when that is put off, because the open block is large. */
  flush(now: number): boolean {
    if (this.drawn === this.text.length) return true;
    if (!this.isDue(now)) return false;
    this.draw();
    this.lastDrawn = now;
    return true;
  }

  /** No more is expected; should more come all the same, everything is drawn again. */
  end(): void {
    if (this.ended) return;
    if (this.heldReturn) this.text += '\n';
    this.heldReturn = false;
    this.draw();
    this.ended = true;
    if (this.open?.kind === 'fence') {
      const rest = this.text.slice(this.open.shown);
      // The parser ignores white space on the last line.
      if (rest.trim() !== '' && !this.open.closing.test(rest)) this.open.code.append(rest);
    } else if (this.open || this.tailStart < this.text.length) this.finishTail();
    for (let i = this.finished, block = this.list.at(i); block; block = this.list.at(++i)) this.onFinished(block);
  }

  /** Forgets the text. */
  clear(): void {
    this.text = '';
    this.heldReturn = false;
    this.restart();
  }

  private restart(): void {
    if (this.ended) this.restarts++;
    this.ended = false;
    this.list.trim(0);
    this.drawn = this.tailStart = this.finished = 0;
    this.open = undefined;
    this.references = Object.create(null) as References;
    this.referring = [];
  }

  private isDue(now: number): boolean {
    const tail = this.text.length - this.tailStart;
    if (tail < calmLength || this.open?.kind === 'fence') return true;
    return (this.text.length - this.drawn) * 16 >= tail || now - this.lastDrawn >= 250;
  }

  private draw(): void {
    while (!this.drawTail());
    this.drawn = this.text.length;
  }

  /** Gives false when what is left must be looked at again. */
  private drawTail(): boolean {
    if (this.open?.kind === 'fence') return !this.growFence(this.open);
    const head = this.open?.kind === 'table' ? this.open.head : '';
    const tail = new Tail(head + this.text.slice(this.tailStart));
    this.parsed += tail.source.length;
    const parsed = parseBlocks(tail.source, this.references);
    const placed = this.place(parsed.blocks);
    return placed && this.finish(parsed, tail, head.length);
  }

  /** Draws the unfinished blocks. Gives false when the open block has to be drawn as a whole. */
  private place(blocks: readonly Block[]): boolean {
    let index = this.finished;
    for (const block of blocks) {
      const open = index === this.finished ? this.open : undefined;
      if (open?.kind === 'list') {
        if (!growList(open, block)) return this.reopen(open.start);
      } else if (open?.kind === 'table') open.table.setRows(open.rows, tableRows(block.tokens).slice(1));
      else this.put(index, block);
      index++;
    }
    if (index === this.finished && this.open && this.open.kind !== 'fence') return this.reopen(this.open.start);
    this.list.trim(index);
    return true;
  }

  private put(index: number, block: Block): void {
    const standing = this.list.at(index);
    const next = renderBlock(block);
    if (standing) morph(standing, next);
    else this.list.add(next);
  }

  private reopen(start: number): false {
    this.tailStart = start;
    this.open = undefined;
    return false;
  }

  /** Takes what can no longer change out of the tail. Gives false when there is more to draw. */
  private finish(parsed: Parsed, tail: Tail, headLength: number): boolean {
    const { blocks } = parsed;
    const base = this.tailStart - headLength;
    const at = (line: number): number => base + tail.offset(line);
    const unsure = unsureLabels(parsed, tail);
    let closed = 0;
    for (let block = blocks[0]; block && isClosed(blocks, closed, tail); block = blocks[++closed]) {
      if (meet(unsure, labelsOf(block.tokens))) break;
      this.finishBlock(block, at);
      this.tailStart = at(block.end);
    }
    const rest = blocks[closed];
    let again = false;
    if (rest && closed === blocks.length - 1 && !meet(unsure, labelsOf(rest.tokens))) {
      if (rest.type === 'fence') again = this.openFence(rest, tail, at);
      else if (rest.type === 'table_open') this.advanceTable(rest, tail, at);
      else if (rest.type.endsWith('list_open')) this.advanceList(rest, tail, at);
    }
    return this.define(parsed.definitions.filter(({ label }) => !unsure.has(label))) && !again;
  }

  private finishBlock(block: Block, at: (line: number) => number): void {
    const own = this.open?.kind === 'fence' ? undefined : this.open;
    const labels = new Set([...(own?.labels ?? []), ...labelsOf(block.tokens)]);
    if (labels.size > 0) {
      const source = this.text.slice(own?.start ?? at(block.start), at(block.end));
      this.referring.push({ index: this.finished, source, labels });
    }
    const element = this.list.at(this.finished);
    if (element) this.onFinished(element);
    this.open = undefined;
    this.finished++;
  }

  /** Everything that is left is finished as it stands. */
  private finishTail(): void {
    const head = this.open?.kind === 'table' ? this.open.head : '';
    const parsed = parseBlocks(head + this.text.slice(this.tailStart), this.references);
    const restart = this.open && this.open.kind !== 'fence' ? this.open.start : this.tailStart;
    if (this.define(parsed.definitions)) return;
    this.reopen(restart);
    this.place(parseBlocks(this.text.slice(restart), this.references).blocks);
  }

  /** Keeps definitions. Gives false when the open block refers to one of them. */
  private define(definitions: Parsed['definitions']): boolean {
    const fresh = new Set<string>();
    for (const { label, reference } of definitions) {
      if (label in this.references) continue;
      this.references[label] = reference;
      fresh.add(label);
    }
    if (fresh.size === 0) return true;
    for (const { index, source, labels } of this.referring) {
      if (!meet(fresh, labels)) continue;
      const block = parseBlocks(source, this.references).blocks[0];
      this.parsed += source.length;
      if (!block) continue;
      const next = renderBlock(block);
      this.list.at(index)?.replaceWith(next);
      this.onFinished(next);
    }
    if (!this.open || this.open.kind === 'fence' || !meet(fresh, this.open.labels)) return true;
    return this.reopen(this.open.start);
  }

  /** From here on the lines of the fence are taken as they are, without the parser. */
  private openFence(block: Block, tail: Tail, at: (line: number) => number): boolean {
    const mark = /^(`{3,}|~{3,})/.exec(tail.line(block.start))?.[0];
    const element = this.list.at(this.finished);
    const code = element && CodeBlock.of(element);
    if (!mark || !code || block.start >= tail.growing) return false;
    const closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`);
    const fresh = new CodeBlock(code.language);
    code.root.replaceWith(fresh.root);
    this.tailStart = at(block.start + 1);
    this.open = { kind: 'fence', code: fresh, closing, shown: this.tailStart };
    return true;
  }

  /** Gives true when the fence was closed. */
  private growFence(open: Open & { kind: 'fence' }): boolean {
    for (let end = this.text.indexOf('\n', this.tailStart); end >= 0; end = this.text.indexOf('\n', this.tailStart)) {
      if (open.closing.test(this.text.slice(this.tailStart, end))) {
        if (open.shown < this.tailStart) open.code.append(this.text.slice(open.shown, this.tailStart));
        this.tailStart = end + 1;
        this.open = undefined;
        this.finished++;
        this.onFinished(open.code.root);
        return true;
      }
      this.tailStart = end + 1;
    }
    // A line that may become the closing one is not shown before it is known.
    const mayClose = /^ {0,3}[`~]*[ \t]*$/.test(this.text.slice(this.tailStart));
    const end = mayClose ? this.tailStart : this.text.length;
    if (open.shown < end) open.code.append(this.text.slice(open.shown, end));
    open.shown = Math.max(open.shown, end);
    return false;
  }

  /** Finishes all rows whose line is complete. */
  private advanceTable(block: Block, tail: Tail, at: (line: number) => number): void {
    const rows = Math.min(block.end, tail.growing) - block.start - 2;
    if (rows <= 0) return;
    const element = this.list.at(this.finished);
    if (this.open?.kind !== 'table') {
      const table = renderTable(block.tokens);
      element?.replaceWith(table.root);
      const head = tail.source.slice(tail.offset(block.start), tail.offset(block.start + 2));
      this.open = { kind: 'table', start: at(block.start), table, head, rows: 0, labels: new Set() };
    }
    for (let i = 0; i < rows; i++) {
      const row = this.open.table.row(this.open.rows + i);
      if (row) this.onFinished(row);
    }
    for (const label of labelsOf(block.tokens)) this.open.labels.add(label);
    this.open.rows += rows;
    this.tailStart = at(block.start + 2 + rows);
  }

  /** Finishes all items that are followed by another one. */
  private advanceList(block: Block, tail: Tail, at: (line: number) => number): void {
    const starts = itemStarts(block);
    const line = lastItemStart(block, tail);
    const keep = starts.indexOf(line);
    const loose = looseness(block);
    // While the last line may still turn out not to be an item, it does not count for the space between items.
    const unsure = loose === true && starts.at(-1) === tail.growing;
    const root = this.list.at(this.finished);
    if (keep <= 0 || loose === undefined || unsure || !root) return;
    if (this.open?.kind !== 'list') {
      const start = at(block.start);
      this.open = { kind: 'list', start, root, opening: opening(block), items: 0, loose: false, labels: new Set() };
    }
    this.open.loose ||= loose;
    for (let i = 0; i < keep; i++) {
      const item = root.children[this.open.items + i];
      if (item) this.onFinished(item);
    }
    const above = block.tokens.findIndex(({ type, map }) => type === 'list_item_open' && map?.[0] === line);
    for (const label of labelsOf(block.tokens.slice(0, above))) this.open.labels.add(label);
    this.open.items += keep;
    this.tailStart = at(line);
  }
}

function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\0/g, '\ufffd');
}

function meet(set: ReadonlySet<string>, others: Iterable<string>): boolean {
  if (set.size > 0) for (const other of others) if (set.has(other)) return true;
  return false;
}

/** Labels whose definition may still change, because nothing has begun after it. */
function unsureLabels({ blocks, definitions }: Parsed, tail: Tail): ReadonlySet<string> {
  let sureLine = 0;
  for (const [index, block] of blocks.entries()) {
    if (hasBegun(blocks, index, tail)) sureLine = Math.max(sureLine, block.start, lastItemStart(block, tail));
    if (isClosed(blocks, index, tail)) sureLine = Math.max(sureLine, block.end);
  }
  const sure = new Set<string>();
  const unsure = new Set<string>();
  for (const { label, line } of definitions)
    if (line < sureLine) sure.add(label);
    else if (!sure.has(label)) unsure.add(label);
  return unsure;
}

/** The line at which the last item of a list has begun for sure; 0 when it is no list. */
function lastItemStart(block: Block, tail: Tail): number {
  return itemStarts(block).findLast(start => start < tail.growing) ?? 0;
}

function itemStarts(block: Block): number[] {
  if (!block.type.endsWith('list_open')) return [];
  return block.tokens.flatMap(({ type, level, map }) =>
    type === 'list_item_open' && level === 1 && map ? [map[0]] : [],
  );
}

/** Whether it is sure that a block begins where it seems to: a table is one only once its second line is complete. */
function hasBegun(blocks: readonly Block[], index: number, tail: Tail): boolean {
  const block = blocks[index];
  return !!block && block.start < (block.type === 'table_open' ? tail.growing - 1 : tail.growing);
}

const opening = (block: Block): string => `${block.type} ${block.tokens[0]?.markup ?? ''}`;

/** Whether a list has space between its items; undefined when nothing in it shows. */
function looseness(block: Block): boolean | undefined {
  const paragraphs = block.tokens.filter(token => token.type === 'paragraph_open' && token.level === 2);
  return paragraphs.length > 0 ? paragraphs.some(token => !token.hidden) : undefined;
}

/** Draws the unfinished items. Gives false when that does not fit to what is finished. */
function growList(open: Open & { kind: 'list' }, block: Block): boolean {
  if (opening(block) !== open.opening || (looseness(block) && !open.loose)) return false;
  if (open.loose)
    for (const token of block.tokens)
      if (token.level === 2 && token.type.startsWith('paragraph_')) token.hidden = false;
  const items = [...renderBlock(block).children];
  while (open.root.children.length > open.items + items.length) open.root.lastElementChild?.remove();
  for (const [index, item] of items.entries()) {
    const standing = open.root.children[open.items + index];
    if (standing) morph(standing, item);
    else open.root.append(item);
  }
  return true;
}

/** Whether no line that may follow can change the block any more. */
function isClosed(blocks: readonly Block[], index: number, tail: Tail): boolean {
  const block = blocks[index];
  if (!block) return false;
  const next = blocks[index + 1];
  if (hasBegun(blocks, index + 1, tail)) return true;
  if (next?.start === tail.growing && tail.isBlank(next.start - 1) && /^[^\s\-+*\d]/.test(tail.line(next.start)))
    return true;
  switch (block.type) {
    case 'heading_open':
    case 'hr':
      return block.end <= tail.growing;
    case 'fence':
      return block.end <= tail.growing && isFenceClosed(block, tail);
    case 'paragraph_open':
    case 'table_open':
    case 'blockquote_open':
      return tail.isBlank(block.end);
    default:
      return false;
  }
}

function isFenceClosed(block: Block, tail: Tail): boolean {
  const mark = block.tokens[0]?.markup ?? '';
  const last = tail.line(block.end - 1).replace(/\n$/, '');
  return block.end - 1 > block.start && new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`).test(last);
}
