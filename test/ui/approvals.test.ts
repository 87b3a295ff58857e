import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Chat } from './chat';
import { ScriptedAgent, turns, update } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

const question = 'Install a package';

describe('Approvals in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  /** A window in which the agent has asked. */
  async function asked(which: string): Promise<Chat> {
    const chat = await Chat.open(workbench);
    await chat.send(`/ask ${which}`);
    await chat.rows.first().waitFor();
    return chat;
  }

  it('are never given by accident, and by arrow key and Enter when meant', async () => {
    const chat = await asked('1');
    const { page, pick } = chat;
    await delay(1500);
    const offered = await chat.offered();
    const stillAsks = async (after: string): Promise<void> => {
      await delay(1500);
      assert.ok(await pick.isVisible(), `asks after ${after}`);
      assert.ok(await chat.article(question).getByText('Needs approval').isVisible(), `is pending after ${after}`);
    };
    await page.keyboard.press('Enter');
    await stillAsks('Enter with no row');
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await stillAsks('letters and Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await stillAsks('an arrow key among filtered rows');
    for (let letters = 3; letters > 0; letters--) await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await stillAsks('letters taken back');

    assert.deepEqual(offered, [
      'npm install left-pad',
      'Yes, this time',
      'Yes, always for this package',
      'Yes, always for npm install',
      'No',
      'No, and do not ask again',
    ]);
    await chat.choose('Yes, always for this package');
    await pick.waitFor({ state: 'hidden' });
    await chat.feed.getByText('You chose “Yes, always for this package”.').waitFor();
  });

  it('stay in the chat after Esc, and come back by a command', async () => {
    const chat = await asked('1');
    await chat.page.keyboard.press('Escape');
    await chat.pick.waitFor({ state: 'hidden' });
    await chat.article(question).getByText('Needs approval').waitFor();
    await chat.page.locator('.part.auxiliarybar .badge-content', { hasText: '1' }).waitFor();

    await chat.window.runCommand('Portside: Answer Pending Approval');
    await chat.pick.getByText('npm install left-pad').waitFor();
    await chat.answerCard(question, 'No');
    await chat.pick.waitFor({ state: 'hidden' });
    await chat.feed.getByText('You chose “No”.').waitFor();
    await chat.page.locator('.part.auxiliarybar .badge-content').waitFor({ state: 'hidden' });
  });

  it('are cancelled by Stop', async () => {
    const toolCall = { toolCallId: 'c1', title: 'Do it' };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const params = { sessionId: 's1', toolCall, options };
    const agent = new ScriptedAgent(
      turns([
        update('tool_call', { ...toolCall, kind: 'execute', status: 'pending' }),
        { send: { jsonrpc: '2.0', id: 'q1', method: 'session/request_permission', params } },
        { expectAnswer: 'q1' },
      ]),
    );
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('go');
    await chat.rows.filter({ hasText: 'Yes' }).waitFor();
    await chat.stop.click();
    await chat.pick.waitFor({ state: 'hidden' });
    await chat.article('Do it').getByText('The question was withdrawn.').waitFor();
    await chat.idle();
    assert.deepEqual(agent.answered('q1'), { outcome: { outcome: 'cancelled' } });
  });

  it('offer no yes for a command that is too long to be read there', async () => {
    const chat = await asked('2');
    const offered = await chat.offered();
    assert.equal(offered.length, 10, 'eight rows of text, and what can be done');
    assert.deepEqual(offered.slice(-2), ['Show in Chat', 'Reject']);
    await chat.choose('Show in Chat');
    await chat.pick.waitFor({ state: 'hidden' });
    const call = chat.feed.getByRole('article').filter({ hasText: 'Needs approval' });
    await call.getByText('step 24').last().waitFor();
    await call.getByRole('button', { name: /^Allow/ }).waitFor();
  });

  it('queue when several are asked at once', async () => {
    const chat = await asked('together');
    await chat.page.locator('.part.auxiliarybar .badge-content', { hasText: '4' }).waitFor();
    await chat.choose('No');
    await chat.choose('Show in Chat');
    await chat.pick.getByText('Teleport the file').waitFor();
    await chat.pick.locator('input').click(); // the keyboard has gone to the chat
    await chat.choose('Allow for an hour');
    await chat.choose('Reject');
    await chat.pick.waitFor({ state: 'hidden' });
    await chat.page.locator('.part.auxiliarybar .badge-content', { hasText: '1' }).waitFor();
    await chat.feed.getByRole('article').filter({ hasText: 'Needs approval' }).getByText('step 24').last().waitFor();
  });
});
