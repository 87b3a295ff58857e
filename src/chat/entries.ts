import { handOn } from './entryIndex';
import type { Conversation, Entry } from './state';

type Unplaced<E> = E extends unknown ? Omit<E, 'id' | 'turn'> : never;
/** An entry before it has its place in a conversation. */
export type NewEntry = Unplaced<Entry>;

/** Adds an entry at the end, in the current turn. What was being written before it is closed by it, unless it is only a remark. */
export function append(c: Conversation, entry: NewEntry): Conversation {
  const before = isRemark(entry) ? c : closeMessage(c);
  const made = c.made + 1;
  return {
    ...before,
    made,
    entries: handedOn(before, [...before.entries, { ...entry, id: `e${made}`, turn: c.turn }]),
  };
}

export function replaceAt(c: Conversation, index: number, entry: Entry): Conversation {
  return { ...c, entries: handedOn(c, c.entries.with(index, entry)) };
}

export function mapEntries(c: Conversation, change: (entry: Entry) => Entry): Conversation {
  return { ...c, entries: handedOn(c, c.entries.map(change)) };
}

export function removeAt(c: Conversation, index: number): Conversation {
  return { ...c, entries: c.entries.toSpliced(index, 1) };
}

function handedOn(c: Conversation, entries: readonly Entry[]): readonly Entry[] {
  handOn(c.entries, entries);
  return entries;
}

/** Adds an entry before position `at`, in a turn that may be over. */
export function insertAt(c: Conversation, at: number, entry: NewEntry, turn: number): Conversation {
  const made = c.made + 1;
  return { ...c, made, entries: c.entries.toSpliced(at, 0, { ...entry, id: `e${made}`, turn }) };
}

/** Notes, errors and lists of changes stand beside what the agent says: text before and after one is the same message. */
export function isRemark(entry: NewEntry): boolean {
  return (
    entry.kind === 'error' || entry.kind === 'changes' || (entry.kind === 'note' && entry.compactionId === undefined)
  );
}

/** Index of the last entry that is not only a remark, or -1. */
export function tailIndex(c: Conversation): number {
  return c.entries.findLastIndex(entry => !isRemark(entry));
}

/** The message that is being written is finished. */
export function closeMessage(c: Conversation): Conversation {
  const at = tailIndex(c);
  const tail = c.entries[at];
  if ((tail?.kind !== 'agent' && tail?.kind !== 'thought') || !tail.open) return c;
  return replaceAt(c, at, { ...tail, open: false });
}
