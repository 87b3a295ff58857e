import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LaunchPlan } from '../../src/agents/launchPlan';
import type { Api } from '../../src/extension';
import { AgentEnvironment } from '../../src/host/agentEnvironment';
import { AgentList } from '../../src/host/agentList';
import { AgentSearch } from '../../src/host/agentSearch';
import { DisposableStore } from '../../src/base/lifecycle';
import { eventually } from './eventually';

describe('the list of agents', () => {
  let bin: string;
  let store: DisposableStore;
  let agents: AgentList;
  let search: AgentSearch;
  let environment: AgentEnvironment;
  let asked: LaunchPlan[];
  let answer: boolean;

  beforeEach(async () => {
    bin = path.join(await realpath(await mkdtemp(path.join(tmpdir(), 'portside-agents-'))), 'bin');
    await mkdir(bin);
    await configure('environment', { PATH: bin });
    const log = { info: () => {}, warn: () => {} };
    store = new DisposableStore();
    asked = [];
    answer = true;
    environment = store.add(new AgentEnvironment(log));
    search = store.add(new AgentSearch(environment, log, () => agents.commands()));
    const confirm = (plan: LaunchPlan): Promise<boolean> => {
      asked.push(plan);
      return Promise.resolve(answer);
    };
    const memento = memory();
    const context = { asAbsolutePath: (file: string) => file, workspaceState: memento, globalState: memento };
    agents = new AgentList(context, log, search, confirm, confirm);
  });
  afterEach(async () => {
    store.dispose();
    await configure('environment', undefined);
    await configure('agents', undefined);
    await rm(path.dirname(bin), { recursive: true });
  });

  const put = (name: string): Promise<void> => writeFile(path.join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  const listed = async (id: string) => (await agents.refreshed()).find(agent => agent.id === id);

  it('shows an agent as soon as its command is installed, and starts it', async () => {
    assert.equal((await listed('qoder'))?.ready ?? false, false);
    await put('qodercli');
    const qoder = await listed('qoder');
    assert.deepEqual(
      [qoder?.ready, qoder?.origin, qoder?.detail],
      [true, 'found on this machine', `${bin}/qodercli --acp`],
    );
    const plan = await agents.planFor('qoder', bin);
    assert.deepEqual([plan.command, plan.args], [`${bin}/qodercli`, ['--acp']]);
    assert.deepEqual(asked, []);
  });

  it('shows an agent of the settings and the machine once, with both origins', async () => {
    await put('goose');
    await configure('agents', {
      mine: { command: 'goose', args: ['acp'] },
      gone: { command: 'no-such-command-at-all' },
    });
    assert.equal((await listed('mine'))?.origin, 'settings · found on this machine');
    assert.equal(await listed('goose'), undefined);
    assert.match((await listed('gone'))?.origin ?? '', /not on the search path/);
    assert.equal((await agents.planFor('goose', bin)).command, `${bin}/goose`, 'a session of before still starts');
  });

  it('asks once before a package is installed', async () => {
    await put('codex');
    await put('npm');
    assert.equal((await listed('codex'))?.ready, true);
    answer = false;
    await assert.rejects(agents.planFor('codex', bin), /was not installed/);
    answer = true;
    const plan = await agents.planFor('codex', bin);
    assert.equal(plan.npm?.package, '@agentclientprotocol/codex-acp');
    await agents.planFor('codex', bin);
    assert.equal(asked.length, 2);
  });

  it('refuses what has to be installed by hand, and says where that is told', async () => {
    await assert.rejects(agents.planFor('kiro', bin), /Kiro is not on this machine: https:\/\/kiro\.dev/);
  });

  it('takes agents of other extensions while they run', async () => {
    const added = search.add({ id: 'x', name: 'X', command: '/opt/x', args: ['acp'] });
    const listedX = await listed('registered/x');
    assert.equal(listedX?.detail, '/opt/x acp');
    assert.match(listedX?.origin ?? '', /^extension/);
    added.dispose();
    assert.equal(await listed('registered/x'), undefined);
  });

  it('offers that to other extensions', async () => {
    const extension = vscode.extensions.getExtension<Api>('portside.portside');
    const api = await extension?.activate();
    assert.ok(api);
    api.registerAgent({ id: 'y', command: '/opt/y' }).dispose();
  });

  it('searches only folders that exist, those of the user last, without what belongs to VS Code alone', async () => {
    await environment.complete();
    const { env, path: entries } = environment.current;
    assert.equal(env['ELECTRON_RUN_AS_NODE'], undefined);
    assert.deepEqual(
      Object.keys(env).filter(name => name.startsWith('VSCODE_')),
      [],
    );
    assert.equal(entries.at(-1)?.folder, bin);
    for (const { folder } of entries) assert.ok(existsSync(folder), folder);
  });

  it('sees a changed setting by itself', async () => {
    await put('auggie');
    await search.refresh();
    let changes = 0;
    store.add(search.onDidChange(() => (changes += 1)));
    await configure('environment', undefined);
    await eventually(() => changes > 0 && !agents.list().find(agent => agent.id === 'auggie')?.ready);
  });
});

async function configure(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('portside').update(name, value, vscode.ConfigurationTarget.Global);
}

function memory(): vscode.Memento & { setKeysForSync(): void } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string) => values.get(key) as T,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    setKeysForSync: () => {},
  };
}
