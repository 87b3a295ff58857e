import fc from 'fast-check';
import { emptyConversation, reduce } from '../../../src/chat/reduce';
import type { ChatEvent, Conversation, Entry } from '../../../src/chat/state';
import type { ContentBlock, ToolCallPatch, Update } from '../../../src/chat/update';

export const textBlock = (text: string): ContentBlock => ({ type: 'text', text });
export const update = (value: Update): ChatEvent => ({ type: 'update', update: value });
export const prompt = (text: string): ChatEvent => ({ type: 'prompt', content: [textBlock(text)] });
export const ended = (stopReason = 'end_turn'): ChatEvent => ({ type: 'turnEnded', stopReason });

const chunk =
  (type: 'userChunk' | 'agentChunk' | 'thoughtChunk') =>
  (text: string, messageId?: string): ChatEvent =>
    update({ type, content: textBlock(text), ...(messageId === undefined ? {} : { messageId }) });
export const userSays = chunk('userChunk');
export const says = chunk('agentChunk');
export const thinks = chunk('thoughtChunk');

export const toolCall = (call: ToolCallPatch): ChatEvent => update({ type: 'toolCall', isNew: true, call });
export const toolUpdate = (call: ToolCallPatch): ChatEvent => update({ type: 'toolCall', isNew: false, call });
export const asked = (requestId: string, call: ToolCallPatch): ChatEvent => ({
  type: 'permissionAsked',
  requestId,
  call,
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
});

export const fold = (...events: ChatEvent[]): Conversation => events.reduce(reduce, emptyConversation);

/** The conversation in short: one line per entry. */
export const outline = (c: Conversation): string[] => c.entries.map(line);

function line(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return `${entry.kind}: ${entry.content.map(block => (block.type === 'text' ? block.text : `<${block.type}>`)).join('|')}`;
    case 'tool':
      return `tool ${entry.toolCallId}: ${entry.title} [${entry.status}]`;
    case 'write':
      return `write ${entry.path}`;
    case 'changes':
      return `changes ${entry.turn}: ${entry.files.map(file => file.path).join(', ')}`;
    case 'plan':
      return `plan ${entry.entries.map(step => `${step.content}/${step.status}`).join(', ')}`;
    case 'error':
      return `error ${entry.code}`;
    case 'note':
      return `note: ${entry.text}`;
    case 'unknown':
      return `unknown ${entry.label}`;
  }
}

const word = fc.constantFrom('', 'a', 'Hello ', 'wor', 'ld!\n', '```ts\n', '😀', '\u202e');
const messageId = fc.option(fc.constantFrom('m1', 'm2', 'm3'), { nil: undefined });
const toolCallId = fc.constantFrom('t1', 't2', 't3');
const path = fc.constantFrom('/w/a.txt', '/w/b.txt', 'a.txt');
const fileText = fc.constantFrom('', 'one\n', 'one\ntwo\n', 'one\r\ntwo\r\n', 'two\nthree');

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 6, arbitrary: word.map(textBlock) },
  fc.constant<ContentBlock>({ type: 'image', data: 'aGk=', mimeType: 'image/png' }),
  fc.constant<ContentBlock>({ type: 'resourceLink', uri: 'file:///w/a%20b.txt', name: 'a b' }),
  fc.constant<ContentBlock>({ type: 'unknown', label: 'hologram', raw: { type: 'hologram' } }),
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const patch: fc.Arbitrary<ToolCallPatch> = fc
  .record({
    toolCallId,
    title: optional(fc.constantFrom('', 'Edit', 'Run')),
    kind: optional(fc.constantFrom('edit', 'execute', 'dance')),
    status: optional(fc.constantFrom('pending', 'in_progress', 'completed', 'failed', 'odd')),
    content: optional(
      fc.array(
        fc.oneof(
          block.map(value => ({ type: 'content' as const, block: value })),
          fc.record({ type: fc.constant('diff' as const), path, oldText: fileText, newText: fileText }),
          fc.record({ type: fc.constant('terminal' as const), terminalId: fc.constantFrom('x', 'y') }),
        ),
        { maxLength: 3 },
      ),
    ),
    locations: optional(fc.array(fc.record({ path }), { maxLength: 2 })),
    rawInput: optional(fc.constantFrom({ command: 'ls' }, 'text', 7)),
    terminal: optional(
      fc.array(fc.record({ terminalId: fc.constantFrom('x', 'y'), data: word, replace: fc.boolean() }), {
        maxLength: 2,
      }),
    ),
  })
  .map(value => value as ToolCallPatch);

const anyUpdate: fc.Arbitrary<Update> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ type: fc.constantFrom('userChunk', 'agentChunk', 'thoughtChunk'), messageId, content: block })
      .map(value => value as Update),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('toolCall' as const), isNew: fc.boolean(), call: patch }) },
  fc.record({
    type: fc.constant('plan' as const),
    planId: fc.constantFrom('', 'p'),
    entries: fc.array(
      fc.record({ content: word, priority: fc.constant('high'), status: fc.constantFrom('pending', 'completed') }),
      { maxLength: 2 },
    ),
  }),
  fc.constantFrom<Update>(
    { type: 'commands', commands: [{ name: 'web', description: 'Search' }] },
    { type: 'mode', modeId: 'code' },
    { type: 'configOptions', options: [{ id: 'o', name: 'O', type: 'boolean', value: true }] },
    { type: 'sessionInfo', title: 'T' },
    { type: 'sessionInfo', title: null },
    { type: 'usage', usage: { used: 1, size: 2 } },
    { type: 'notice', severity: 'warning', title: 'Careful' },
    { type: 'compaction', compactionId: 'c', status: 'in_progress' },
    { type: 'compaction', compactionId: 'c', status: '', summary: 'more', append: true },
    { type: 'compaction', compactionId: 'c', status: 'completed', summary: 'Short' },
    { type: 'unknown', label: 'dance', raw: { steps: 3 } },
  ),
);

const requestId = fc.constantFrom('r1', 'r2', 'r3');

/** Events in any order, also in orders that no agent should send. */
export const anyEvents: fc.Arbitrary<ChatEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 10, arbitrary: anyUpdate.map(update) },
      { weight: 2, arbitrary: word.map(prompt) },
      fc.constantFrom('end_turn', 'cancelled', 'refusal', 'weird').map(ended),
      fc.constantFrom<ChatEvent>(
        { type: 'turnFailed' },
        { type: 'cancelling' },
        { type: 'interrupted' },
        { type: 'prompt', content: [textBlock('again')], again: true },
        { type: 'sessionOpened' },
        { type: 'sessionOpened', modes: { currentModeId: 'ask', availableModes: [] } },
        { type: 'error', code: 'x', message: 'X', actions: ['retry'] },
        { type: 'note', severity: 'info', text: 'N' },
      ),
      fc.tuple(requestId, patch).map(([id, call]) => asked(id, call)),
      requestId.map((id): ChatEvent => ({ type: 'permissionSettled', requestId: id })),
      fc
        .record({ path, before: fileText, after: fileText })
        .map((write): ChatEvent => ({ type: 'fileWritten', write })),
      fc
        .record({ terminalId: fc.constantFrom('x', 'y', 'z'), data: word, replace: fc.boolean() })
        .map((piece): ChatEvent => ({ type: 'terminal', piece })),
    ),
    { maxLength: 40 },
  )
  // As from the wire: an absent field is absent.
  .map(events => uniqueQuestions(JSON.parse(JSON.stringify(events)) as ChatEvent[]));

/** A question is asked once: its id is unique in a conversation. */
function uniqueQuestions(events: ChatEvent[]): ChatEvent[] {
  const seen = new Set<string>();
  return events.filter(event => {
    if (event.type !== 'permissionAsked') return true;
    const isNew = !seen.has(event.requestId);
    seen.add(event.requestId);
    return isNew;
  });
}
