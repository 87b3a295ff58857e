import { without } from '../base/without';
import { append, mapEntries, replaceAt } from './entries';
import { nameOf, placeOf } from './entryIndex';
import type { Conversation, Permission, ToolCall } from './state';
import { subjectOf } from './subject';
import { addPiece } from './terminals';
import type { PermissionOption, ToolCallPatch } from './update';
import { absorbWrites } from './writes';

interface Found {
  at: number;
  call: ToolCall;
}

/**
 * Creates or updates a tool call by its id. Absent fields keep what is known.
 * @param isNew it was announced by `tool_call`, which never takes a status back
 */
export function upsertCall(c: Conversation, patch: ToolCallPatch, isNew: boolean): Conversation {
  const known = findCall(c, patch.toolCallId);
  // Some agents count their ids from 1 again in each turn.
  if (!known || (isNew && known.call.turn < c.turn && isFinished(known.call.status))) {
    const made = append(c, merge(blank(patch.toolCallId), patch, isNew));
    return absorbWrites(made, made.entries.length - 1, patch);
  }
  const call = without(merge(known.call, patch, isNew), 'onlyAsked');
  return absorbWrites(replaceAt(c, known.at, call), known.at, patch);
}

/** Calls without a result get `status`; a later update may still give one. */
export function settleCalls(c: Conversation, status: 'cancelled' | 'ended'): Conversation {
  if (!c.entries.some(isUnfinished)) return c;
  return mapEntries(c, entry => (isUnfinished(entry) ? { ...entry, status } : entry));
}

/**
 * Puts a question on its tool call, which it creates when it is unknown. A question that says something else about a
 * call than one before it gets an entry of its own: nobody may answer one question reading another.
 */
export function askPermission(
  c: Conversation,
  requestId: string,
  patch: ToolCallPatch,
  options: readonly PermissionOption[],
): Conversation {
  const known = findCall(c, patch.toolCallId);
  const ask = (call: ToolCall | ReturnType<typeof blank>): Permission => {
    const subject = subjectOf(call);
    return { requestId, options, state: 'pending', ...(subject === undefined ? {} : { subject }) };
  };
  if (!known || isAnotherQuestion(known.call, patch, c.turn)) {
    const call = merge(blank(patch.toolCallId), patch, false);
    return append(c, { ...call, onlyAsked: true, permissions: [ask(call)] });
  }
  const call = merge(known.call, patch, false);
  return replaceAt(c, known.at, { ...call, permissions: [...call.permissions, ask(call)] });
}

export function settlePermission(c: Conversation, requestId: string, optionId: string | undefined): Conversation {
  const isOpen = (one: Permission): boolean => one.requestId === requestId && one.state === 'pending';
  const at = c.entries.findLastIndex(entry => entry.kind === 'tool' && entry.permissions.some(isOpen));
  const call = c.entries[at];
  if (call?.kind !== 'tool') return c;
  const settled = (permission: Permission): Permission =>
    optionId === undefined ? { ...permission, state: 'cancelled' } : { ...permission, state: 'answered', optionId };
  return replaceAt(c, at, {
    ...call,
    permissions: call.permissions.map(one => (isOpen(one) ? settled(one) : one)),
  });
}

/** Questions that nobody can answer any more. */
export function withdrawPermissions(c: Conversation): Conversation {
  return pendingCalls(c)
    .flatMap(call => call.permissions.filter(one => one.state === 'pending'))
    .reduce((state, one) => settlePermission(state, one.requestId, undefined), c);
}

/** The calls that questions are about, in one pass from the end, however many there are. */
export function callsOfPermissions(c: Conversation, requestIds: readonly string[]): ReadonlyMap<string, ToolCall> {
  const calls = new Map<string, ToolCall>();
  const wanted = new Set(requestIds);
  for (let at = c.entries.length - 1; at >= 0 && wanted.size > 0; at--) {
    const entry = c.entries[at];
    if (entry?.kind !== 'tool') continue;
    for (const { requestId } of entry.permissions) if (wanted.delete(requestId)) calls.set(requestId, entry);
  }
  return calls;
}

function pendingCalls(c: Conversation): ToolCall[] {
  return c.entries.filter(
    (entry): entry is ToolCall => entry.kind === 'tool' && entry.permissions.some(one => one.state === 'pending'),
  );
}

function findCall(c: Conversation, toolCallId: string): Found | undefined {
  const at = placeOf(c.entries, nameOf.call(toolCallId));
  const call = c.entries[at];
  return call?.kind === 'tool' ? { at, call } : undefined;
}

function isAnotherQuestion(call: ToolCall, patch: ToolCallPatch, turn: number): boolean {
  const fixedId = call.onlyAsked === true || call.permissions.some(one => one.state === 'pending');
  if (!fixedId) return call.turn < turn && (call.status === 'completed' || call.status === 'failed');
  const differs = (key: 'title' | 'kind' | 'rawInput' | 'content' | 'locations'): boolean =>
    patch[key] !== undefined &&
    JSON.stringify(patch[key]) !== JSON.stringify(key === 'kind' ? call.toolKind : call[key]);
  return differs('title') || differs('kind') || differs('rawInput') || differs('content') || differs('locations');
}

function isUnfinished(entry: Conversation['entries'][number]): entry is ToolCall {
  return entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'in_progress');
}

function isFinished(status: string): boolean {
  return status !== 'pending' && status !== 'in_progress';
}

function blank(toolCallId: string) {
  return {
    kind: 'tool' as const,
    toolCallId,
    title: '',
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    terminals: [],
    permissions: [],
    writes: [],
  } satisfies Omit<ToolCall, 'id' | 'turn'>;
}

function merge<C extends Omit<ToolCall, 'id' | 'turn'>>(
  call: C,
  patch: ToolCallPatch,
  isNew: boolean,
): C & Omit<ToolCall, 'id' | 'turn'> {
  const { kind, status, terminal } = patch;
  return {
    ...call,
    ...without(patch, 'toolCallId', 'kind', 'status', 'terminal'),
    ...(kind === undefined ? {} : { toolKind: kind }),
    ...(status === undefined ? {} : { status: isNew ? furtherStatus(call.status, status) : status }),
    ...(terminal === undefined ? {} : { terminals: terminal.reduce(addPiece, call.terminals) }),
  };
}

/** An announcement may come again, or late: it never takes back what is already known. */
function furtherStatus(known: string, announced: string): string {
  if (announced === 'pending') return known;
  return announced === 'in_progress' && (known === 'completed' || known === 'failed') ? known : announced;
}
