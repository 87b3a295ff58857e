import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPermission, readUpdate } from '../../../src/acp/lenient';
import type { JsonValue } from '../../../src/base/json';

const text = (value: string) => ({ type: 'text' as const, text: value });

/** What agents send, and what it is read as. */
const cases: [what: string, raw: JsonValue, expected: unknown][] = [
  [
    'a chunk with an id',
    { sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: text('hi') },
    { type: 'agentChunk', messageId: 'm1', content: text('hi') },
  ],
  [
    'a chunk with null where the id could be',
    { sessionUpdate: 'user_message_chunk', messageId: null, content: text('hi'), _meta: [1] },
    { type: 'userChunk', content: text('hi') },
  ],
  [
    'a bare string as content',
    { sessionUpdate: 'agent_thought_chunk', content: 'hm' },
    { type: 'thoughtChunk', content: text('hm') },
  ],
  [
    'an unknown content type',
    { sessionUpdate: 'agent_message_chunk', content: { type: 'hologram', beams: 3 } },
    {
      type: 'agentChunk',
      content: { type: 'unknown', label: 'hologram', raw: { type: 'hologram', beams: 3 } },
    },
  ],
  [
    'a text block without text',
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text' } },
    { type: 'agentChunk', content: { type: 'unknown', label: 'text', raw: { type: 'text' } } },
  ],
  [
    'a chunk without content',
    { sessionUpdate: 'agent_message_chunk' },
    { type: 'unknown', label: 'agent_message_chunk', raw: { sessionUpdate: 'agent_message_chunk' } },
  ],
  [
    'an update of a kind that is not known',
    { sessionUpdate: 'weather', rain: true },
    { type: 'unknown', label: 'weather', raw: { sessionUpdate: 'weather', rain: true } },
  ],
  [
    'an update named like a method of every object',
    { sessionUpdate: 'constructor' },
    { type: 'unknown', label: 'constructor', raw: { sessionUpdate: 'constructor' } },
  ],
  ['no object at all', 42, { type: 'unknown', label: 'update', raw: 42 }],
  [
    'a call with unknown kind and status',
    { sessionUpdate: 'tool_call', toolCallId: 'c', title: 't', kind: 'teleport', status: 'dreaming' },
    { type: 'toolCall', isNew: true, call: { toolCallId: 'c', title: 't', kind: 'teleport', status: 'dreaming' } },
  ],
  [
    'a call without a title',
    { sessionUpdate: 'tool_call', toolCallId: 'c' },
    { type: 'toolCall', isNew: true, call: { toolCallId: 'c' } },
  ],
  [
    'null for unchanged',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      title: null,
      status: null,
      content: null,
      locations: null,
      rawInput: null,
    },
    { type: 'toolCall', isNew: false, call: { toolCallId: 'c' } },
  ],
  [
    'content that is no list',
    { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: 'done' },
    { type: 'toolCall', isNew: false, call: { toolCallId: 'c', content: [{ type: 'content', block: text('done') }] } },
  ],
  [
    'a bare text among the content, and what is malformed',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: [
        text('bare'),
        { type: 'content', content: [text('one'), text('two')] },
        { type: 'diff', path: '/a', oldText: null, newText: 'new' },
        { type: 'diff', path: '/a' },
        { type: 'terminal', terminalId: 't' },
        { type: 'session', sessionId: 's' },
        7,
      ],
    },
    {
      type: 'toolCall',
      isNew: false,
      call: {
        toolCallId: 'c',
        content: [
          { type: 'content', block: text('bare') },
          { type: 'content', block: text('one') },
          { type: 'content', block: text('two') },
          { type: 'diff', path: '/a', newText: 'new' },
          { type: 'unknown', label: 'diff', raw: { type: 'diff', path: '/a' } },
          { type: 'terminal', terminalId: 't' },
          { type: 'unknown', label: 'session', raw: { type: 'session', sessionId: 's' } },
          { type: 'unknown', label: 'tool content', raw: 7 },
        ],
      },
    },
  ],
  [
    'an old text that is empty, which is not the same as none',
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 't',
      content: [{ type: 'diff', path: '/a', oldText: '', newText: 'x' }],
    },
    {
      type: 'toolCall',
      isNew: true,
      call: { toolCallId: 'c', title: 't', content: [{ type: 'diff', path: '/a', oldText: '', newText: 'x' }] },
    },
  ],
  [
    'locations with lines that cannot be',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      locations: [{ path: '/a', line: 0 }, { path: '/b', line: -3 }, { path: '/c', line: 4.7 }, { line: 1 }, '/d'],
    },
    {
      type: 'toolCall',
      isNew: false,
      call: { toolCallId: 'c', locations: [{ path: '/a' }, { path: '/b' }, { path: '/c', line: 4 }, { path: '/d' }] },
    },
  ],
  [
    'raw input and output of any type',
    { sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: 'x', rawOutput: [false, 0] },
    { type: 'toolCall', isNew: false, call: { toolCallId: 'c', rawInput: 'x', rawOutput: [false, 0] } },
  ],
  [
    'raw output that is false or 0, which is something',
    { sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: 0, rawOutput: false },
    { type: 'toolCall', isNew: false, call: { toolCallId: 'c', rawInput: 0, rawOutput: false } },
  ],
  [
    'a call without an id',
    { sessionUpdate: 'tool_call', title: 't' },
    { type: 'unknown', label: 'tool_call', raw: { sessionUpdate: 'tool_call', title: 't' } },
  ],
  [
    'output of a command in pieces',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      _meta: {
        terminal_info: { terminal_id: 't', cwd: '/x' },
        terminal_output_delta: { terminal_id: 't', data: 'ab' },
        terminal_output: { terminal_id: 't', data: 'whole' },
        terminal_exit: { terminal_id: 't', exit_code: 3, signal: null },
      },
    },
    {
      type: 'toolCall',
      isNew: false,
      call: {
        toolCallId: 'c',
        terminal: [{ terminalId: 't' }, { terminalId: 't', data: 'ab' }, { terminalId: 't', exit: { exitCode: 3 } }],
      },
    },
  ],
  [
    'output of a command as a whole that replaces, and an exit by a signal',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      _meta: {
        terminal_output: { terminal_id: 't', data: 'all', replaces: true },
        terminal_exit: { terminal_id: 't', exit_code: null, signal: 'SIGTERM' },
      },
    },
    {
      type: 'toolCall',
      isNew: false,
      call: {
        toolCallId: 'c',
        terminal: [
          { terminalId: 't', data: 'all', replace: true },
          { terminalId: 't', exit: { signal: 'SIGTERM' } },
        ],
      },
    },
  ],
  [
    'a plan with an unknown status, a bare string and what is malformed',
    {
      sessionUpdate: 'plan',
      entries: [{ content: 'a', priority: 'urgent', status: 'blocked' }, 'b', { content: 'c' }, { odd: 1 }],
    },
    {
      type: 'plan',
      planId: 'plan',
      entries: [
        { content: 'a', priority: 'urgent', status: 'blocked' },
        { content: 'b', priority: 'medium', status: 'pending' },
        { content: 'c', priority: 'medium', status: 'pending' },
        { content: '{"odd":1}', priority: 'medium', status: 'pending' },
      ],
    },
  ],
  [
    'a plan without entries',
    { sessionUpdate: 'plan' },
    { type: 'unknown', label: 'plan', raw: { sessionUpdate: 'plan' } },
  ],
  [
    'one plan of several',
    { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p2', entries: [] } },
    { type: 'plan', planId: 'p2', entries: [] },
  ],
  [
    'a plan in Markdown, which has no entries',
    { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# x' } },
    {
      type: 'unknown',
      label: 'plan_update',
      raw: { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# x' } },
    },
  ],
  ['a plan that is gone', { sessionUpdate: 'plan_removed', planId: 'p2' }, { type: 'planRemoved', planId: 'p2' }],
  [
    'commands, some without what they need',
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [
        { name: 'web', description: 'search', input: { hint: 'query' } },
        { name: 'x', input: null },
        { description: 'nameless' },
        'y',
      ],
    },
    {
      type: 'commands',
      commands: [
        { name: 'web', description: 'search', hint: 'query' },
        { name: 'x', description: '' },
      ],
    },
  ],
  ['a mode', { sessionUpdate: 'current_mode_update', currentModeId: 'ask' }, { type: 'mode', modeId: 'ask' }],
  [
    'a mode under the name of the documentation',
    { sessionUpdate: 'current_mode_update', modeId: 'ask' },
    { type: 'mode', modeId: 'ask' },
  ],
  [
    'options',
    {
      sessionUpdate: 'config_option_update',
      configOptions: [
        { type: 'boolean', id: 'b', name: 'B', currentValue: true },
        { type: 'slider', id: 's' },
      ],
    },
    { type: 'configOptions', options: [{ id: 'b', name: 'B', type: 'boolean', value: true }] },
  ],
  ['a title', { sessionUpdate: 'session_info_update', title: 'T' }, { type: 'sessionInfo', title: 'T' }],
  [
    'a title that is cleared',
    { sessionUpdate: 'session_info_update', title: null },
    { type: 'sessionInfo', title: null },
  ],
  ['no title', { sessionUpdate: 'session_info_update', updatedAt: 'x' }, { type: 'sessionInfo' }],
  [
    'usage with fractions and null',
    { sessionUpdate: 'usage_update', used: 12.6, size: null, cost: { amount: 0.5, currency: 'USD' } },
    { type: 'usage', usage: { used: 13, size: 0, cost: { amount: 0.5, currency: 'USD' } } },
  ],
  [
    'usage of nothing',
    { sessionUpdate: 'usage_update', used: null, size: null },
    { type: 'unknown', label: 'usage_update', raw: { sessionUpdate: 'usage_update', used: null, size: null } },
  ],
  [
    'a notice',
    { sessionUpdate: 'notice', severity: 'odd', title: 'N', description: 'd' },
    { type: 'notice', severity: 'odd', title: 'N', description: 'd' },
  ],
  [
    'a compaction',
    { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed', summary: [text('a'), text('b')] },
    { type: 'compaction', compactionId: 'k', status: 'completed', summary: 'ab' },
  ],
  [
    'a piece of its summary',
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: text('c') },
    { type: 'compaction', compactionId: 'k', status: 'in_progress', summary: 'c', append: true },
  ],
  [
    'a link without a name, an embedded file, pictures and sound',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: [
        { type: 'resource_link', uri: 'file:///a' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'x', mimeType: null } },
        { type: 'image', data: 'AA==', mimeType: 'image/gif', uri: null },
        { type: 'audio', data: 'AA==' },
      ],
    },
    {
      type: 'toolCall',
      isNew: false,
      call: {
        toolCallId: 'c',
        content: [
          { type: 'content', block: { type: 'resourceLink', uri: 'file:///a', name: 'file:///a' } },
          { type: 'content', block: { type: 'resource', uri: 'file:///b', text: 'x' } },
          { type: 'content', block: { type: 'image', data: 'AA==', mimeType: 'image/gif' } },
          { type: 'content', block: { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } },
        ],
      },
    },
  ],
];

describe('readUpdate', () => {
  for (const [what, raw, expected] of cases) {
    it(`reads ${what}`, () => assert.deepEqual(readUpdate(raw), expected));
  }

  it('never throws and never loses what it was given, whatever it is', () => {
    const known = fc.constantFrom(...cases.map(([, raw]) => raw));
    const mutated = fc.tuple(known, fc.string(), fc.jsonValue()).map(([raw, key, value]) => {
      const fields = typeof raw === 'object' && raw !== null ? Object.keys(raw) : [];
      const field = fields[key.length % Math.max(1, fields.length)] ?? key;
      return { ...(raw as object), [field]: value } as JsonValue;
    });
    fc.assert(
      fc.property(fc.oneof(mutated, fc.jsonValue() as fc.Arbitrary<JsonValue>), raw => {
        const update = readUpdate(raw);
        if (update.type === 'unknown') assert.deepEqual(update.raw, raw);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('readPermission', () => {
  it('keeps options in order, with kinds that are not known', () => {
    const options = [
      { optionId: 'b', name: 'B', kind: 'allow_for_an_hour' },
      { optionId: 'a', name: 'A', kind: 'allow_once' },
    ];
    assert.deepEqual(readPermission({ toolCall: { toolCallId: 'c' }, options }, 'f'), {
      call: { toolCallId: 'c' },
      options,
    });
  });

  it('leaves out what cannot be answered and names what has no name', () => {
    const { options } = readPermission(
      { toolCall: { toolCallId: 'c' }, options: [{ name: 'x' }, null, { optionId: 'o' }, { optionId: 'p', name: '' }] },
      'f',
    );
    assert.deepEqual(options, [
      { optionId: 'o', name: 'o', kind: 'unknown' },
      { optionId: 'p', name: 'p', kind: 'unknown' },
    ]);
  });

  it('works with no options, no call, or no id of the call', () => {
    assert.deepEqual(readPermission({ options: [] }, 'f'), { call: { toolCallId: 'f' }, options: [] });
    assert.deepEqual(readPermission({ toolCall: { title: 't' }, options: null }, 'f'), {
      call: { toolCallId: 'f', title: 't' },
      options: [],
    });
  });
});
