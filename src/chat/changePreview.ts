import { structuredPatch } from 'diff';
import { memo } from '../base/memo';
import type { FileWrite } from './state';
import type { ViewDiff } from './view';
import { visibleShort } from './visible';

const previewLines = 40;
const lineLimit = 240;
const contextLines = 2;
/** Beyond these a difference is only estimated: a card must not hold up the host. */
const effort = { maxEditLength: 1_000, timeout: 20 };
const maxComparedLines = 4_000;

export type ChangePreview = Pick<ViewDiff, 'isNew' | 'added' | 'removed' | 'preview' | 'partial'>;

/** Counts and some lines of a change. Exact unless `partial`; the work is bounded whatever the size. */
export const previewOf = memo((change: FileWrite): ChangePreview => {
  const isNew = change.before === undefined;
  const old = linesOf(change.before ?? '');
  const now = linesOf(change.after);
  const differing = trimmed(old, now);
  if (differing.old.length + differing.now.length === 0) {
    const preview = isNew || change.before === change.after ? [] : [' Only the line break at the end differs'];
    return { isNew, added: 0, removed: 0, preview, partial: false };
  }
  if (withoutReturns(change.before ?? '') === withoutReturns(change.after)) {
    return { isNew, added: 0, removed: 0, preview: [' Only the line endings differ'], partial: false };
  }
  const exact = compared(differing);
  const lines = exact ?? [...differing.old.map(line => `-${line}`), ...differing.now.map(line => `+${line}`)];
  const shown = lines.slice(0, previewLines);
  return {
    isNew,
    added: lines.filter(line => line.startsWith('+')).length,
    removed: lines.filter(line => line.startsWith('-')).length,
    preview: shown.map(line => line.charAt(0) + visibleShort(line.slice(1), lineLimit, '\t')),
    partial: !exact || shown.length < lines.length || shown.some(line => line.length > lineLimit),
  };
});

interface Differing {
  old: string[];
  now: string[];
  before: string[];
  after: string[];
}

/** What lies between the first and the last line that differ, with some lines before and after. */
function trimmed(old: readonly string[], now: readonly string[]): Differing {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return {
    old: old.slice(start, old.length - end),
    now: now.slice(start, now.length - end),
    before: old.slice(Math.max(0, start - contextLines), start),
    after: old.slice(old.length - end, old.length - end + contextLines),
  };
}

function compared({ old, now, before, after }: Differing): string[] | undefined {
  if (old.length === 0 || now.length === 0) {
    const changed = [...old.map(line => `-${line}`), ...now.map(line => `+${line}`)];
    return [...before.map(line => ` ${line}`), ...changed, ...after.map(line => ` ${line}`)];
  }
  if (old.length + now.length > maxComparedLines) return undefined;
  const text = (lines: readonly string[]): string => [...before, ...lines, ...after, ''].join('\n');
  const options = { context: contextLines, ...effort };
  return structuredPatch('', '', text(old), text(now), undefined, undefined, options)?.hunks.flatMap(
    hunk => hunk.lines,
  );
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
