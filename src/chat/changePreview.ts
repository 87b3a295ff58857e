import { structuredPatch } from 'diff';
import { memo } from '../base/memo';
import type { FileWrite } from './state';
import type { ViewDiff } from './view';
import { visibleShort } from './visible';

const previewLines = 40;
const lineLimit = 240;
/** Beyond these a difference is only estimated: a card must not hold up the host. */
const effort = { maxEditLength: 1_000, timeout: 20 };

export type ChangePreview = Pick<ViewDiff, 'isNew' | 'added' | 'removed' | 'preview' | 'partial'>;

/** Counts and some lines of a change. Exact unless `partial`; the work is bounded whatever the size. */
export const previewOf = memo((change: FileWrite): ChangePreview => {
  const isNew = change.before === undefined;
  const before = change.before ?? '';
  if (before === change.after) return { isNew, added: 0, removed: 0, preview: [], partial: false };
  if (withoutReturns(before) === withoutReturns(change.after)) {
    return { isNew, added: 0, removed: 0, preview: [' Only the line endings differ'], partial: false };
  }
  const lines = isNew ? undefined : changedLines(before, change.after);
  const all = lines ?? roughLines(before, change.after);
  const shown = all.slice(0, previewLines);
  return {
    isNew,
    added: all.filter(line => line.startsWith('+')).length,
    removed: all.filter(line => line.startsWith('-')).length,
    preview: shown.map(line => (line[0] ?? ' ') + visibleShort(line.slice(1), lineLimit, '\t')),
    partial:
      (lines === undefined && !isNew) || shown.length < all.length || shown.some(line => line.length > lineLimit),
  };
});

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function changedLines(before: string, after: string): string[] | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 2, ...effort });
  return patch?.hunks.flatMap(hunk => hunk.lines.filter(line => !line.startsWith('\\')));
}

/** Everything between the first and the last line that differ counts as changed. */
function roughLines(before: string, after: string): string[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map(line => `-${line}`),
    ...now.slice(start, now.length - end).map(line => `+${line}`),
  ];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
