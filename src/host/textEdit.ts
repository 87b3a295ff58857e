/** The smallest replacement that turns one text into another: `text` in place of what lies between two offsets. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/**
 * One replacement that turns `before` into `after`. Its borders never part a CR LF or a surrogate pair, because an
 * editor moves such a border.
 */
export function smallestReplacement(before: string, after: string): Replacement {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && (parts(before, start) || parts(after, start))) start--;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  while (tail > 0 && (parts(before, before.length - tail) || parts(after, after.length - tail))) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** The line end of a text: `mixed` when there are several kinds (a lone CR counts as one), undefined when it has one line. */
export function lineEndOf(text: string): '\n' | '\r\n' | 'mixed' | undefined {
  const kinds = new Set<string>();
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) kinds.add(end);
  if (kinds.size === 0) return undefined;
  if (kinds.size > 1 || kinds.has('\r')) return 'mixed';
  return kinds.has('\n') ? '\n' : '\r\n';
}

/** The lines that a reader asked for, with their line ends: from `line` (1-based) on, `limit` of them or all. */
export function linesOf(text: string, line = 1, limit = Infinity): string {
  const start = afterLines(text, 0, line - 1);
  return text.slice(start, afterLines(text, start, limit));
}

/** The offset after `count` line ends, counted from an offset. */
function afterLines(text: string, from: number, count: number): number {
  let at = from;
  for (let n = 0; n < count; n++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

function parts(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  if (left === 0x0d && right === 0x0a) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
