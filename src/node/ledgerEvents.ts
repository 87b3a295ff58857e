import type { ChatEvent } from '../chat/state';
import type { ToolCallPatch, Update } from '../chat/update';

/**
 * One event that does what two adjacent ones do, or `undefined` when there is none. Pieces of a message become one
 * piece, and updates of a tool call one update, so that a stream is kept once and not once per piece.
 */
export function joinEvents(first: ChatEvent, second: ChatEvent): ChatEvent | undefined {
  if (first.type !== 'update' || second.type !== 'update') return undefined;
  const update = joinChunks(first.update, second.update) ?? joinCalls(first.update, second.update);
  return update && { type: 'update', update };
}

function joinChunks(first: Update, second: Update): Update | undefined {
  if (first.type !== 'agentChunk' && first.type !== 'thoughtChunk') return undefined;
  if (second.type !== first.type || second.messageId !== first.messageId) return undefined;
  if (first.content.type !== 'text' || second.content.type !== 'text') return undefined;
  return { ...first, content: { type: 'text', text: first.content.text + second.content.text } };
}

function joinCalls(first: Update, second: Update): Update | undefined {
  if (first.type !== 'toolCall' || second.type !== 'toolCall' || second.isNew) return undefined;
  const [before, after] = [first.call, second.call];
  if (before.toolCallId !== after.toolCallId) return undefined;
  // An announcement weighs its status and may begin a call; a diff may take in a written file: each has to be seen.
  if (first.isNew || before.content?.some(item => item.type === 'diff')) return undefined;
  const terminal = [...(before.terminal ?? []), ...(after.terminal ?? [])];
  const call: ToolCallPatch = { ...before, ...after, ...(terminal.length > 0 ? { terminal } : {}) };
  return { type: 'toolCall', isNew: false, call };
}
