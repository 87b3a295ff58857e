import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/chat/state';
import { fold, outline, textBlock, update } from './events';

const prompt: ChatEvent = { type: 'prompt', content: [textBlock('go')] };
const ended: ChatEvent = { type: 'turnEnded', stopReason: 'end_turn' };
const said = (text: string): ChatEvent => update({ type: 'agentChunk', content: textBlock(text) });
const changes = (turn: number, ...paths: string[]): ChatEvent => ({
  type: 'changes',
  turn,
  files: paths.map(path => ({ path, kind: 'modified' })),
  skipped: 0,
});

describe('what a turn changed', () => {
  it('stands at its end, also when the next one has begun', () => {
    const c = fold(prompt, said('one'), ended, prompt, said('two'), changes(1, '/a'));
    assert.deepEqual(outline(c), ['user: go', 'agent: one', 'changes 1: /a', 'user: go', 'agent: two']);
    assert.equal(new Set(c.entries.map(entry => entry.id)).size, c.entries.length);
  });

  it('is told anew in the same place, and goes when nothing is left', () => {
    const first = fold(prompt, said('one'), ended, changes(1, '/a'));
    const second = fold(prompt, said('one'), ended, changes(1, '/a'), changes(1, '/a', '/b'));
    assert.deepEqual(outline(second), ['user: go', 'agent: one', 'changes 1: /a, /b']);
    assert.equal(second.entries.at(-1)?.id, first.entries.at(-1)?.id);
    assert.deepEqual(
      outline(fold(prompt, ended, changes(1, '/a'), changes(1))).slice(1),
      outline(fold(prompt, ended)).slice(1),
    );
  });

  it('does not part a message that goes on after it', () => {
    const c = fold(prompt, said('one '), ended, changes(1, '/a'), said('more'));
    assert.deepEqual(outline(c), ['user: go', 'agent: one more', 'changes 1: /a']);
  });
});
