import { Emitter } from '../base/lifecycle';

/** Small pieces are joined up to this size, in bytes. */
const partSize = 16 * 1024;

/** The end of an output, bounded in bytes of UTF-8. Its memory stays near the bound, however much comes. */
export class TerminalOutput {
  private readonly parts: { text: string; bytes: number }[] = [];
  private bytes = 0;
  private isCut = false;
  private limit = Infinity;
  private readonly added = new Emitter<string>();
  readonly onDidAdd = this.added.event;
  /** Number of pieces that came. */
  count = 0;

  add(text: string): void {
    if (text === '') return;
    this.count += 1;
    const bytes = Buffer.byteLength(text);
    const last = this.parts.at(-1);
    if (last && last.bytes + bytes <= partSize) {
      last.text += text;
      last.bytes += bytes;
    } else this.parts.push({ text, bytes });
    this.bytes += bytes;
    this.trim();
    this.added.fire(text);
  }

  /** Changes the bound; what was dropped does not come back. */
  keep(limit: number): void {
    this.limit = limit;
    this.trim();
  }

  get truncated(): boolean {
    return this.isCut || this.bytes > this.limit;
  }

  /** The last bytes within the bound, from the begin of a character on. */
  get text(): string {
    const whole = this.parts.map(part => part.text).join('');
    if (this.bytes <= this.limit) return whole;
    const buffer = Buffer.from(whole);
    let start = buffer.length - this.limit;
    while (((buffer[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return buffer.toString('utf8', start);
  }

  private trim(): void {
    for (let [first] = this.parts; first && this.bytes - first.bytes >= this.limit; [first] = this.parts) {
      this.parts.shift();
      this.bytes -= first.bytes;
      this.isCut = true;
    }
  }
}
