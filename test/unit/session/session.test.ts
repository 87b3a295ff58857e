import assert from 'node:assert/strict';
import { RequestFailed } from '../../../src/acp/errors';
import { Deferred } from '../../../src/base/async';
import { ExpectedError } from '../../../src/base/errors';
import type { ErrorEntry, NoteEntry } from '../../../src/chat/state';
import { Session } from '../../../src/session/session';
import type { SessionTiming } from '../../../src/session/sessionContext';
import { outline } from '../chat/events';
import { FakeAgent, FakeLedger, quickTiming, settle, until } from './fakeAgent';

describe('a session', () => {
  let agent: FakeAgent;
  let session: Session;
  let lines: string[];

  const make = (timing: SessionTiming = quickTiming): Session =>
    new Session({
      id: 's',
      agent: { id: 'fake', name: 'Fake' },
      cwd: '/w',
      connect: agent.connect,
      log: line => lines.push(line),
      timing,
    });
  const shown = () => outline(session.state.conversation);
  const queued = () => session.state.queue.map(item => (item.held ? `${item.text} (held)` : item.text));
  const lastError = (): ErrorEntry => {
    const entry = session.state.conversation.entries.findLast(one => one.kind === 'error');
    assert.ok(entry);
    return entry;
  };
  const lastNote = (): NoteEntry => {
    const entry = session.state.conversation.entries.findLast(one => one.kind === 'note');
    assert.ok(entry);
    return entry;
  };
  /** Sends a prompt and waits until the agent has it. */
  const running = async (text = 'go') => {
    const sent = agent.connections.reduce((sum, one) => sum + one.turns.length, 0);
    session.prompt(text);
    await until(() => agent.connections.reduce((sum, one) => sum + one.turns.length, 0) > sent);
    return agent.last;
  };

  beforeEach(() => {
    agent = new FakeAgent();
    lines = [];
    session = make();
  });

  afterEach(() => {
    session.dispose();
    assert.deepEqual(
      lines.filter(line => line.includes('    at ')),
      [],
      'no bug was logged',
    );
  });

  describe('starting the agent', () => {
    it('happens with the first prompt, which waits in the queue meanwhile', async () => {
      const gate = new Deferred<void>();
      agent.gate = gate.promise;
      assert.equal(session.state.phase, 'idle');
      session.prompt('hello');
      assert.equal(session.state.phase, 'connecting');
      assert.equal(session.state.activity?.text, 'Waking up…');
      assert.deepEqual(queued(), ['hello']);
      gate.resolve();
      await until(() => session.state.phase === 'running');
      assert.deepEqual(queued(), []);
      assert.deepEqual(shown(), ['user: hello']);
      assert.equal(session.state.activity, undefined);
      assert.equal(session.state.agent.version, '1.2.3');
    });

    it('that fails leaves the prompt unsent, says why, and tries again when asked', async () => {
      agent.gate = Promise.reject(
        new ExpectedError('spawnFailed', 'Not found', {
          details: 'Command: nope',
          actions: ['retry', 'showLog', 'openSettings'],
        }),
      );
      session.prompt('hello');
      await until(() => session.state.phase === 'disconnected');
      assert.deepEqual(queued(), ['hello (held)']);
      assert.deepEqual(shown(), ['error spawnFailed']);
      assert.equal(lastError().details, 'Command: nope');
      assert.deepEqual(lastError().actions, ['retry', 'showLog', 'openSettings']);
      agent.gate = undefined;
      session.retry();
      await until(() => session.state.phase === 'running');
      assert.deepEqual(agent.last.calls, ['newSession', 'prompt hello']);
    });

    it('does not go on by itself after a failure', async () => {
      agent.gate = Promise.reject(new Error('boom'));
      session.prompt('hello');
      await until(() => session.state.phase === 'disconnected');
      await settle();
      assert.equal(agent.starts, 1);
      assert.equal(lastError().message, 'boom');
      lines = [];
    });

    it('can be stopped; what comes of it later is let go', async () => {
      const gate = new Deferred<void>();
      agent.gate = gate.promise;
      session.prompt('hello');
      session.stop();
      assert.equal(session.state.phase, 'idle');
      gate.resolve();
      await settle();
      assert.equal(session.state.phase, 'idle');
      assert.deepEqual(shown(), []);
      assert.deepEqual(queued(), ['hello (held)']);
    });

    it('that opens no session says so with the answer of the agent', async () => {
      agent.refuses = { newSession: new RequestFailed(-32603, 'no disk', { details: 'full' }) };
      session.prompt('hello');
      await until(() => session.state.phase === 'disconnected');
      assert.match(lastError().message, /no disk/);
      assert.equal(lastError().details, 'full');
      assert.equal(agent.last.disposed, true);
    });

    it('that needs a sign-in names the ways and keeps what was typed', async () => {
      agent.refuses = { newSession: new RequestFailed(-32000, 'Authentication required') };
      agent.facts = { authMethods: [{ id: 'x', name: 'Log in with X', way: { kind: 'agent' } }] };
      session.prompt('hello');
      await until(() => session.state.phase === 'needsAuth');
      assert.equal(lastError().code, 'authRequired');
      assert.deepEqual(lastError().methods, [{ id: 'x', name: 'Log in with X', understood: true }]);
      assert.deepEqual(lastError().actions.includes('retry'), true);
      assert.deepEqual(queued(), ['hello (held)']);
      delete agent.last.refuses.newSession;
      session.retry();
      await until(() => session.state.phase === 'running');
      assert.equal(agent.starts, 1);
      assert.deepEqual(shown(), ['error authRequired', 'user: hello']);
    });
  });

  describe('a turn', () => {
    it('shows what the agent tells, also after its end', async () => {
      const line = await running();
      line.says('Hello wor');
      line.answer();
      await until(() => session.state.phase === 'ready');
      line.says('ld!');
      line.tell({
        type: 'toolCall',
        isNew: true,
        call: { toolCallId: 'bg', title: 'Background', status: 'in_progress' },
      });
      assert.deepEqual(shown(), ['user: go', 'agent: Hello world!', 'tool bg: Background [in_progress]']);
    });

    it('lets prompts wait, which can be edited and removed, and sends them in order, one at a time', async () => {
      const line = await running('one');
      session.prompt('two');
      session.prompt('three');
      session.prompt('four');
      session.prompt('   ');
      assert.deepEqual(queued(), ['two', 'three', 'four']);
      const [two, three] = session.state.queue;
      session.editQueued(two!.id, 'two!');
      session.removeQueued(three!.id);
      await settle();
      assert.equal(line.turns.length, 1);
      line.says('1');
      line.answer();
      await until(() => line.turns.length === 2);
      assert.deepEqual(queued(), ['four']);
      await settle();
      assert.equal(line.turns.length, 2);
      line.answer();
      await until(() => line.turns.length === 3);
      line.answer();
      await until(() => session.state.phase === 'ready');
      assert.deepEqual(
        line.turns.map(turn => turn.text),
        ['one', 'two!', 'four'],
      );
    });

    it('that fails shows the error, stays usable, holds the queue, and is sent again only when asked', async () => {
      const line = await running('one');
      session.prompt('two');
      line.fail(new RequestFailed(-32603, 'Internal error', { details: 'quota' }));
      await until(() => session.state.phase === 'ready');
      assert.deepEqual(shown(), ['user: one', 'error requestFailed']);
      assert.equal(lastError().message, 'Internal error');
      assert.equal(lastError().details, 'quota');
      assert.deepEqual(queued(), ['two (held)']);
      await settle();
      assert.equal(line.turns.length, 1);
      session.retry();
      await until(() => line.turns.length === 2);
      assert.equal(line.turns[1]?.text, 'one');
      line.says('done');
      line.answer();
      await until(() => line.turns.length === 3);
      assert.deepEqual(shown(), ['user: one', 'error requestFailed', 'agent: done', 'user: two']);
    });

    it('goes on with the queue after a failure when something new is sent', async () => {
      const line = await running('one');
      session.prompt('two');
      line.fail(new RequestFailed(-32603, 'Internal error'));
      await until(() => session.state.phase === 'ready');
      session.prompt('three');
      await until(() => line.turns.length === 2);
      assert.equal(line.turns[1]?.text, 'two');
      assert.deepEqual(queued(), ['three']);
    });

    it('that needs a sign-in is sent again after it, its message not shown twice', async () => {
      const line = await running('one');
      line.fail(new RequestFailed(-32000, 'Authentication required'));
      await until(() => session.state.phase === 'needsAuth');
      assert.equal(line.disposed, true);
      session.retry();
      await until(() => session.state.phase === 'running');
      assert.equal(agent.last.turns[0]?.text, 'one');
      assert.deepEqual(shown(), ['user: one', 'error authRequired']);
    });

    it('in which the agent falls silent says so, until it speaks', async () => {
      session.dispose();
      session = make({ ...quickTiming, silence: 10 });
      const line = await running();
      await until(() => session.state.activity);
      assert.match(session.state.activity?.text ?? '', /No news from Fake/);
      line.says('x');
      assert.equal(session.state.activity, undefined);
    });

    it('is not called silent while a question waits for the user', async () => {
      session.dispose();
      session = make({ ...quickTiming, silence: 5 });
      const line = await running();
      void line.ask();
      let activities = 0;
      session.onDidChange(() => (activities += session.state.activity ? 1 : 0));
      await new Promise(resolve => setTimeout(resolve, 30));
      assert.equal(activities, 0);
    });
  });

  describe('stopping', () => {
    it('sends one cancel, and the turn is over only with the answer', async () => {
      const line = await running();
      line.tell({ type: 'toolCall', isNew: true, call: { toolCallId: 't', title: 'T', status: 'in_progress' } });
      session.stop();
      session.stop();
      assert.equal(session.state.phase, 'cancelling');
      assert.equal(session.state.activity?.text, 'Stopping…');
      assert.deepEqual(shown(), ['user: go', 'tool t: T [cancelled]']);
      line.says('last words');
      line.answer('cancelled');
      await until(() => session.state.phase === 'ready');
      session.stop();
      assert.deepEqual(
        line.calls.filter(call => call === 'cancel'),
        ['cancel'],
      );
      assert.deepEqual(shown(), ['user: go', 'tool t: T [cancelled]', 'agent: last words']);
      assert.equal(session.state.activity, undefined);
    });

    for (const end of ['end_turn', new RequestFailed(-32603, 'aborted'), new RequestFailed(-32800, 'cancelled')]) {
      it(`takes ${typeof end === 'string' ? end : `error ${end.code}`} for its end`, async () => {
        const line = await running();
        line.says('x');
        session.stop();
        if (typeof end === 'string') line.answer(end);
        else line.fail(end);
        await until(() => session.state.phase === 'ready');
        assert.deepEqual(shown(), ['user: go', 'agent: x']);
      });
    }

    it('sends a waiting prompt only after the answer', async () => {
      const line = await running('one');
      session.prompt('two');
      session.stop();
      await settle();
      assert.equal(line.turns.length, 1);
      line.answer('cancelled');
      await until(() => line.turns.length === 2);
      assert.deepEqual(line.calls, ['newSession', 'prompt one', 'cancel', 'prompt two']);
    });

    it('twice ends an agent that does not answer; transcript and queue stay', async () => {
      const line = await running('one');
      line.says('begun');
      session.prompt('two');
      session.stop();
      await until(() => session.state.activity?.cancellable);
      assert.match(session.state.activity?.text ?? '', /does not answer/);
      assert.equal(line.disposed, false);
      session.stop();
      assert.equal(session.state.phase, 'disconnected');
      assert.equal(line.disposed, true);
      assert.deepEqual(shown(), ['user: one', 'agent: begun', 'note: Fake was ended: it did not answer Stop']);
      assert.deepEqual(queued(), ['two (held)']);
      await settle();
      assert.equal(agent.starts, 1);
    });

    it('does nothing where no turn runs', async () => {
      const line = await running();
      line.answer();
      await until(() => session.state.phase === 'ready');
      session.stop();
      assert.equal(line.calls.includes('cancel'), false);
    });
  });

  describe('questions', () => {
    it('are told, stand in the transcript, and are answered only with an option that was offered', async () => {
      const line = await running();
      const asked: string[] = [];
      const settled: string[] = [];
      session.onDidAskPermission(question => asked.push(question.requestId));
      session.onDidSettlePermission(requestId => settled.push(requestId));
      const outcome = line.ask();
      const [question] = session.pendingPermissions();
      assert.ok(question);
      assert.deepEqual(asked, [question.requestId]);
      assert.equal(question.call.title, 'T');
      assert.equal(question.entryId, question.call.id);
      assert.equal(session.answerPermission(question.requestId, 'maybe'), false);
      assert.equal(session.answerPermission('other', 'yes'), false);
      assert.equal(session.answerPermission(question.requestId, 'no'), true);
      assert.equal(session.answerPermission(question.requestId, 'yes'), false);
      assert.deepEqual(await outcome, { outcome: 'selected', optionId: 'no' });
      assert.deepEqual(settled, asked);
      assert.deepEqual(session.pendingPermissions(), []);
    });

    it('are answered in any order', async () => {
      const line = await running();
      const outcomes = [
        line.ask({ call: { toolCallId: 'same', title: 'rm a' } }),
        line.ask({ call: { toolCallId: 'same', title: 'rm b' } }),
      ];
      const [a, b] = session.pendingPermissions();
      assert.deepEqual([a?.call.title, b?.call.title], ['rm a', 'rm b']);
      session.answerPermission(b!.requestId, 'yes');
      assert.deepEqual(
        session.pendingPermissions().map(one => one.requestId),
        [a!.requestId],
      );
      session.answerPermission(a!.requestId, 'no');
      assert.deepEqual(await Promise.all(outcomes), [
        { outcome: 'selected', optionId: 'no' },
        { outcome: 'selected', optionId: 'yes' },
      ]);
    });

    const cancelled = { outcome: 'cancelled' };

    it('are cancelled by Stop, and those that come before the end are not even asked', async () => {
      const line = await running();
      const open = line.ask();
      session.stop();
      assert.deepEqual(await open, cancelled);
      let asked = 0;
      session.onDidAskPermission(() => asked++);
      assert.deepEqual(await line.ask(), cancelled);
      assert.equal(asked, 0);
    });

    it('are cancelled when the agent dies, when the session closes, and when it withdraws them', async () => {
      const line = await running();
      const withdrawal = new AbortController();
      const withdrawn = line.ask({}, withdrawal.signal);
      withdrawal.abort();
      assert.deepEqual(await withdrawn, cancelled);
      assert.deepEqual(await line.ask({}, AbortSignal.abort()), cancelled);
      const atDeath = line.ask();
      line.die({ reason: 'exited', message: 'Fake ended.', exit: { code: 1, signal: null } });
      assert.deepEqual(await atDeath, cancelled);
      const next = await running('again');
      const settled: string[] = [];
      session.onDidSettlePermission(requestId => settled.push(requestId));
      const atClose = next.ask();
      await session.close();
      assert.deepEqual(await atClose, cancelled);
      assert.equal(settled.length, 1);
      assert.deepEqual(await next.ask(), cancelled);
    });

    it('may come by the thousand, though everybody looks at all of them each time', async () => {
      const line = await running();
      session.onDidChange(() => session.pendingPermissions());
      const outcomes = Array.from({ length: 1000 }, (_, at) =>
        line.ask({ call: { toolCallId: `t${at}`, title: `T${at}` } }),
      );
      assert.equal(session.pendingPermissions().length, 1000);
      assert.equal(session.pendingPermissions()[999]?.call.title, 'T999');
      session.stop();
      assert.ok((await Promise.all(outcomes)).every(({ outcome }) => outcome === 'cancelled'));
      assert.equal(session.pendingPermissions().length, 0);
    });

    it('wait as long as it takes', async () => {
      const line = await running();
      const outcome = line.ask({ options: [] });
      line.answer();
      await until(() => session.state.phase === 'ready');
      assert.equal(session.pendingPermissions().length, 1);
      session.dispose();
      assert.deepEqual(await outcome, cancelled);
    });
  });

  describe('an agent that dies', () => {
    const death = {
      reason: 'exited' as const,
      message: 'Fake ended with exit code 9.',
      exit: { code: 9, signal: null },
      stderr: 'a\nneed node 20',
    };

    it('in a turn ends it with exit code and error output; nothing is sent by itself', async () => {
      const line = await running('one');
      line.says('half');
      session.prompt('two');
      line.die(death);
      await until(() => session.state.phase === 'disconnected');
      assert.deepEqual(shown(), ['user: one', 'agent: half', 'error agentEnded']);
      assert.match(lastError().details ?? '', /Exit code: 9[\s\S]*need node 20/);
      assert.deepEqual(queued(), ['two (held)']);
      await settle();
      assert.equal(agent.starts, 1);
    });

    it('shows no token that it wrote, nor one in its answers', async () => {
      const token = 'sk-abcdefghijklmnop';
      const line = await running('one');
      line.fail(new RequestFailed(-32603, `Incorrect key: ${token}`, { apiKey: 'hush', sent: `Bearer ${token}` }));
      await until(() => session.state.phase === 'ready');
      assert.equal(lastError().message, 'Incorrect key: •••');
      assert.match(lastError().details ?? '', /apiKey.*•••/);
      session.retry();
      await until(() => line.turns.length === 2);
      line.die({ ...death, stderr: `key ${token} refused` });
      await until(() => session.state.phase === 'disconnected');
      assert.match(lastError().details ?? '', /key ••• refused/);
      assert.doesNotMatch(JSON.stringify(session.state.conversation), /hush|abcdefgh/);
    });

    it('between turns is started again by the next prompt', async () => {
      const line = await running('one');
      line.says('x');
      line.answer();
      await until(() => session.state.phase === 'ready');
      line.die({ reason: 'exited', message: 'Fake ended with exit code 0.', exit: { code: 0, signal: null } });
      await until(() => session.state.phase === 'disconnected');
      assert.deepEqual(shown(), ['user: one', 'agent: x']);
      const next = await running('two');
      assert.deepEqual(next.calls, ['newSession', 'prompt two']);
    });

    it('after Stop is not an error', async () => {
      const line = await running();
      line.says('x');
      session.stop();
      line.die(death);
      await until(() => session.state.phase === 'disconnected');
      assert.deepEqual(shown(), ['user: go', 'agent: x', 'note: Fake ended with exit code 9.']);
    });

    it('is no longer listened to', async () => {
      const line = await running();
      line.die(death);
      await until(() => session.state.phase === 'disconnected');
      const before = shown();
      line.says('ghost');
      assert.deepEqual(shown(), before);
    });

    /** One turn, then the agent is gone. */
    const remembered = async () => {
      const line = await running('one');
      line.says('answer');
      line.answer();
      await until(() => session.state.phase === 'ready');
      line.die(death);
      await until(() => session.state.phase === 'disconnected');
      return line;
    };

    it('is asked to resume its session where it can', async () => {
      agent.facts = { resume: true, loadSession: true };
      await remembered();
      const next = await running('two');
      assert.match(next.calls[0] ?? '', /^resumeSession new-/);
      assert.equal(
        shown().some(line => line.startsWith('note')),
        false,
      );
    });

    it('is asked to load it else, and what it tells again is not shown twice', async () => {
      agent.facts = { loadSession: true };
      agent.onLoad = sink => {
        sink.update({ type: 'userChunk', content: { type: 'text', text: 'one' } });
        sink.update({ type: 'agentChunk', content: { type: 'text', text: 'answer' } });
        sink.update({ type: 'commands', commands: [{ name: 'web', description: '' }] });
      };
      await remembered();
      const next = await running('two');
      assert.match(next.calls[0] ?? '', /^loadSession new-/);
      assert.deepEqual(shown(), ['user: one', 'agent: answer', 'error agentEnded', 'user: two']);
      assert.deepEqual(session.state.conversation.commands, [{ name: 'web', description: '' }]);
      next.says('new');
      assert.equal(shown().at(-1), 'agent: new');
    });

    it('may tell it again late', async () => {
      agent.facts = { loadSession: true };
      let told = false;
      agent.onLoad = sink => {
        setTimeout(() => {
          told = true;
          sink.update({ type: 'agentChunk', content: { type: 'text', text: 'answer' } });
        }, 5);
      };
      await remembered();
      await running('two');
      await until(() => told);
      assert.deepEqual(shown(), ['user: one', 'agent: answer', 'error agentEnded', 'user: two']);
    });

    it('may change its modes and options while that is waited for', async () => {
      const options = (value: boolean) => [{ id: 'o', name: 'O', type: 'boolean' as const, value }];
      const modes = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
      agent.facts = { loadSession: true };
      agent.opened = { modes, configOptions: options(false) };
      agent.onLoad = sink => {
        setTimeout(() => {
          sink.update({ type: 'mode', modeId: 'b' });
          sink.update({ type: 'configOptions', options: options(true) });
        }, 5);
      };
      await remembered();
      await running('two');
      assert.deepEqual(session.state.conversation.configOptions, options(true));
      assert.equal(session.state.conversation.modes?.currentModeId, 'b');
    });

    for (const code of [-32602, -32601, -32002, -32603]) {
      it(`and cannot open its session (${code}) gets a new one, and the user is told`, async () => {
        agent.facts = { resume: true, loadSession: true };
        await remembered();
        const error = new RequestFailed(code, 'no');
        agent.refuses = { resumeSession: error, loadSession: error };
        const next = await running('two');
        assert.deepEqual(
          next.calls.map(call => call.split(' ')[0]),
          ['resumeSession', 'loadSession', 'newSession', 'prompt'],
        );
        assert.match(lastNote().text, /does not remember/);
        next.says('heard');
        assert.equal(shown().at(-1), 'agent: heard');
      });
    }

    it('gets a new session without a word when nothing was said yet', async () => {
      const line = await running('one');
      line.die(death);
      await until(() => session.state.phase === 'disconnected');
      session.retry();
      await until(() => agent.connections.length === 2 && session.state.phase === 'running');
      assert.deepEqual(agent.last.calls, ['newSession', 'prompt one']);
      assert.deepEqual(shown(), ['user: one', 'error agentEnded']);
    });
  });

  describe('modes and options', () => {
    it('are shown as the agent confirms them, and stay when it refuses', async () => {
      const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
      agent.opened = { modes };
      const line = await running();
      assert.equal(session.state.conversation.modes?.currentModeId, 'ask');
      session.setMode('code');
      assert.equal(session.state.conversation.modes?.currentModeId, 'ask');
      await until(() => session.state.conversation.modes?.currentModeId === 'code');
      line.refuses.setMode = new RequestFailed(-32603, 'not now');
      session.setMode('ask');
      await until(() => shown().some(one => one === 'note: The mode was not changed: not now'));
      assert.equal(session.state.conversation.modes?.currentModeId, 'code');
      session.setConfigOption('fast', true);
      await until(() => session.state.conversation.configOptions);
      assert.deepEqual(session.state.conversation.configOptions, [
        { id: 'fast', name: 'fast', type: 'boolean', value: true },
      ]);
      assert.deepEqual(line.calls, [
        'newSession',
        'prompt go',
        'setMode code',
        'setMode ask',
        'setConfigOption fast true',
      ]);
    });

    it('cannot be set while no agent runs, and the user is told', async () => {
      session.setMode('code');
      await until(() => shown().length > 0);
      assert.match(lastNote().text, /not running/);
      assert.equal(agent.starts, 0);
    });
  });

  describe('closing', () => {
    it('ends the agent and settles everything, in every phase', async () => {
      const gate = new Deferred<void>();
      agent.gate = gate.promise;
      session.prompt('one');
      const closing = session.close();
      gate.resolve();
      await closing;
      assert.ok(agent.connections.every(one => one.disposed));

      agent.gate = undefined;
      session = make();
      const line = await running();
      await session.close();
      assert.equal(line.disposed, true);
      session.prompt('late');
      session.retry();
      await settle();
      assert.equal(agent.starts, 2);
    });

    it('is not disturbed by a listener that throws', async () => {
      session.onDidChange(() => {
        throw new Error('listener');
      });
      await running();
      assert.ok(lines.length > 0);
      lines = [];
    });
  });

  it('keeps events, queue and the id of the agent session, but no notices', async () => {
    const ledger = new FakeLedger();
    ledger.create({ id: 's', agentId: 'fake', agentName: 'Fake', cwd: '/w', createdAt: 0 });
    session = new Session({
      id: 's',
      agent: { id: 'fake', name: 'Fake' },
      cwd: '/w',
      connect: agent.connect,
      ledger,
      log: line => lines.push(line),
    });
    const line = await running('one');
    session.prompt('two');
    session.remember({ draft: 'thr' });
    line.tell({ type: 'notice', severity: 'info', title: 'N' });
    line.says('x');
    const kept = ledger.kept[0];
    assert.deepEqual(
      kept?.events.map(event => event.type),
      ['sessionOpened', 'prompt', 'update'],
    );
    assert.match(kept?.agentSessionId ?? '', /^new-/);
    assert.deepEqual(
      kept?.memory.queue?.map(item => item.text),
      ['two'],
    );
    assert.equal(kept?.memory.draft, 'thr');
    assert.ok(shown().includes('note: N'));
  });
});
