import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { SignInPrompts } from '../../src/host/signInPrompts';
import { eventually } from './eventually';

describe('the prompts to sign in', () => {
  const agent = { id: 'fake', name: 'Fake', cwd: tmpdir() };
  const signal = new AbortController().signal;
  let secrets: Map<string, string>;
  let prompts: SignInPrompts;

  beforeEach(() => {
    secrets = new Map();
    const storage = {
      get: (key: string) => Promise.resolve(secrets.get(key)),
      store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
      delete: (key: string) => Promise.resolve(void secrets.delete(key)),
    };
    const env = { PATH: process.env['PATH'] ?? '', FIRST: '4' };
    const own = { command: '/bin/sh', args: ['-c', 'exit $(($FIRST + $SECOND + $1))', 'sh'], cwd: tmpdir(), env };
    prompts = new SignInPrompts(storage, () => Promise.resolve(own));
  });

  it('run the program of the agent with more arguments and variables, in sight', async function () {
    if (process.platform === 'win32') this.skip();
    const code = prompts.run(agent, { args: ['1'], env: { SECOND: '2' } }, signal);
    assert.equal(await code, 7);
    assert.equal(await prompts.run(agent, { args: ['0'], env: { FIRST: '0', SECOND: '0' } }, signal), 0);
  });

  it('run another program where the agent names one', async function () {
    if (process.platform === 'win32') this.skip();
    assert.equal(await prompts.run(agent, { command: '/bin/sh', args: ['-c', 'exit 3'], env: {} }, signal), 3);
  });

  it('close the terminal when nobody waits any more', async function () {
    if (process.platform === 'win32') this.skip();
    const abort = new AbortController();
    const code = prompts.run(agent, { command: '/bin/sleep', args: ['600'], env: {} }, abort.signal);
    const isOpen = (): boolean => vscode.window.terminals.some(({ name }) => name === 'Sign in to Fake');
    await eventually(isOpen);
    abort.abort(new Error('enough'));
    await assert.rejects(code, /enough/);
    await eventually(() => !isOpen());
  });

  it('keep what they are told for this agent alone, until it is forgotten', async () => {
    secrets.set('portside.signIn.fake', '{"variables":{"KEY":"k"},"answers":{"m":{"key":"a"}}}');
    secrets.set('portside.signIn.broken', 'nonsense');
    assert.deepEqual(await prompts.variablesOf('fake'), { KEY: 'k' });
    assert.deepEqual(await prompts.variablesOf('other'), {});
    assert.deepEqual(await prompts.variablesOf('broken'), {});
    await prompts.forget(agent);
    assert.deepEqual(await prompts.variablesOf('fake'), {});
  });

  it('ask with what was kept, and keep what is answered', async () => {
    secrets.set('portside.signIn.fake', '{"variables":{"KEY":"k"}}');
    const question = { name: 'KEY', prompt: 'Key', secret: true, optional: false };
    let answers: unknown;
    void prompts.ask(agent, 'v', [question], true, signal).then(given => (answers = given));
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return answers !== undefined;
    });
    assert.deepEqual(answers, { KEY: 'k' });
    assert.deepEqual(JSON.parse(secrets.get('portside.signIn.fake') ?? ''), { variables: { KEY: 'k' }, answers: {} });
  });
});
