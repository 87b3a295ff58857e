import assert from 'node:assert/strict';
import { reduce } from '../../../src/chat/reduce';
import type { ChatEvent } from '../../../src/chat/state';
import {
  ended,
  fold,
  outline,
  prompt,
  says,
  textBlock,
  thinks,
  toolCall,
  toolUpdate,
  update,
  userSays,
} from './events';

describe('messages', () => {
  it('joins chunks with one id although other items lie between, and splits at a new id', () => {
    const c = fold(
      prompt('go'),
      says('The **bo', 'm1'),
      toolCall({ toolCallId: 't', title: 'T' }),
      says('ld** word', 'm1'),
      says('next', 'm2'),
    );
    assert.deepEqual(outline(c), ['user: go', 'agent: The **bold** word', 'tool t: T [pending]', 'agent: next']);
  });

  it('keeps thoughts and answers with the same id apart', () => {
    const c = fold(prompt('go'), thinks('hm', 'm1'), says('yes', 'm1'), thinks('m', 'm1'));
    assert.deepEqual(outline(c), ['user: go', 'thought: hmm', 'agent: yes']);
  });

  it('without ids starts anew when the kind changes or a tool call comes', () => {
    const c = fold(
      prompt('go'),
      says('before '),
      toolCall({ toolCallId: 't', title: 'T', status: 'in_progress' }),
      toolUpdate({ toolCallId: 't', status: 'completed' }),
      says('aft'),
      toolUpdate({ toolCallId: 't', title: 'T2' }),
      says('er'),
      thinks('hm'),
      says('end'),
    );
    assert.deepEqual(outline(c), [
      'user: go',
      'agent: before ',
      'tool t: T2 [completed]',
      'agent: after',
      'thought: hm',
      'agent: end',
    ]);
  });

  const stateOnly: ChatEvent[] = [
    update({ type: 'usage', usage: { used: 10, size: 100 } }),
    update({ type: 'commands', commands: [] }),
    update({ type: 'sessionInfo', title: 'T' }),
    update({ type: 'configOptions', options: [] }),
    update({ type: 'mode', modeId: 'x' }),
    update({ type: 'notice', severity: 'info', title: 'N' }),
    { type: 'note', severity: 'info', text: 'N' },
  ];
  for (const event of stateOnly) {
    it(`is not split by ${event.type === 'update' ? event.update.type : event.type}`, () => {
      const lines = outline(fold(prompt('go'), says('The '), event, says('end')));
      assert.equal(lines[1], 'agent: The end');
    });
  }

  it('opens no bubble for empty text', () => {
    assert.deepEqual(outline(fold(prompt('go'), says(''), thinks('', 'm1'))), ['user: go']);
  });

  it('adds text that comes after the end to the same message, until a new prompt', () => {
    const c = fold(prompt('go'), says('Hello wor'), ended(), says('ld!'));
    assert.deepEqual(outline(c), ['user: go', 'agent: Hello world!']);
    const next = [prompt('more'), says('new')].reduce(reduce, c);
    assert.deepEqual(outline(next), ['user: go', 'agent: Hello world!', 'user: more', 'agent: new']);
    const noted = fold(prompt('go'), says('Hello wor'), ended('max_tokens'), says('ld!'));
    assert.equal(outline(noted)[1], 'agent: Hello world!');
  });

  it('is open while it is written and closed by what follows or by the end', () => {
    const open = (...events: ChatEvent[]) =>
      fold(prompt('go'), ...events).entries.map(entry => 'open' in entry && entry.open);
    assert.deepEqual(open(says('a')), [false, true]);
    assert.deepEqual(open(says('a'), thinks('b')), [false, false, true]);
    assert.deepEqual(open(says('a'), ended()), [false, false]);
    assert.deepEqual(open(says('a'), { type: 'turnFailed' }), [false, false]);
  });

  it('does not show the echo of a prompt, whole or in pieces', () => {
    assert.deepEqual(outline(fold(prompt('fix the bug'), userSays('fix the bug'), says('ok'))), [
      'user: fix the bug',
      'agent: ok',
    ]);
    const pieces = fold(prompt('fix the bug'), userSays('fix ', 'u'), userSays('the bug', 'u'), says('ok'));
    assert.deepEqual(outline(pieces), ['user: fix the bug', 'agent: ok']);
    assert.deepEqual(outline(fold(prompt('fix\n'), userSays('fix'))), ['user: fix\n']);
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const withImage = fold(
      { type: 'prompt', content: [textBlock('see'), image] },
      userSays('see'),
      update({ type: 'userChunk', content: image }),
    );
    assert.deepEqual(outline(withImage), ['user: see|<image>']);
  });

  it('shows words of the user that are no echo, none of them lost', () => {
    const c = fold(prompt('fix the bug'), userSays('fix '), userSays('it now'), userSays('!'), says('ok'));
    assert.deepEqual(outline(c), ['user: fix the bug', 'user: fix it now!', 'agent: ok']);
    const after = fold(prompt('a'), userSays('a'), userSays('also b', 'u2'));
    assert.deepEqual(outline(after), ['user: a', 'user: also b']);
  });

  it('shows the user messages of a replay, each with a turn of its own', () => {
    const c = fold(userSays('one'), userSays(' two'), says('yes'), userSays('three'), says('no'));
    assert.deepEqual(outline(c), ['user: one two', 'agent: yes', 'user: three', 'agent: no']);
    assert.deepEqual(
      c.entries.map(entry => entry.turn),
      [1, 1, 2, 2],
    );
  });

  it('keeps blocks that are no text in their place', () => {
    const picture = update({ type: 'agentChunk', content: { type: 'image', data: '', mimeType: 'image/png' } });
    const c = fold(prompt('go'), says('a'), picture, says('b'), says('c'));
    assert.deepEqual(outline(c), ['user: go', 'agent: a|<image>|bc']);
  });

  it('folds a long stream into one text', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => `piece ${index}\n`);
    const c = fold(prompt('go'), ...pieces.map(piece => says(piece)));
    assert.deepEqual(outline(c), ['user: go', `agent: ${pieces.join('')}`]);
  });
});
