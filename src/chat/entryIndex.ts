import type { Entry } from './state';

/**
 * Where entries stand, by what agents call them, so that a long conversation need not be searched for each new name.
 * Only a cache: it belongs to one list at a time, moves to the list that follows, and is made anew for any other.
 */
const indexes = new WeakMap<readonly Entry[], Map<string, number>>();

/** Names under which entries are found. */
export const nameOf = {
  call: (toolCallId: string): string => `tool ${toolCallId}`,
  message: (kind: 'user' | 'agent' | 'thought', messageId: string): string => `${kind} ${messageId}`,
  write: 'write',
};

/** The last place at which an entry of this name stands, or -1. */
export function placeOf(entries: readonly Entry[], name: string): number {
  let index = indexes.get(entries);
  if (!index) {
    index = new Map();
    for (const [place, entry] of entries.entries()) note(index, entry, place);
    indexes.set(entries, index);
  }
  return index.get(name) ?? -1;
}

/** Hands the index on to a list that has the same entries in the same places, and perhaps one more at its end. */
export function handOn(from: readonly Entry[], to: readonly Entry[]): void {
  const index = indexes.get(from);
  if (!index || from === to) return;
  indexes.delete(from);
  for (const [offset, entry] of to.slice(from.length).entries()) note(index, entry, from.length + offset);
  indexes.set(to, index);
}

function note(index: Map<string, number>, entry: Entry, place: number): void {
  const name = nameFor(entry);
  if (name !== undefined) index.set(name, place);
}

function nameFor(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'tool':
      return nameOf.call(entry.toolCallId);
    case 'user':
    case 'agent':
    case 'thought':
      return entry.messageId === undefined ? undefined : nameOf.message(entry.kind, entry.messageId);
    case 'write':
      return nameOf.write;
    case 'changes':
    case 'plan':
    case 'error':
    case 'note':
    case 'unknown':
      return undefined;
  }
}
