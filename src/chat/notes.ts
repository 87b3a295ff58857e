import { append, isRemark, removeAt, replaceAt } from './entries';
import type { Conversation, NoteEntry } from './state';
import type { Update } from './update';

const noOutput = 'No output from the agent';

const stopNotes: Record<string, string | undefined> = {
  end_turn: undefined,
  cancelled: undefined,
  max_tokens: 'The agent stopped: the answer reached the limit of tokens.',
  max_turn_requests: 'The agent stopped: the turn reached the limit of model requests.',
  refusal: 'The agent refused. This prompt and what followed it are not part of its memory.',
};

/** Says why a turn ended, where it is not the usual way, and that it ended without any output. */
export function noteStop(c: Conversation, stopReason: string): Conversation {
  if (stopReason === 'end_turn') {
    if (c.entries.some(entry => entry.turn === c.turn && isOutput(entry))) return c;
    return append(c, { kind: 'note', severity: 'warning', text: noOutput, actions: ['showLog'] });
  }
  const text = Object.hasOwn(stopNotes, stopReason) ? stopNotes[stopReason] : `The agent stopped: ${stopReason}`;
  return text === undefined ? c : append(c, { kind: 'note', severity: 'warning', text, actions: [] });
}

/** Output came after all, right behind the note that there was none: takes the note back. */
export function retractNoOutput(c: Conversation): Conversation {
  if (c.running) return c;
  for (let at = c.entries.length - 2; at >= 0; at--) {
    const entry = c.entries[at];
    if (entry?.kind === 'note' && entry.text === noOutput && entry.turn === c.turn) return removeAt(c, at);
    if (!entry || !isRemark(entry)) break;
  }
  return c;
}

function isOutput(entry: Conversation['entries'][number]): boolean {
  if (entry.kind === 'note') return entry.compactionId !== undefined;
  return entry.kind !== 'user' && entry.kind !== 'error';
}

/** A compaction keeps its place in the timeline and is updated there. */
export function applyCompaction(c: Conversation, update: Extract<Update, { type: 'compaction' }>): Conversation {
  const at = c.entries.findLastIndex(entry => entry.kind === 'note' && entry.compactionId === update.compactionId);
  const found = c.entries[at];
  const known = found?.kind === 'note' ? found : undefined;
  const summary = update.append ? (known?.details ?? '') + (update.summary ?? '') : update.summary;
  const details = update.error ?? summary ?? known?.details;
  const note = {
    kind: 'note' as const,
    severity: update.status === 'failed' ? ('warning' as const) : ('info' as const),
    text: update.append && known ? known.text : compactionText(update.status),
    actions: [],
    compactionId: update.compactionId,
    ...(details === undefined || details === '' ? {} : { details }),
  } satisfies Omit<NoteEntry, 'id' | 'turn'>;
  return known ? replaceAt(c, at, { ...note, id: known.id, turn: known.turn }) : append(c, note);
}

function compactionText(status: string): string {
  switch (status) {
    case 'completed':
      return 'The conversation was compacted';
    case 'failed':
      return 'Compacting the conversation failed';
    case 'cancelled':
      return 'Compacting the conversation was cancelled';
    default:
      return 'Compacting the conversation…';
  }
}
