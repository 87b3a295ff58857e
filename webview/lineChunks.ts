import { el } from './dom';

/** Text with the classes it is drawn with. */
export interface Run {
  text: string;
  className?: string;
}

const linesPerChunk = 40;

/**
 * Preformatted text that grows. It is cut into elements of 40 lines, because the cost of a change is that of laying
 * out the element that holds it. The cuts depend on the text alone, not on how it arrived.
 */
export class LineChunks {
  private chunk: HTMLElement | undefined;
  private lines = 0;

  constructor(private readonly host: HTMLElement) {}

  append(text: string): void {
    this.add(text, piece => {
      const last = this.chunk?.lastChild;
      if (last instanceof Text) last.appendData(piece);
      else this.chunk?.append(piece);
    });
  }

  /** Draws the same text again, in runs. */
  paint(runs: Iterable<Run>): void {
    this.clear();
    for (const { text, className } of runs)
      this.add(text, piece => this.chunk?.append(className ? el('span', { class: className }, piece) : piece));
  }

  clear(): void {
    this.host.replaceChildren();
    this.chunk = undefined;
    this.lines = 0;
  }

  private add(text: string, put: (piece: string) => void): void {
    for (let from = 0; from < text.length;) {
      if (!this.chunk || this.lines === linesPerChunk) {
        this.chunk = this.host.appendChild(el('span', { class: 'lines' }));
        this.lines = 0;
      }
      let to = from;
      while (this.lines < linesPerChunk) {
        const end = text.indexOf('\n', to);
        if (end < 0) {
          to = text.length;
          break;
        }
        to = end + 1;
        this.lines++;
      }
      put(text.slice(from, to));
      from = to;
    }
  }
}
