import assert from 'node:assert/strict';
import { terminalLimit } from '../../../src/chat/terminals';
import { callsOfPermissions } from '../../../src/chat/toolCalls';
import type { ChatEvent, Conversation, ToolCall } from '../../../src/chat/state';
import { asked, ended, fold, outline, prompt, says, toolCall, toolUpdate } from './events';

const calls = (c: Conversation): ToolCall[] => c.entries.filter(entry => entry.kind === 'tool');
const only = (c: Conversation): ToolCall => {
  const [call, ...more] = calls(c);
  assert.ok(call && more.length === 0);
  return call;
};
const settled = (requestId: string, optionId?: string): ChatEvent => ({
  type: 'permissionSettled',
  requestId,
  ...(optionId === undefined ? {} : { optionId }),
});

const callOfPermission = (c: Conversation, requestId: string) => callsOfPermissions(c, [requestId]).get(requestId);

describe('tool calls', () => {
  it('are created by an update for an unknown id, with the defaults of the protocol', () => {
    const call = only(fold(toolUpdate({ toolCallId: 'z' })));
    assert.equal(call.status, 'pending');
    assert.equal(call.toolKind, 'other');
    assert.deepEqual(call.content, []);
  });

  it('keep what a later update does not name and replace whole lists', () => {
    const call = only(
      fold(
        toolCall({ toolCallId: 't', title: 'grep', kind: 'search', locations: [{ path: '/a' }] }),
        toolUpdate({
          toolCallId: 't',
          title: 'grep -rn foo',
          rawInput: { pattern: 'foo' },
          content: [{ type: 'content', block: { type: 'text', text: '1 running' } }],
        }),
        toolUpdate({ toolCallId: 't', status: 'completed', content: [] }),
      ),
    );
    assert.equal(call.title, 'grep -rn foo');
    assert.equal(call.toolKind, 'search');
    assert.deepEqual(call.rawInput, { pattern: 'foo' });
    assert.deepEqual(call.locations, [{ path: '/a' }]);
    assert.deepEqual(call.content, []);
    assert.equal(call.status, 'completed');
  });

  it('do not go back when they are announced after their updates', () => {
    const status = (...events: ChatEvent[]) => only(fold(prompt('go'), ...events)).status;
    const announced = toolCall({ toolCallId: 't', title: 'T', status: 'pending' });
    assert.equal(status(toolUpdate({ toolCallId: 't', status: 'completed' }), announced), 'completed');
    assert.equal(status(toolUpdate({ toolCallId: 't', status: 'in_progress' }), announced), 'in_progress');
    assert.equal(
      status(toolUpdate({ toolCallId: 't', status: 'failed' }), toolCall({ toolCallId: 't', status: 'in_progress' })),
      'failed',
    );
    assert.equal(status(announced, toolCall({ toolCallId: 't', status: 'completed' })), 'completed');
  });

  it('carry statuses and kinds that nobody knows', () => {
    const call = only(fold(prompt('go'), toolCall({ toolCallId: 't', kind: 'dance', status: 'odd' }), ended()));
    assert.deepEqual([call.toolKind, call.status], ['dance', 'odd']);
  });

  it('look cancelled as soon as Stop is pressed, and take later updates', () => {
    const stopped = fold(prompt('go'), toolCall({ toolCallId: 't', status: 'in_progress' }), { type: 'cancelling' });
    assert.equal(only(stopped).status, 'cancelled');
    const late = fold(
      prompt('go'),
      toolCall({ toolCallId: 't', status: 'in_progress' }),
      { type: 'cancelling' },
      toolUpdate({ toolCallId: 't', status: 'completed' }),
      ended('cancelled'),
    );
    assert.equal(only(late).status, 'completed');
  });

  it('end without a result when the turn ends, and a late result still counts', () => {
    const c = fold(prompt('go'), toolCall({ toolCallId: 'z', status: 'in_progress' }), says('x'), ended());
    assert.equal(only(c).status, 'ended');
    const late = fold(
      prompt('go'),
      toolCall({ toolCallId: 'z', status: 'in_progress' }),
      ended(),
      toolUpdate({ toolCallId: 'z', status: 'completed' }),
    );
    assert.equal(only(late).status, 'completed');
  });

  it('are new ones when an agent counts its ids from the start again in the next turn', () => {
    const c = fold(
      prompt('one'),
      toolCall({ toolCallId: '1', title: 'A', status: 'completed' }),
      ended(),
      prompt('two'),
      toolCall({ toolCallId: '1', title: 'B' }),
      toolUpdate({ toolCallId: '1', status: 'completed' }),
    );
    assert.deepEqual(outline(c), ['user: one', 'tool 1: A [completed]', 'user: two', 'tool 1: B [completed]']);
  });

  it('collect terminal output, keep its end and its exit', () => {
    const piece = (data: string) => toolUpdate({ toolCallId: 't', terminal: [{ terminalId: 'x', data }] });
    const call = only(
      fold(
        piece('a'),
        piece('b'),
        toolUpdate({ toolCallId: 't', terminal: [{ terminalId: 'x', exit: { exitCode: 1 } }] }),
      ),
    );
    assert.deepEqual(call.terminals, [{ terminalId: 'x', text: 'ab', exit: { exitCode: 1 } }]);
    const replaced = only(
      fold(piece('a'), toolUpdate({ toolCallId: 't', terminal: [{ terminalId: 'x', data: 'n', replace: true }] })),
    );
    assert.equal(replaced.terminals[0]?.text, 'n');
    const long = only(fold(piece('x'.repeat(terminalLimit)), piece('y'.repeat(terminalLimit / 2))));
    assert.equal(long.terminals[0]?.text.length, terminalLimit);
    assert.ok(long.terminals[0]?.text.endsWith('y'.repeat(terminalLimit / 2)));
  });
});

describe('permissions in a conversation', () => {
  it('stand on the call that is known already, also when the question has only its id', () => {
    const c = fold(toolCall({ toolCallId: 't', title: 'Edit', kind: 'edit' }), asked('r', { toolCallId: 't' }));
    const call = only(c);
    assert.equal(call.title, 'Edit');
    assert.equal(call.permissions[0]?.state, 'pending');
    assert.equal(callOfPermission(c, 'r'), call);
  });

  it('create a call that is unknown, which later updates finish', () => {
    const c = fold(
      asked('r', { toolCallId: 'x1', title: 'Lookup', kind: 'fetch' }),
      settled('r', 'yes'),
      toolUpdate({ toolCallId: 'x1', status: 'completed' }),
    );
    assert.deepEqual(outline(c), ['tool x1: Lookup [completed]']);
    assert.equal(only(c).permissions[0]?.optionId, 'yes');
  });

  it('are independent of each other, with the same id and different subjects each by itself', () => {
    const c = fold(
      prompt('go'),
      toolCall({ toolCallId: 'call_1', title: 'sh' }),
      asked('r1', { toolCallId: 'fixed', title: 'rm a', rawInput: { command: 'rm a' } }),
      asked('r2', { toolCallId: 'fixed', title: 'rm b', rawInput: { command: 'rm b' } }),
      settled('r2', 'no'),
    );
    assert.equal(callOfPermission(c, 'r1')?.title, 'rm a');
    assert.equal(callOfPermission(c, 'r1')?.permissions[0]?.state, 'pending');
    assert.equal(callOfPermission(c, 'r2')?.title, 'rm b');
    assert.equal(callOfPermission(c, 'r2')?.permissions[0]?.state, 'answered');
  });

  it('stand together on one call when nothing about it differs', () => {
    const c = fold(
      toolCall({ toolCallId: 't', title: 'Edit' }),
      asked('r1', { toolCallId: 't' }),
      asked('r2', { toolCallId: 't' }),
      settled('r1'),
    );
    assert.deepEqual(
      only(c).permissions.map(one => one.state),
      ['cancelled', 'pending'],
    );
  });

  it('keep the subject as it was when they were asked', () => {
    const c = fold(
      asked('r', { toolCallId: 't', rawInput: { command: 'ls\n-l' } }),
      toolUpdate({ toolCallId: 't', rawInput: { command: 'rm -rf .' } }),
    );
    assert.equal(callOfPermission(c, 'r')?.permissions[0]?.subject, 'ls\n-l');
  });

  it('name the command, else the paths, else the input', () => {
    const subject = (call: Parameters<typeof asked>[1]) =>
      callOfPermission(fold(asked('r', call)), 'r')?.permissions[0]?.subject;
    assert.equal(
      subject({ toolCallId: 't', rawInput: { command: ['bash', '-c', "echo 'a b'"] } }),
      `bash -c 'echo '\\''a b'\\'''`,
    );
    assert.equal(
      subject({
        toolCallId: 't',
        content: [{ type: 'diff', path: '/w/a', newText: 'x' }],
        locations: [{ path: '/w/a' }, { path: '/w/b' }],
      }),
      '/w/a\n/w/b',
    );
    assert.equal(
      subject({ toolCallId: 't', rawInput: { command: 'rm', args: ['-rf', '/a b'] } }),
      "rm -rf '/a b'",
      'nothing that stands beside the command is hidden',
    );
    assert.equal(subject({ toolCallId: 't', rawInput: { command: 'rm', args: '-rf /' } }), 'rm -rf /');
    assert.equal(subject({ toolCallId: 't', rawInput: { query: 'x' } }), '{"query":"x"}');
    assert.equal(subject({ toolCallId: 't' }), undefined);
  });

  it('are withdrawn when the turn was interrupted', () => {
    const c = fold(prompt('go'), asked('r', { toolCallId: 't', title: 'T' }), { type: 'interrupted' });
    assert.equal(callOfPermission(c, 'r')?.permissions[0]?.state, 'cancelled');
    assert.equal(c.running, false);
    const note = c.entries.at(-1);
    assert.ok(note?.kind === 'note' && note.actions.includes('continue'));
  });
});
