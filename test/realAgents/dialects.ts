import { asArray, asObject, asString, isObject, type JsonObject, type JsonValue } from '../../src/base/json';
import type { Call, Step } from './script';

/** One server-sent event. */
export interface Sent {
  event?: string;
  data: JsonObject | '[DONE]';
}

/** How one family of agents talks to its model: what the server must know of a request, and how it answers. */
export interface Dialect {
  /** End of the request's path. */
  path: string;
  toolNames: Readonly<Record<Call['tool'], string>>;
  /** The tools that the agent offers. */
  offered(request: JsonObject): string[];
  /** The messages in order: what a user said, or that a tool call was answered. */
  history(request: JsonObject): Said[];
  answer(step: Step, id: string, model: string): Sent[];
  /** The same as one body, for a request that does not stream. */
  whole(text: string, model: string): JsonObject;
}

export type Said = { said: string } | 'toolResult';

const objects = (value: JsonValue | undefined): JsonObject[] => (asArray(value) ?? []).filter(item => isObject(item));

const textOf = (content: JsonValue | undefined): string =>
  asString(content) ??
  objects(content)
    .map(part => asString(part['text']) ?? '')
    .join('\n');

/** Small pieces, so that agents and clients have something to stream. Never splits a character. */
const pieces = (text: string): string[] => text.match(/[^]{1,16}/gu) ?? [];

/** OpenAI Chat Completions, as Qwen Code speaks it. */
const chat: Dialect = {
  path: '/chat/completions',
  toolNames: { read: 'read_file', edit: 'edit' },
  offered: request => objects(request['tools']).map(tool => asString(asObject(tool['function'])?.['name']) ?? ''),
  history: request =>
    objects(request['messages']).flatMap((message): Said[] => {
      if (message['role'] === 'tool') return ['toolResult'];
      return message['role'] === 'user' ? [{ said: textOf(message['content']) }] : [];
    }),
  answer(step, id, model) {
    const chunk = (delta: JsonObject, finish: string | null = null): Sent => ({
      data: {
        id,
        object: 'chat.completion.chunk',
        created: 0,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    const call = step.call && {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: chat.toolNames[step.call.tool], arguments: JSON.stringify(step.call.arguments) },
    };
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(step.text).map(content => chunk({ content })),
      ...(call ? [chunk({ tool_calls: [call] })] : []),
      chunk({}, call ? 'tool_calls' : 'stop'),
      { data: '[DONE]' },
    ];
  },
  whole: (text, model) => ({
    id: 'side',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
};

/** Anthropic Messages, as the Claude agent speaks it. */
const messages: Dialect = {
  path: '/messages',
  toolNames: { read: 'Read', edit: 'Edit' },
  offered: request => objects(request['tools']).map(tool => asString(tool['name']) ?? ''),
  history: request =>
    objects(request['messages'])
      .filter(message => message['role'] === 'user')
      .flatMap((message): Said[] => {
        const results = objects(message['content']).filter(part => part['type'] === 'tool_result');
        return [...results.map((): Said => 'toolResult'), { said: textOf(message['content']) }];
      }),
  answer(step, id, model) {
    const send = (event: string, data: JsonObject): Sent => ({ event, data: { type: event, ...data } });
    const block = (index: number, start: JsonObject, deltas: JsonObject[]): Sent[] => [
      send('content_block_start', { index, content_block: start }),
      ...deltas.map(delta => send('content_block_delta', { index, delta })),
      send('content_block_stop', { index }),
    ];
    const { call } = step;
    const input = call ? JSON.stringify(call.arguments) : '';
    return [
      send('message_start', { message: { ...emptyMessage(`msg_${id}`, model), content: [] } }),
      ...block(
        0,
        { type: 'text', text: '' },
        pieces(step.text).map(text => ({ type: 'text_delta', text })),
      ),
      ...(call
        ? block(
            1,
            { type: 'tool_use', id: `call_${id}`, name: messages.toolNames[call.tool], input: {} },
            pieces(input).map(partial_json => ({ type: 'input_json_delta', partial_json })),
          )
        : []),
      send('message_delta', {
        delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 1 },
      }),
      send('message_stop', {}),
    ];
  },
  whole: (text, model) => ({
    ...emptyMessage('side', model),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  }),
};

const emptyMessage = (id: string, model: string): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

export const dialects: readonly Dialect[] = [chat, messages];
