import assert from 'node:assert/strict';
import { projectEntry } from '../../../src/chat/project';
import type { ChatEvent, Conversation, ErrorEntry } from '../../../src/chat/state';
import { fold, outline, prompt, says } from './events';

const wanted = (name: string): ChatEvent => ({
  type: 'error',
  code: 'authRequired',
  message: 'Sign in.',
  actions: ['retry', 'showLog'],
  methods: [{ id: 'x', name, understood: true }],
});
const choices = (c: Conversation): unknown[] =>
  c.entries.flatMap(entry => (entry.kind === 'error' ? [entry.methods?.map(({ name }) => name)] : []));

describe('the choice of a way to sign in', () => {
  it('takes the place of the one before it, where nothing came between', () => {
    const c = fold(wanted('A'), wanted('B'));
    assert.deepEqual(outline(c), ['error authRequired']);
    assert.deepEqual(choices(c), [['B']]);
  });

  it('is over when a session is opened, or the prompt is sent again', () => {
    for (const event of [{ type: 'sessionOpened' } as const, { ...prompt('go'), again: true } as ChatEvent]) {
      const c = fold(wanted('A'), event);
      assert.deepEqual(outline(c), ['error authRequired']);
      assert.deepEqual(choices(c), [undefined]);
      assert.deepEqual((c.entries[0] as ErrorEntry).actions, []);
    }
  });

  it('stays while the agent says something else', () => {
    assert.deepEqual(choices(fold(wanted('A'), says('x'))), [['A']]);
  });

  it('is shown with names in which nothing hides', () => {
    const [entry] = fold(wanted('Log\u202ein\n')).entries;
    const view = projectEntry(entry!, { cwd: '/w' });
    assert.ok(view.kind === 'error' && view.methods);
    assert.doesNotMatch(view.methods[0]!.name, /[\u202e\n]/);
  });
});
