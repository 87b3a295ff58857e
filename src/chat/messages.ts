import { append, replaceAt, tailIndex } from './entries';
import { nameOf, placeOf } from './entryIndex';
import type { AgentMessage, Conversation, UserMessage } from './state';
import type { ContentBlock } from './update';

type Message = UserMessage | AgentMessage;

/**
 * Adds a piece of a message. An id joins pieces whatever lies between them and a new id splits; without ids a piece
 * joins the last message of its kind unless another item has followed (ordering rules of protocol/v1/prompt-turn).
 * The agent's echo of the prompt that was typed here adds nothing.
 */
export function addChunk(
  c: Conversation,
  kind: Message['kind'],
  messageId: string | undefined,
  block: ContentBlock,
): Conversation {
  if (block.type === 'text' && block.text === '') return c;
  if (kind !== 'user') return write(c, kind, messageId, block);
  if (!c.running) return write(c, kind, messageId, block);
  const echo = readEcho(c, block);
  return echo.rest ? write(echo.conversation, kind, messageId, echo.rest) : echo.conversation;
}

function write(c: Conversation, kind: Message['kind'], messageId: string | undefined, block: ContentBlock) {
  const at = joinIndex(c, kind, messageId);
  const known = c.entries[at];
  if (known && isMessage(known)) return replaceAt(c, at, { ...known, content: grown(known.content, block) });
  const id = messageId === undefined ? {} : { messageId };
  if (kind !== 'user') return append(c, { kind, ...id, content: [block], open: c.running });
  // Outside a turn a user's message is part of a replay and begins a turn of it.
  const placed = c.running ? c : { ...c, turn: c.turn + 1 };
  return append(placed, { kind, ...id, content: [block], fromAgent: true });
}

function isMessage(entry: { kind: string }): entry is Message {
  return entry.kind === 'user' || entry.kind === 'agent' || entry.kind === 'thought';
}

function joinIndex(c: Conversation, kind: Message['kind'], messageId: string | undefined): number {
  if (messageId !== undefined) return placeOf(c.entries, nameOf.message(kind, messageId));
  const at = tailIndex(c);
  const tail = c.entries[at];
  if (tail?.kind !== kind) return -1;
  return tail.kind === 'user' && !tail.fromAgent ? -1 : at;
}

/** Text is added to the last text block, so that a piece costs the same however long the message is. */
function grown(content: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = content.at(-1);
  if (last?.type !== 'text' || block.type !== 'text') return [...content, block];
  return content.with(-1, { type: 'text', text: last.text + block.text });
}

/** Takes the part of a user's piece that repeats the running prompt; `rest` is what is new. */
function readEcho(c: Conversation, block: ContentBlock): { conversation: Conversation; rest?: ContentBlock } {
  const prompt = c.entries.findLast((entry): entry is UserMessage => entry.kind === 'user' && !entry.fromAgent);
  if (!prompt) return { conversation: c, rest: block };
  if (block.type !== 'text') {
    const raw = JSON.stringify(block);
    const known = prompt.content.some(own => own.type === block.type && JSON.stringify(own) === raw);
    return known ? { conversation: c } : { conversation: c, rest: block };
  }
  const text = promptText(prompt);
  const missing = text.slice(c.echoed);
  if (missing.startsWith(block.text)) return { conversation: { ...c, echoed: c.echoed + block.text.length } };
  if (missing.trim() === block.text.trim()) return { conversation: { ...c, echoed: text.length } };
  if (missing === '') return { conversation: c, rest: block };
  // It began like the prompt and then went another way: what was held back belongs to it.
  const held = text.slice(0, c.echoed);
  return { conversation: { ...c, echoed: text.length }, rest: { type: 'text', text: held + block.text } };
}

function promptText(prompt: UserMessage): string {
  return prompt.content.map(block => (block.type === 'text' ? block.text : '')).join('');
}
