import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyPatch, PatchSource } from '../../../src/chat/patch';
import { projectEntry, projectHead } from '../../../src/chat/project';
import { emptyConversation, reduce } from '../../../src/chat/reduce';
import type { Conversation } from '../../../src/chat/state';
import type { Patch, PatchOp, ViewEntry, ViewHead, ViewState } from '../../../src/chat/view';
import { anyEvents, ended, fold, prompt, says, toolUpdate } from './events';

const view = (c: Conversation): ViewState => ({
  head: { conversationId: 'c', phase: c.running ? 'running' : 'ready', queue: [], ...projectHead(c) },
  entries: c.entries.map(entry => projectEntry(entry, { cwd: '/w' })),
});

const opsBetween = (old: Conversation, now: Conversation): readonly PatchOp[] => {
  const source = new PatchSource();
  source.snapshot(view(old));
  return source.next(view(now))?.ops ?? [];
};

describe('patches', () => {
  it('tell only the new text of a message that grows', () => {
    const before = fold(prompt('go'), says('Hello '));
    const after = reduce(before, says('world'));
    const id = after.entries[1]?.id;
    assert.deepEqual(opsBetween(before, after), [{ op: 'append', id, block: 0, text: 'world' }]);
  });

  it('tell only the new text of an output, also when its beginning is not sent', () => {
    const piece = (data: string) => toolUpdate({ toolCallId: 't', terminal: [{ terminalId: 'x', data }] });
    const before = fold(piece('x'.repeat(200_000)));
    const after = reduce(before, piece('more'));
    const id = after.entries[0]?.id;
    assert.deepEqual(opsBetween(before, after), [{ op: 'append', id, block: 0, text: 'more' }]);
  });

  it('are none when nothing that is shown has changed', () => {
    const before = fold(toolUpdate({ toolCallId: 't', rawInput: { a: 1 } }));
    const after = reduce(before, toolUpdate({ toolCallId: 't', rawInput: { a: 2 } }));
    assert.notEqual(before.entries[0], after.entries[0]);
    assert.deepEqual(opsBetween(before, after), []);
  });

  it('set the head by field and remove what is gone', () => {
    const source = new PatchSource();
    const head: ViewHead = { conversationId: 'c', phase: 'ready', queue: [], commands: [] };
    source.snapshot({ head: { ...head, title: 'T', queue: [{ id: 'q', text: 'x' }] }, entries: [] });
    const patch = source.next({ head: { ...head, phase: 'running' }, entries: [] });
    assert.deepEqual(patch, { seq: 1, ops: [{ op: 'head', head: { phase: 'running', queue: [], title: null } }] });
  });

  it('are numbered from the snapshot on', () => {
    const source = new PatchSource();
    let c = fold(prompt('go'));
    assert.equal(source.next(view(c)), undefined);
    assert.equal(source.snapshot(view(c)).seq, 0);
    c = reduce(c, says('a'));
    assert.equal(source.next(view(c))?.seq, 1);
    assert.equal(source.next(view(c)), undefined);
    c = reduce(c, ended());
    assert.equal(source.next(view(c))?.seq, 2);
    assert.equal(source.snapshot(view(c)).seq, 2);
  });

  it('that do not fit are refused', () => {
    const state = view(fold(prompt('go')));
    const apply = (op: PatchOp) => applyPatch(state, { seq: 1, ops: [op] });
    assert.throws(() => apply({ op: 'remove', id: 'none' }));
    assert.throws(() => apply({ op: 'append', id: state.entries[0]!.id, block: 7, text: 'x' }));
  });

  it('applied to the old view give the new one, and leave the rest as it was, for any events', () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: 1, max: 9 }), (events, every) => {
        const source = new PatchSource();
        let c = emptyConversation;
        let seen = JSON.parse(JSON.stringify(source.snapshot(view(c)).state)) as ViewState;
        for (const [index, event] of events.entries()) {
          c = reduce(c, event);
          if (index % every > 0) continue;
          const now = view(c);
          const patch = source.next(now);
          if (patch) seen = applyPatch(seen, JSON.parse(JSON.stringify(patch)) as Patch);
          assert.deepEqual(seen, now);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('hold for lists in which entries come, go and move', () => {
    const entries = fc
      .uniqueArray(fc.integer({ min: 0, max: 12 }))
      .map(ids => ids.map((id): ViewEntry => ({ id: `e${id}`, turn: 1, kind: 'agent', blocks: [], open: false })));
    const head: ViewHead = { conversationId: 'c', phase: 'ready', queue: [], commands: [] };
    fc.assert(
      fc.property(entries, entries, (old, now) => {
        const source = new PatchSource();
        source.snapshot({ head, entries: old });
        const patch = source.next({ head, entries: now });
        const seen = patch ? applyPatch({ head, entries: old }, patch) : { head, entries: old };
        assert.deepEqual(seen.entries, now);
      }),
    );
  });
});
