import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/lifecycle';
import type { ToolCall } from '../../src/chat/state';
import { Approvals } from '../../src/host/approvals';
import type { Sessions } from '../../src/session/sessions';

describe('approvals', () => {
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  let pending: { requestId: string; entryId: string; call: ToolCall; options: typeof options }[];
  let answers: string[];
  let asked: Emitter<unknown>;
  let settled: Emitter<string>;
  let approvals: Approvals;

  beforeEach(() => {
    pending = [];
    answers = [];
    asked = new Emitter();
    settled = new Emitter();
    const settle = (requestId: string): void => {
      pending = pending.filter(question => question.requestId !== requestId);
      settled.fire(requestId);
    };
    const session = {
      state: { agent: { id: 'a', name: 'Agent' } },
      onDidAskPermission: asked.event,
      onDidSettlePermission: settled.event,
      pendingPermissions: () => pending,
      answerPermission: (requestId: string, optionId: string) => {
        answers.push(`${requestId}:${optionId}`);
        settle(requestId);
        return true;
      },
    };
    const sessions = { current: session, onDidChangeCurrent: new Emitter().event } as unknown as Sessions;
    approvals = new Approvals(sessions, {
      showInChat: entryId => answers.push(`chat:${entryId}`),
      showDiff: call => answers.push(`diff:${call.id}`),
    });
  });
  afterEach(() => approvals.dispose());

  const ask = (requestId: string, subject = 'ls'): void => {
    const call: ToolCall = {
      kind: 'tool',
      id: `entry-${requestId}`,
      turn: 1,
      toolCallId: requestId,
      title: 'Run a command',
      toolKind: 'execute',
      status: 'pending',
      content: [],
      locations: [],
      terminals: [],
      writes: [],
      permissions: [{ requestId, options, state: 'pending', subject }],
    };
    pending.push({ requestId, entryId: call.id, call, options });
    asked.fire(undefined);
  };
  const keys = async (...commands: string[]): Promise<void> => {
    for (const command of commands) {
      await vscode.commands.executeCommand(`workbench.action.${command}`);
      await sleep(300);
    }
  };
  const accept = 'acceptSelectedQuickOpenItem';
  const down = 'quickOpenSelectNext';

  it('are answered by a row that was reached by arrow key, and by nothing before', async () => {
    ask('r1');
    await keys(accept);
    await sleep(600);
    await keys(accept);
    assert.deepEqual(answers, []);
    await keys(down, accept);
    assert.deepEqual(answers, ['r1:yes']);
  });

  it('ignore a row that was reached in the first half second', async () => {
    ask('r1');
    await vscode.commands.executeCommand(`workbench.action.${down}`);
    await vscode.commands.executeCommand(`workbench.action.${down}`);
    await sleep(700);
    await keys(accept);
    assert.deepEqual(answers, []);
  });

  it('queue, leave a question in the chat on Esc, and ask it again when they are told to', async () => {
    ask('r1');
    ask('r2');
    await sleep(700);
    await keys('closeQuickOpen');
    await sleep(700);
    await keys(down, accept);
    assert.deepEqual(answers, ['r2:yes']);
    approvals.resume();
    await sleep(700);
    await keys(down, down, accept);
    assert.deepEqual(answers, ['r2:yes', 'r1:no']);
  });

  it('close when the question is settled elsewhere', async () => {
    ask('r1');
    await sleep(700);
    pending = [];
    settled.fire('r1');
    await sleep(200);
    await keys(down, down, accept);
    assert.deepEqual(answers, []);
  });

  it('do not allow here what cannot be shown whole', async () => {
    ask('r1', 'line\n'.repeat(20));
    await sleep(700);
    await keys('quickOpenSelectPrevious', 'quickOpenSelectPrevious', accept);
    assert.deepEqual(answers, ['r1:no']);
  });
});
