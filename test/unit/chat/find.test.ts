import assert from 'node:assert/strict';
import { findInConversation } from '../../../src/chat/find';
import { conversationToMarkdown } from '../../../src/chat/markdown';
import { projectEntry } from '../../../src/chat/project';
import { ended, fold, prompt, says, thinks, toolCall, update } from './events';

const conversation = fold(
  update({ type: 'sessionInfo', title: 'Needles' }),
  prompt('Find the needle'),
  thinks('needle? a.b'),
  toolCall({
    toolCallId: 't',
    title: 'Search needle',
    status: 'completed',
    content: [
      { type: 'content', block: { type: 'text', text: 'NEEDLE, needle' } },
      { type: 'diff', path: '/w/a.txt', oldText: 'x\n', newText: '```\n' },
    ],
  }),
  update({ type: 'plan', planId: '', entries: [{ content: 'look', priority: 'high', status: 'completed' }] }),
  says('Nothing here'),
  ended('refusal'),
);
const entries = conversation.entries.map(entry => projectEntry(entry, { cwd: '/w' }));
const find = (query: string) => findInConversation(entries, query).map(match => match.count);

describe('find', () => {
  it('counts hits in every kind of entry, whatever the case', () => {
    assert.deepEqual(find('needle'), [1, 1, 3]);
    assert.deepEqual(findInConversation(entries, 'NOTHING'), [{ entryId: conversation.entries[4]!.id, count: 1 }]);
    assert.deepEqual(find('a.txt'), [1]);
  });

  it('takes the words literally, and none for none', () => {
    assert.deepEqual(find('a.b'), [1]);
    assert.deepEqual(find('a?b'), []);
    assert.deepEqual(find(''), []);
  });
});

describe('a copied conversation', () => {
  it('has everything in order', () => {
    const text = conversationToMarkdown(conversation);
    const at = [
      '# Needles',
      '## User',
      '> needle? a.b',
      '**Tool:** Search needle (completed)',
      '- [x] look',
      '## Agent',
      '> The agent refused',
    ].map(part => text.indexOf(part));
    assert.ok(at.every(place => place >= 0));
    assert.deepEqual(
      at,
      at.toSorted((a, b) => a - b),
    );
    assert.match(text, /````diff\n-x\n\+```\n````/);
  });
});
