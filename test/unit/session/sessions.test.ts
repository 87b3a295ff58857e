import assert from 'node:assert/strict';
import { Sessions } from '../../../src/session/sessions';
import { outline } from '../chat/events';
import { FakeAgent, FakeLedger, quickTiming, settle, until } from './fakeAgent';

describe('sessions', () => {
  let agent: FakeAgent;
  let ledger: FakeLedger;
  const windows: Sessions[] = [];

  /** A window on the same ledger. */
  const window = (): Sessions => {
    const sessions = new Sessions({ connect: agent.connect, ledger, log: () => {}, timing: quickTiming });
    windows.push(sessions);
    return sessions;
  };
  const start = async (sessions: Sessions, text = 'go') => {
    const session = sessions.create({ id: 'fake', name: 'Fake' }, '/w');
    session.prompt(text);
    await until(() => session.state.phase === 'running');
    return session;
  };

  beforeEach(() => {
    agent = new FakeAgent();
    ledger = new FakeLedger();
  });

  afterEach(() => windows.splice(0).forEach(one => one.dispose()));

  it('show one at a time; another ends the one before', async () => {
    const sessions = window();
    const shown: (string | undefined)[] = [];
    sessions.onDidChangeCurrent(session => shown.push(session?.id));
    const first = await start(sessions);
    const second = sessions.create({ id: 'fake', name: 'Fake' }, '/w');
    assert.equal(sessions.current, second);
    assert.deepEqual(shown, [first.id, second.id]);
    assert.equal(agent.last.disposed, true);
    assert.deepEqual(second.state.conversation.entries, []);
  });

  it('end all agents when all is closed', async () => {
    const sessions = window();
    await start(sessions);
    await sessions.closeAll();
    assert.equal(agent.last.disposed, true);
  });

  it('restore the last one as it was, with draft and scroll, and start nothing', async () => {
    const session = await start(window());
    agent.last.says('Hello');
    agent.last.answer();
    await until(() => session.state.phase === 'ready');
    session.remember({ draft: 'half', scroll: { at: 'bottom' } });
    const again = window();
    await again.restore();
    assert.equal(again.current?.id, session.id);
    assert.deepEqual(again.current.state.conversation.entries, session.state.conversation.entries);
    assert.equal(again.current.state.phase, 'idle');
    assert.equal(again.current.state.agent.name, 'Fake');
    assert.equal(again.current.memory.draft, 'half');
    assert.deepEqual(again.current.memory.scroll, { at: 'bottom' });
    await settle();
    assert.equal(agent.starts, 1);
  });

  it('restore a running turn as interrupted: questions withdrawn, queue unsent, nothing sent by itself', async () => {
    const session = await start(window(), 'one');
    agent.last.says('half');
    void agent.last.ask();
    session.prompt('two');
    const again = window();
    await again.restore();
    const restored = again.current;
    assert.ok(restored);
    const { conversation, queue } = restored.state;
    assert.deepEqual(outline(conversation), [
      'user: one',
      'agent: half',
      'tool t: T [ended]',
      'note: Interrupted: the window was closed or reloaded during this turn',
    ]);
    const call = conversation.entries.find(entry => entry.kind === 'tool');
    assert.equal(call?.permissions[0]?.state, 'cancelled');
    assert.deepEqual(restored.pendingPermissions(), []);
    assert.deepEqual(
      queue.map(item => [item.text, item.held]),
      [['two', true]],
    );
    await settle();
    assert.equal(agent.starts, 1);

    // Once more: it is interrupted once.
    const third = window();
    await third.restore();
    assert.deepEqual(outline(third.current!.state.conversation), outline(conversation));
  });

  it('go on with an interrupted turn when asked, in the session of the agent, in words that are shown', async () => {
    agent.facts = { resume: true };
    await start(window(), 'one');
    agent.last.says('half');
    const again = window();
    await again.restore();
    again.current?.continueInterrupted();
    await until(() => again.current?.state.phase === 'running');
    assert.match(agent.last.calls[0] ?? '', /^resumeSession new-/);
    assert.equal(agent.last.turns[0]?.text, 'Continue from where you were interrupted.');
    assert.equal(outline(again.current!.state.conversation).at(-1), 'user: Continue from where you were interrupted.');
  });

  it('restore nothing over a session that was begun meanwhile', async () => {
    await start(window());
    const again = window();
    const restoring = again.restore();
    const begun = again.create({ id: 'fake', name: 'Fake' }, '/w');
    await restoring;
    assert.equal(again.current, begun);
  });

  it('work without a ledger', async () => {
    const sessions = new Sessions({ connect: agent.connect, log: () => {} });
    windows.push(sessions);
    await sessions.restore();
    assert.equal(sessions.current, undefined);
    await start(sessions);
  });
});
