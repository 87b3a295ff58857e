import Anser from 'anser';
import { el } from './dom';

const escape = '\u001b';
const linesPerChunk = 40;
// Everything but colours (`m`) and erasing in the line (`K`): titles, links, cursor movements, charset switches.
const ignored = new RegExp(
  `${escape}(?:\\][^\\u0007${escape}]*(?:\\u0007|${escape}\\\\)?|\\[[0-9;?<=>]*[ -/]*[@-JL-ln-~]|[()][A-Z0-9]|[=>78cDEHMZ])`,
  'g',
);

interface Cell {
  char: string;
  style: string;
}

/** Output of a program: colours are kept, a line that is drawn over itself shows its last state. */
export class AnsiOutput {
  readonly root = el('pre', { class: 'output', tabindex: '0' });
  private text = '';
  private chunk: HTMLElement | undefined;
  /** Where the last element begins in the text, and the colours that are on there. */
  private chunkStart = 0;
  private colours = new Anser();

  append(text: string): void {
    if (text === '') return;
    this.text += text;
    this.draw();
  }

  /** Replaces the text; one that goes on from what is there is only added. */
  set(text: string): void {
    if (text.startsWith(this.text)) return this.append(text.slice(this.text.length));
    this.root.replaceChildren();
    this.text = '';
    this.chunk = undefined;
    this.chunkStart = 0;
    this.colours = new Anser();
    this.append(text);
  }

  private draw(): void {
    for (;;) {
      const end = chunkEnd(this.text, this.chunkStart);
      const full = end < this.text.length;
      this.chunk ??= this.root.appendChild(el('span', { class: 'lines' }));
      const state = full ? this.colours : copyOf(this.colours);
      this.chunk.replaceChildren(...drawn(this.text.slice(this.chunkStart, end), state));
      if (!full) return;
      this.chunk = undefined;
      this.chunkStart = end;
    }
  }
}

function copyOf(colours: Anser): Anser {
  const copy = Object.assign(new Anser(), colours) as Anser & { decorations: string[] };
  copy.decorations = [...copy.decorations];
  return copy;
}

function chunkEnd(text: string, from: number): number {
  let at = from;
  for (let lines = 0; lines < linesPerChunk; lines++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

function drawn(text: string, colours: Anser): Node[] {
  const plain = text.replace(ignored, '').replace(/\r+\n/g, '\n');
  const nodes: Node[] = [];
  for (const line of plain.split(/(?<=\n)/)) {
    const overdrawn = /[\r\b]|\u001b\[\d*K/.test(line);
    nodes.push(...(overdrawn ? overdrawnLine(line, colours) : runs(line, colours)).map(nodeOf));
  }
  return nodes;
}

type StyledText = { text: string; style: string };

function runs(text: string, colours: Anser): StyledText[] {
  // Text before the first sequence is given without the colours that are on; this sequence changes none.
  const entries = colours.ansiToJson(`${escape}[10m${text}`, { use_classes: true, remove_empty: true, json: true });
  return entries.map(entry => ({ text: entry.content, style: styleOf(entry) }));
}

/** Plays a line with carriage returns, backspaces and erasing into cells, as a terminal would. */
function overdrawnLine(line: string, colours: Anser): StyledText[] {
  const cells: Cell[] = [];
  let at = 0;
  let ended = '';
  for (const part of line.split(/(\r|\n|\u0008|\u001b\[\d*K)/)) {
    if (part === '\r') at = 0;
    else if (part === '\b') at = Math.max(0, at - 1);
    else if (part === '\n') ended = '\n';
    else if (/^\u001b\[\d*K$/.test(part)) erase(cells, at, part.slice(2, -1));
    else for (const { text, style } of runs(part, colours)) for (const char of text) cells[at++] = { char, style };
  }
  const texts: StyledText[] = [];
  for (let i = 0; i < cells.length; i++) {
    const { char, style } = cells[i] ?? { char: ' ', style: '' };
    const last = texts.at(-1);
    if (last?.style === style) last.text += char;
    else texts.push({ text: char, style });
  }
  return [...texts, { text: ended, style: '' }];
}

function erase(cells: Cell[], at: number, how: string): void {
  if (how === '1') cells.fill({ char: ' ', style: '' }, 0, at + 1);
  else cells.length = how === '2' ? 0 : Math.min(at, cells.length);
}

function styleOf(entry: Anser.AnserJsonEntry): string {
  const names = entry.decorations.map(name => `ansi-${name}`);
  if (entry.fg) names.push(colourName(entry.fg, entry.fg_truecolor, 'fg'));
  if (entry.bg) names.push(colourName(entry.bg, entry.bg_truecolor, 'bg'));
  return names.join(' ');
}

function colourName(name: string, trueColour: string, side: 'fg' | 'bg'): string {
  const colour = name === 'ansi-truecolor' ? trueColour : paletteColour(name);
  return colour ? `${side}=${colour.replace(/ /g, '')}` : `${name}-${side}`;
}

/** The colour of `ansi-palette-N`, N from 16 to 255, in the usual cube and greys. */
function paletteColour(name: string): string | undefined {
  const index = Number(/^ansi-palette-(\d+)$/.exec(name)?.[1] ?? NaN);
  if (Number.isNaN(index)) return undefined;
  if (index >= 232)
    return Array<number>(3)
      .fill(8 + (index - 232) * 10)
      .join(',');
  const level = (n: number): number => (n === 0 ? 0 : 55 + n * 40);
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(',');
}

function nodeOf({ text, style }: StyledText): Node {
  if (style === '') return document.createTextNode(text);
  const span = el('span', {}, text);
  for (const name of style.split(' ')) {
    const [side, colour] = name.split('=');
    if (!colour) span.classList.add(name);
    else if (side === 'fg') span.style.color = `rgb(${colour})`;
    else span.style.backgroundColor = `rgb(${colour})`;
  }
  return span;
}
