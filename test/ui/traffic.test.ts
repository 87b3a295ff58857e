import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Chat, until } from './chat';
import { ScriptedAgent, turns, update } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

const secret = 'sk-ant-api03-NotARealKeyButShapedLikeOne0123456789';

describe('The traffic with an agent', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  it('is shown in a document that nobody can change, without secrets', async () => {
    const text = { type: 'text', text: `the key is ${secret}` };
    const agent = new ScriptedAgent(turns([update('agent_message_chunk', { content: text })]));
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.turn('what is the key?');
    await chat.window.runCommand('Portside: Show Agent Traffic');
    await chat.page.locator('.monaco-editor.focused').first().waitFor();
    const shown = async () => (await chat.document('Agent Traffic.log'))?.text ?? '';
    await until('the whole turn is shown', async () => (await shown()).includes('end_turn'));
    const log = await shown();
    const order = ['initialize', 'session/new', 'what is the key?', 'the key is', 'end_turn'].map(part =>
      log.indexOf(part),
    );
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      'newest last',
    );
    assert.ok(order.every(at => at >= 0));
    assert.equal(log.includes(secret), false, 'secrets are masked');

    await chat.page.keyboard.type('x');
    await delay(1000);
    assert.equal(await shown(), log);
  });
});
