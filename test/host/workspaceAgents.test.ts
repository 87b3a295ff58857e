import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExpectedError } from '../../src/base/errors';
import { AgentList } from '../../src/host/agentList';

describe('an agent of the settings', () => {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const cwd = '/work';
  let warnings: string[];
  let asked: string[];
  let answer: boolean;
  let agents: AgentList;

  beforeEach(() => {
    warnings = [];
    asked = [];
    answer = true;
    const values = new Map<string, unknown>();
    const memento = {
      keys: () => [...values.keys()],
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
      setKeysForSync: () => {},
    } as vscode.Memento & { setKeysForSync(): void };
    agents = new AgentList(
      { asAbsolutePath: file => file, workspaceState: memento, globalState: memento },
      { info: () => {}, warn: (line: string) => void warnings.push(line) },
      { results: [], found: new Map(), refresh: () => Promise.resolve() },
      plan => {
        asked.push([plan.command, ...plan.args].join(' '));
        return Promise.resolve(answer);
      },
    );
  });
  afterEach(async () => {
    await set(undefined, Workspace);
    await set(undefined, Global);
  });

  const set = async (value: unknown, target: vscode.ConfigurationTarget): Promise<void> =>
    vscode.workspace.getConfiguration('portside').update('agents', value, target);

  it('of the user starts without a question, beside malformed ones that the log names', async () => {
    await set({ mine: { command: 'mine', args: ['--acp'], cwd: 'sub' }, bad: 3 }, Global);
    const plan = await agents.planFor('mine', cwd);
    assert.deepEqual([plan.command, plan.args, plan.cwd], ['mine', ['--acp'], '/work/sub']);
    assert.deepEqual(asked, []);
    assert.ok(warnings.some(line => line.includes('"bad"')));
  });

  it('of the workspace is confirmed once for each content', async () => {
    await set({ theirs: { command: 'theirs', args: ['one'] } }, Workspace);
    await agents.planFor('theirs', cwd);
    await agents.planFor('theirs', cwd);
    assert.deepEqual(asked, ['theirs one']);
    await set({ theirs: { command: 'theirs', args: ['two'] } }, Workspace);
    await agents.planFor('theirs', cwd);
    assert.deepEqual(asked, ['theirs one', 'theirs two']);
  });

  it('of the workspace does not start when it is not confirmed, and is asked again', async () => {
    answer = false;
    await set({ theirs: { command: 'theirs' } }, Workspace);
    const refused = (error: unknown): boolean => error instanceof ExpectedError && error.code === 'notConfirmed';
    await assert.rejects(agents.planFor('theirs', cwd), refused);
    await assert.rejects(agents.planFor('theirs', cwd), refused);
    assert.equal(asked.length, 2);
  });

  it('of the user is confirmed when the workspace changes a part of it', async () => {
    await set({ mine: { command: 'mine', env: { A: 'b' } } }, Global);
    await set({ mine: { env: { NODE_OPTIONS: '--require ./evil.js' } } }, Workspace);
    await agents.planFor('mine', cwd);
    assert.deepEqual(asked, ['mine']);
  });
});
