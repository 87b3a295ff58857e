import { insertAt, removeAt, replaceAt } from './entries';
import type { ChatEvent, Conversation } from './state';

/** What a turn changed stands at its end; with nothing changed there is no entry. */
export function putChanges(
  c: Conversation,
  { turn, files, skipped }: Extract<ChatEvent, { type: 'changes' }>,
): Conversation {
  const at = c.entries.findLastIndex(entry => entry.kind === 'changes' && entry.turn === turn);
  const known = c.entries[at];
  const isEmpty = files.length === 0 && skipped === 0;
  if (known?.kind === 'changes') return isEmpty ? removeAt(c, at) : replaceAt(c, at, { ...known, files, skipped });
  if (isEmpty) return c;
  const last = c.entries.findLastIndex(entry => entry.turn <= turn);
  return insertAt(c, last + 1, { kind: 'changes', files, skipped }, turn);
}
