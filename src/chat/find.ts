import { memo } from '../base/memo';
import { entryText } from './entryText';
import type { ViewEntry } from './view';

const lowered = memo((entry: ViewEntry) => entryText(entry).toLowerCase());

/** Entries that hold `query`, in order, with the number of hits in each. Literal, the case of letters does not count. */
export function findInConversation(entries: readonly ViewEntry[], query: string): { entryId: string; count: number }[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  return entries.flatMap(entry => {
    const count = lowered(entry).split(wanted).length - 1;
    return count > 0 ? [{ entryId: entry.id, count }] : [];
  });
}
