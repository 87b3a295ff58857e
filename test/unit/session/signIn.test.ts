import assert from 'node:assert/strict';
import type { AuthMethod } from '../../../src/acp/authMethods';
import { RequestFailed } from '../../../src/acp/errors';
import type { SignInPort } from '../../../src/acp/ports';
import { Deferred } from '../../../src/base/async';
import type { ErrorEntry } from '../../../src/chat/state';
import { Session } from '../../../src/session/session';
import { outline } from '../chat/events';
import { FakeAgent, quickTiming, settle, until } from './fakeAgent';

const refusal = (): RequestFailed => new RequestFailed(-32000, 'Authentication required');
const browser: AuthMethod = { id: 'browser', name: 'Log in with X', way: { kind: 'agent' } };
const terminal: AuthMethod = {
  id: 'terminal',
  name: 'Log in in a terminal',
  way: { kind: 'terminal', program: { args: ['login'], env: { A: '1' } } },
};
const key: AuthMethod = { id: 'key', name: 'API key', way: { kind: 'key' } };
const gateway: AuthMethod = { id: 'gateway', name: 'Gateway', way: { kind: 'gateway' } };
const variable: AuthMethod = {
  id: 'variable',
  name: 'Key in a variable',
  way: { kind: 'variables', variables: [{ name: 'KEY', label: 'Key', secret: true, optional: false }] },
};
const retina: AuthMethod = { id: 'retina', name: 'Look here', way: { kind: 'unknown', type: 'retina' } };

/** The user: what was asked of them, and what they do. */
class FakePrompts implements SignInPort {
  readonly calls: string[] = [];
  exit = new Deferred<number | undefined>();
  answers: Record<string, string> | undefined;

  run: SignInPort['run'] = ({ id, cwd }, program, signal) => {
    this.calls.push(`run ${id} in ${cwd}: ${JSON.stringify(program)}`);
    signal.addEventListener('abort', () => this.calls.push('terminal closed'));
    return this.exit.promise;
  };

  ask: SignInPort['ask'] = (_agent, methodId, questions, asVariables) => {
    const names = questions.map(({ name, prompt, secret }) => `${name} "${prompt}"${secret ? ' secret' : ''}`);
    this.calls.push(`ask ${methodId}${asVariables ? ' variables' : ''}: ${names.join(', ')}`);
    return Promise.resolve(this.answers);
  };

  forget: SignInPort['forget'] = ({ id }) => Promise.resolve(void this.calls.push(`forget ${id}`));
}

describe('signing in', () => {
  let agent: FakeAgent;
  let user: FakePrompts;
  let session: Session;
  let lines: string[];

  beforeEach(() => {
    agent = new FakeAgent();
    user = new FakePrompts();
    lines = [];
    session = new Session({
      id: 's',
      agent: { id: 'fake', name: 'Fake' },
      cwd: '/w',
      connect: agent.connect,
      signIn: user,
      log: line => lines.push(line),
      timing: quickTiming,
    });
  });

  afterEach(() => {
    session.dispose();
    assert.deepEqual(
      lines.filter(line => line.includes('    at ')),
      [],
      'no bug was logged',
    );
  });

  const shown = () => outline(session.state.conversation);
  const errors = (): ErrorEntry[] => session.state.conversation.entries.filter(entry => entry.kind === 'error');
  const phase = (name: string) => until(() => session.state.phase === name);

  /** Sends a prompt that the agent refuses when its session is opened. */
  async function refused(...authMethods: AuthMethod[]) {
    agent.facts = { authMethods };
    agent.refuses = { newSession: refusal() };
    session.prompt('hello');
    await phase('needsAuth');
    agent.refuses = {};
    return agent.last;
  }

  /** The same, at the prompt. */
  async function refusedPrompt(...authMethods: AuthMethod[]) {
    agent.facts = { authMethods };
    session.prompt('hello');
    await phase('running');
    agent.last.fail(refusal());
    await phase('needsAuth');
    return agent.last;
  }

  it('is never asked for where the agent only offers ways', async () => {
    agent.facts = { authMethods: [browser] };
    session.prompt('hello');
    await phase('running');
    assert.deepEqual(agent.last.calls, ['newSession', 'prompt hello']);
  });

  it('offers every method, one that is not understood by its name', async () => {
    await refused(browser, retina);
    assert.deepEqual(errors().at(-1)?.methods, [
      { id: 'browser', name: 'Log in with X', understood: true },
      { id: 'retina', name: 'Look here', understood: false },
    ]);
    session.signIn('retina');
    await until(() => shown().length === 2);
    assert.match(shown()[1] ?? '', /does not know \(retina\)/);
    assert.deepEqual(agent.last.calls, ['newSession']);
  });

  it('by the agent repeats the opening of the session once, on the same connection, and sends what was typed', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    assert.equal(session.state.phase, 'needsAuth');
    assert.deepEqual(
      [session.state.activity?.text, session.state.activity?.cancellable],
      ['Waiting for sign-in…', true],
    );
    delete line.refuses.newSession;
    line.signIns.get('browser')?.resolve();
    await phase('running');
    assert.equal(agent.starts, 1);
    assert.deepEqual(line.calls, ['newSession', 'authenticate browser', 'newSession', 'prompt hello']);
    assert.deepEqual(shown(), ['error authRequired', 'user: hello']);
    assert.deepEqual([errors()[0]?.methods, errors()[0]?.actions], [undefined, []]);
    assert.equal(session.state.activity, undefined);
  });

  it('that helps nothing shows the choice again, once, and tries no further by itself', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    line.signIns.get('browser')?.resolve();
    await until(() => line.calls.filter(call => call === 'newSession').length === 2);
    await phase('needsAuth');
    await settle();
    assert.deepEqual(line.calls, ['newSession', 'authenticate browser', 'newSession']);
    assert.deepEqual(shown(), ['error authRequired']);
    assert.deepEqual(
      session.state.queue.map(({ text, held }) => [text, held]),
      [['hello', true]],
    );
  });

  it('in the middle of a conversation repeats the prompt in the same session', async () => {
    const line = await refusedPrompt(browser);
    session.signIn('browser');
    session.prompt('and this');
    line.signIns.get('browser')?.resolve();
    await phase('running');
    line.answer();
    await until(() => line.turns.length === 3);
    assert.deepEqual(line.calls, [
      'newSession',
      'prompt hello',
      'authenticate browser',
      'prompt hello',
      'prompt and this',
    ]);
    assert.equal(agent.starts, 1);
  });

  for (const method of ['loadSession', 'resumeSession'] as const)
    it(`is asked for by ${method} as well`, async () => {
      agent.facts = {
        loadSession: method === 'loadSession',
        resume: method === 'resumeSession',
        authMethods: [browser],
      };
      session.prompt('one');
      await phase('running');
      agent.last.answer();
      await phase('ready');
      agent.refuses = { [method]: refusal() };
      agent.last.die({ reason: 'exited', message: 'gone', exit: { code: 1, signal: null } });
      await phase('disconnected');
      session.prompt('two');
      await phase('needsAuth');
      session.signIn('browser');
      delete agent.last.refuses[method];
      agent.last.signIns.get('browser')?.resolve();
      await phase('running');
      assert.deepEqual(
        agent.last.calls.map(call => call.split(' ')[0]),
        [method, 'authenticate', method, 'prompt'],
      );
    });

  it('can be cancelled while the browser is open, and chosen again', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    session.stop();
    assert.equal(session.state.activity, undefined);
    await settle();
    assert.deepEqual(line.calls, ['newSession', 'authenticate browser', 'cancel browser']);
    assert.deepEqual(shown(), ['error authRequired']);
    delete line.refuses.newSession;
    session.signIn('browser');
    line.signIns.get('browser')?.resolve();
    await phase('running');
  });

  it('that fails says so, and leaves the choice', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    line.signIns.get('browser')?.reject(new RequestFailed(-32603, 'no luck'));
    await until(() => shown().length === 2);
    assert.match(shown()[1] ?? '', /Signing in to Fake failed: no luck/);
    assert.equal(session.state.activity, undefined);
    assert.equal(errors()[0]?.methods?.length, 1);
  });

  it('whose answer never comes is over when the user says that they have signed in', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    session.retry();
    await until(() => line.calls.length === 3);
    await phase('needsAuth');
    assert.equal(session.state.activity?.text, 'Waiting for sign-in…', 'too early: it is still waited for');
    delete line.refuses.newSession;
    session.retry();
    await phase('running');
    const again = ['newSession', 'newSession', 'cancel browser', 'prompt hello'];
    assert.deepEqual(line.calls, ['newSession', 'authenticate browser', ...again]);
  });

  it('survives the end of the agent meanwhile: it is started again', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    line.die({ reason: 'exited', message: 'Fake ended.', exit: { code: 0, signal: null } });
    await phase('disconnected');
    assert.deepEqual(shown(), ['error authRequired', 'error agentEnded']);
    session.signIn('browser');
    await until(() => agent.connections.length === 2 && agent.last.signIns.size === 1);
    assert.equal(session.state.activity?.text, 'Waiting for sign-in…');
    agent.last.signIns.get('browser')?.resolve();
    await phase('running');
    assert.deepEqual(agent.last.calls, ['authenticate browser', 'newSession', 'prompt hello']);
  });

  it('in a terminal runs the program, and on success a new process takes over', async () => {
    const line = await refused(terminal);
    session.signIn('terminal');
    await until(() => line.disposed);
    assert.equal(session.state.activity?.text, 'Waiting for sign-in…');
    assert.deepEqual(user.calls, ['run fake in /w: {"args":["login"],"env":{"A":"1"}}']);
    user.exit.resolve(0);
    await phase('running');
    assert.equal(agent.starts, 2);
    assert.deepEqual([...line.calls, '|', ...agent.last.calls], ['newSession', '|', 'newSession', 'prompt hello']);
  });

  it('in a terminal that fails says with which code; one that was closed says nothing', async () => {
    await refused(browser, terminal);
    session.signIn('terminal');
    user.exit.resolve(3);
    await until(() => shown().length === 2);
    assert.match(shown()[1] ?? '', /Signing in to Fake failed: .*exit code 3/);
    assert.equal(session.state.phase, 'needsAuth');
    user.exit = new Deferred();
    session.signIn('terminal');
    user.exit.resolve(undefined);
    await until(() => !session.state.activity);
    assert.equal(shown().length, 2);
    assert.equal(agent.starts, 1);
  });

  it('closes the terminal when the user cancels', async () => {
    await refused(terminal);
    session.signIn('terminal');
    session.stop();
    assert.deepEqual(user.calls.slice(1), ['terminal closed']);
  });

  it('by a key hands it to the agent that runs', async () => {
    const line = await refused(key);
    user.answers = { key: 'secret' };
    session.signIn('key');
    await until(() => line.signIns.size === 1);
    delete line.refuses.newSession;
    line.signIns.get('key')?.resolve();
    await phase('running');
    assert.deepEqual(user.calls, ['ask key: key "API key" secret']);
    assert.equal(line.calls[1], 'authenticate key {"api-key":{"apiKey":"secret"}}');
  });

  it('by a gateway hands its address and a header to the agent that runs', async () => {
    const line = await refused(gateway);
    user.answers = { baseUrl: 'http://g', header: 'X-Key: k' };
    session.signIn('gateway');
    await until(() => line.signIns.size === 1);
    assert.equal(line.calls[1], 'authenticate gateway {"gateway":{"baseUrl":"http://g","headers":{"X-Key":"k"}}}');
  });

  it('by a variable starts the agent anew with it, and tells it which method was meant', async () => {
    const line = await refused(variable);
    user.answers = { KEY: 'secret' };
    session.signIn('variable');
    await until(() => agent.connections.length === 2 && agent.last.signIns.size === 1);
    assert.equal(line.disposed, true);
    assert.deepEqual(user.calls, ['ask variable variables: KEY "Key" secret']);
    agent.last.signIns.get('variable')?.reject(new RequestFailed(-32601, 'Method not found'));
    await phase('running');
    assert.deepEqual(agent.last.calls, ['authenticate variable', 'newSession', 'prompt hello']);
  });

  it('goes no further when the user answers no question', async () => {
    const line = await refused(key);
    session.signIn('key');
    await until(() => !session.state.activity);
    assert.deepEqual(line.calls, ['newSession']);
    assert.deepEqual(shown(), ['error authRequired']);
  });

  it('by a choice from before a reload asks the agent anew', async () => {
    agent.facts = { authMethods: [browser] };
    agent.refuses = { newSession: refusal() };
    session.signIn('browser');
    await phase('needsAuth');
    assert.deepEqual(agent.last.calls, ['newSession']);
    assert.deepEqual(shown(), ['error authRequired']);
  });

  it('is not begun where nothing was refused', async () => {
    agent.facts = { authMethods: [browser] };
    session.prompt('hello');
    await phase('running');
    session.signIn('browser');
    await settle();
    assert.deepEqual(agent.last.calls, ['newSession', 'prompt hello']);
  });

  it('ends with the session', async () => {
    const line = await refused(browser);
    session.signIn('browser');
    session.dispose();
    await settle();
    assert.deepEqual(line.calls.slice(-1), ['cancel browser']);
    assert.equal(line.disposed, true);
  });

  it('out is offered only by an agent that can, and forgets what was kept', async () => {
    agent.facts = { authMethods: [browser], logout: true };
    assert.equal(session.canSignOut, false);
    session.prompt('hello');
    await phase('running');
    assert.equal(session.canSignOut, true);
    agent.last.answer();
    await phase('ready');
    await session.signOut();
    assert.deepEqual(agent.last.calls.slice(-1), ['logout']);
    assert.deepEqual(user.calls, ['forget fake']);
    session.prompt('again');
    await phase('running');
    agent.last.fail(refusal());
    await phase('needsAuth');
  });
});
