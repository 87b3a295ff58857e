import { without } from '../base/without';
import { removeAt, replaceAt } from './entries';
import type { Conversation } from './state';

/** The conversation without the choice of ways to sign in that is open: another takes its place. */
export function withoutChoice(c: Conversation): Conversation {
  const at = openChoice(c);
  return at < 0 ? c : removeAt(c, at);
}

/** It went on, and nothing is left to choose; that a sign-in was needed still stands there. */
export function endChoice(c: Conversation): Conversation {
  const at = openChoice(c);
  const entry = c.entries[at];
  return entry?.kind === 'error' ? replaceAt(c, at, { ...without(entry, 'methods'), actions: [] }) : c;
}

function openChoice(c: Conversation): number {
  return c.entries.findLastIndex(entry => entry.kind === 'error' && entry.methods !== undefined);
}
