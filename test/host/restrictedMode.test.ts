import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExpectedError } from '../../src/base/errors';
import { AgentList } from '../../src/host/agentList';
import { SessionStarter } from '../../src/host/sessionStarter';
import { ViewModel } from '../../src/host/viewModel';
import { Sessions } from '../../src/session/sessions';

describe('in Restricted Mode', () => {
  const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
  const memento = { keys: () => [], get: () => undefined, update: () => Promise.resolve(), setKeysForSync: () => {} };
  let sessions: Sessions;
  let agents: AgentList;
  let connected: string[];

  beforeEach(() => {
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    connected = [];
    sessions = new Sessions({
      connect: agentId => Promise.reject(new Error(String(connected.push(agentId)))),
      log: () => {},
    });
    agents = new AgentList(
      {
        asAbsolutePath: (file: string) => file,
        workspaceState: memento,
        globalState: memento,
      } as unknown as ConstructorParameters<typeof AgentList>[0],
      { info: () => {}, warn: () => {} },
      { results: [], found: new Map(), refresh: () => Promise.resolve() },
    );
  });
  afterEach(() => {
    sessions.dispose();
    assert.ok(trust);
    Object.defineProperty(vscode.workspace, 'isTrusted', trust);
  });

  const untrusted = (error: unknown): boolean => error instanceof ExpectedError && error.code === 'untrusted';

  it('the view says why nothing starts', () => {
    const model = new ViewModel(sessions, agents);
    assert.equal(model.state.head.blocked, 'untrusted');
    model.dispose();
  });

  it('no message is sent, and no session begins', async () => {
    const starter = new SessionStarter(sessions, agents, () => Promise.resolve());
    await assert.rejects(starter.prompt('hello'), untrusted);
    assert.equal(sessions.current, undefined);
    assert.deepEqual(connected, []);
  });

  it('no agent is started, not even the one that ships inside', async () => {
    for (const id of ['example', 'unknown']) await assert.rejects(agents.planFor(id, '/work'), untrusted);
  });
});
