import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyConversation, reduce } from '../../../src/chat/reduce';
import type { ChatEvent, Conversation } from '../../../src/chat/state';
import { anyEvents, ended, fold, outline, prompt, says, thinks, toolCall, toolUpdate, update } from './events';

const wrote = (path: string, after: string, before?: string): ChatEvent => ({
  type: 'fileWritten',
  write: { path, after, ...(before === undefined ? {} : { before }) },
});
const plan = (...entries: [string, string][]): ChatEvent =>
  update({
    type: 'plan',
    planId: '',
    entries: entries.map(([content, status]) => ({ content, status, priority: 'high' })),
  });

describe('a plan', () => {
  it('is replaced in place within the turn and removed by an empty list', () => {
    const first = fold(prompt('go'), plan(['A', 'pending'], ['B', 'pending']), says('x'), plan(['A', 'completed']));
    assert.deepEqual(outline(first), ['user: go', 'plan A/completed', 'agent: x']);
    assert.deepEqual(outline(reduce(first, plan())), ['user: go', 'agent: x']);
  });

  it('moves to the turn that tells it anew', () => {
    const c = fold(prompt('go'), plan(['A', 'pending']), ended(), prompt('on'), plan(['A', 'odd']));
    assert.deepEqual(outline(c), ['user: go', 'user: on', 'plan A/odd']);
  });
});

describe('the end of a turn', () => {
  for (const reason of ['refusal', 'max_tokens', 'max_turn_requests', 'weird']) {
    it(`explains ${reason}`, () => {
      const c = fold(prompt('go'), says('x'), ended(reason));
      assert.equal(c.running, false);
      assert.equal(c.entries.at(-1)?.kind, 'note');
    });
  }

  it('says nothing after end_turn and cancelled', () => {
    assert.deepEqual(outline(fold(prompt('go'), says('x'), ended())), ['user: go', 'agent: x']);
    assert.deepEqual(outline(fold(prompt('go'), ended('cancelled'))), ['user: go']);
  });

  it('says that there was no output, until there is some', () => {
    const c = fold(prompt('go'), update({ type: 'usage', usage: { used: 1, size: 2 } }), ended());
    assert.deepEqual(outline(c), ['user: go', 'note: No output from the agent']);
    const note = c.entries.at(-1);
    assert.deepEqual(note?.kind === 'note' && note.actions, ['showLog']);
    assert.deepEqual(outline(reduce(c, says('late'))), ['user: go', 'agent: late']);
    assert.deepEqual(outline(fold(prompt('go'), thinks('hm'), ended())), ['user: go', 'thought: hm']);
  });
});

describe('a written file', () => {
  it('belongs to the latest call of the turn that names it', () => {
    const c = fold(
      prompt('go'),
      toolCall({ toolCallId: 'a', title: 'A', locations: [{ path: '/w/x' }] }),
      toolCall({ toolCallId: 'b', title: 'B', content: [{ type: 'diff', path: '/w/x', newText: 'n' }] }),
      toolCall({ toolCallId: 'c', title: 'C' }),
      wrote('/w/x', 'n', 'o'),
    );
    const writes = c.entries.map(entry => (entry.kind === 'tool' ? entry.writes.length : 0));
    assert.deepEqual(writes, [0, 0, 1, 0]);
  });

  it('stands for itself when no call of this turn names it', () => {
    const c = fold(
      prompt('go'),
      toolCall({ toolCallId: 'a', locations: [{ path: '/w/x' }] }),
      ended(),
      prompt('on'),
      wrote('/w/x', 'n'),
    );
    assert.equal(outline(c).at(-1), 'write /w/x');
  });

  it('moves to the call that tells the same change later', () => {
    const diff = (newText: string) =>
      toolUpdate({ toolCallId: 'a', title: 'A', content: [{ type: 'diff', path: '/w/x', newText }] });
    const c = fold(prompt('go'), wrote('/w/x', 'n', 'o'), says('t'), diff('n'));
    assert.deepEqual(outline(c), ['user: go', 'agent: t', 'tool a: A [pending]']);
    const call = c.entries.at(-1);
    assert.deepEqual(call?.kind === 'tool' && call.writes, [{ path: '/w/x', before: 'o', after: 'n' }]);
    const other = fold(prompt('go'), wrote('/w/x', 'n', 'o'), diff('else'));
    assert.deepEqual(outline(other), ['user: go', 'write /w/x', 'tool a: A [pending]']);
  });
});

describe('state of the session', () => {
  it('is replaced, and the title is patched', () => {
    const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
    const c = fold(
      { type: 'sessionOpened', modes },
      update({ type: 'mode', modeId: 'code' }),
      update({ type: 'commands', commands: [{ name: 'a', description: '' }] }),
      update({ type: 'commands', commands: [{ name: 'b', description: '' }] }),
      update({ type: 'usage', usage: { used: 9, size: 10 } }),
      update({ type: 'usage', usage: { used: 1, size: 0 } }),
      update({ type: 'sessionInfo', title: 'T' }),
      update({ type: 'sessionInfo' }),
    );
    assert.equal(c.modes?.currentModeId, 'code');
    assert.deepEqual(c.commands, [{ name: 'b', description: '' }]);
    assert.deepEqual(c.usage, { used: 1, size: 0 });
    assert.equal(c.title, 'T');
    assert.deepEqual(c.entries, []);
    assert.equal('title' in reduce(c, update({ type: 'sessionInfo', title: null })), false);
    assert.equal('modes' in reduce(c, { type: 'sessionOpened' }), false);
  });

  it('a compaction keeps its place and is updated there', () => {
    const compaction = (status: string, rest: object = {}) =>
      update({ type: 'compaction', compactionId: 'c', status, ...rest });
    const c = fold(
      prompt('go'),
      says('a'),
      compaction('in_progress'),
      says('b'),
      compaction('', { summary: 'Su', append: true }),
      compaction('', { summary: 'm', append: true }),
      compaction('completed'),
    );
    assert.deepEqual(outline(c), ['user: go', 'agent: a', 'note: The conversation was compacted', 'agent: b']);
    const note = c.entries[2];
    assert.equal(note?.kind === 'note' && note.details, 'Sum');
  });

  it('shows what it does not understand', () => {
    assert.deepEqual(outline(fold(update({ type: 'unknown', label: 'dance', raw: 1 }))), ['unknown dance']);
  });
});

describe('any sequence of events', () => {
  const folded = (events: readonly ChatEvent[]): Conversation[] => {
    let c = emptyConversation;
    return events.map(event => (c = reduce(c, event)));
  };

  it('gives entries with unique ids, in the order of their turns, and none of them unfinished after the end', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        for (const [index, c] of folded(events).entries()) {
          const ids = c.entries.map(entry => entry.id);
          assert.equal(new Set(ids).size, ids.length);
          const turns = c.entries.map(entry => entry.turn);
          assert.deepEqual(
            turns,
            turns.toSorted((a, b) => a - b),
          );
          assert.ok(c.entries.filter(entry => 'open' in entry && entry.open).length <= 1);
          if (events[index]?.type !== 'turnEnded') continue;
          const unfinished = c.entries.filter(
            entry => entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'in_progress'),
          );
          assert.deepEqual(unfinished, []);
        }
      }),
    );
  });

  it('never changes a state that was given out, and keeps the identity of what it does not touch', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        for (const c of folded(events)) {
          Object.freeze(c);
          Object.freeze(c.entries);
          c.entries.forEach(entry => Object.freeze(entry));
        }
        let c = emptyConversation;
        for (const event of events) {
          const text = JSON.stringify(c);
          const next = reduce(c, event);
          assert.equal(JSON.stringify(c), text);
          for (const entry of next.entries) {
            const old = c.entries.find(one => one.id === entry.id);
            if (old && JSON.stringify(old) === JSON.stringify(entry) && event.type !== 'update')
              assert.equal(entry, old);
          }
          c = next;
        }
      }),
    );
  });

  it('gives the same from a state whether it came from here or from elsewhere, also when others went on from it', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(), (events, pick) => {
        const states = [emptyConversation, ...folded(events)];
        for (const [index, event] of events.entries()) {
          const state = states[(index * 7 + pick) % states.length] ?? emptyConversation;
          const elsewhere = JSON.parse(JSON.stringify(state)) as Conversation;
          assert.deepEqual(reduce(state, event), reduce(elsewhere, event));
        }
      }),
    );
  });

  it('gives the same conversation after a round through JSON', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        const kept = events.map(event => JSON.parse(JSON.stringify(event)) as ChatEvent);
        assert.deepEqual(fold(...kept), fold(...events));
      }),
    );
  });

  it('loses no word of the agent', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        const said = events
          .flatMap(event =>
            event.type === 'update' && event.update.type === 'agentChunk' ? [event.update.content] : [],
          )
          .reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 1), 0);
        const shown = fold(...events)
          .entries.flatMap(entry => (entry.kind === 'agent' ? entry.content : []))
          .reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 1), 0);
        assert.equal(shown, said);
      }),
    );
  });
});
