import { ExpectedError } from '../base/errors';
import { isObject, type JsonObject } from '../base/json';

const mebibyte = 1024 * 1024;
export const defaultLineLimit = 128 * mebibyte;

/**
 * Bytes in, lines out. A line is decoded as a whole, so that a character that was split over two chunks stays whole.
 * Line ends are LF or CRLF.
 */
export class LineSplitter {
  private parts: Uint8Array[] = [];
  private size = 0;

  /** @param limit of one line, in bytes */
  constructor(private readonly limit = defaultLineLimit) {}

  /** Gives the lines that the chunk completes. Throws `ExpectedError` `messageTooLarge` when a line exceeds the limit. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.hold(chunk.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    this.hold(chunk.subarray(start));
    return lines;
  }

  /** Gives what came after the last line end, if anything did. */
  end(): string | undefined {
    return this.size > 0 ? this.take() : undefined;
  }

  private hold(part: Uint8Array): void {
    if (part.length === 0) return;
    this.size += part.length;
    if (this.size > this.limit) {
      this.parts = [];
      const limit = `${Math.round((this.limit / mebibyte) * 100) / 100} MiB`;
      throw new ExpectedError('messageTooLarge', `A message is larger than the limit of ${limit}.`);
    }
    this.parts.push(part);
  }

  private take(): string {
    const line = Buffer.concat(this.parts, this.size).toString('utf8');
    this.parts = [];
    this.size = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

export type Frame = { kind: 'message'; message: JsonObject } | { kind: 'noise'; text: string } | { kind: 'blank' };

/**
 * Tells a message from what does not belong on the agent's stdout. Terminal escape sequences around a message, and a
 * byte order mark, do not lose it. A line that is no JSON object is noise. Never throws.
 */
export function readFrame(line: string): Frame {
  const direct = parseObject(line);
  if (direct) return { kind: 'message', message: direct };
  const text = trimEscapes(line);
  if (text === '') return { kind: 'blank' };
  const message = text === line ? undefined : parseObject(text);
  return message ? { kind: 'message', message } : { kind: 'noise', text: clip(text) };
}

function parseObject(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// Operating system commands end with BEL or ST; then control sequences; then two-character sequences; then stray controls.
const escape = String.raw`\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-Z\\^-~]`;
const ignorable = String.raw`(?:${escape}|[\s\ufeff\u0000-\u001f\u007f\u009b])+`;
const leading = new RegExp(`^${ignorable}`, 'u');
const trailing = new RegExp(`${ignorable}$`, 'u');

/** The end is cut only in the last characters: a pattern that ends in `$` is slow on a long text. */
function trimEscapes(line: string): string {
  const text = line.replace(leading, '');
  return text.slice(0, -200) + text.slice(-200).replace(trailing, '');
}

const noiseLimit = 2000;

function clip(text: string): string {
  return text.length > noiseLimit ? `${text.slice(0, noiseLimit)}… (${text.length} characters)` : text;
}

/** Reports noise one by one at first, and once there is a lot of it only now and then, with the number so far. */
export class NoiseReport {
  private count = 0;

  constructor(private readonly report: (text: string) => void) {}

  add(text: string): void {
    this.count += 1;
    if (this.count <= 500) this.report(text);
    else if (this.count % 1000 === 0) this.report(`… ${this.count} lines that are no messages so far`);
  }
}
