import assert from 'node:assert/strict';
import { Chat, until } from './chat';
import { ScriptedAgent, turns } from './scriptedAgents';
import { useWorkbench, type Workbench } from './useWorkbench';

/** Agents and what they have started, of this window's server. */
const agentsOf = ({ server }: Workbench): string[] =>
  server
    .processes()
    .filter(({ command }) => /exampleAgent|scriptedAgent|setInterval|sleep 9876/.test(command))
    .map(({ command }) => command);

describe('After a window was closed no process of ours is left', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  async function leaves(chat: Chat, running: number): Promise<void> {
    await until('the agent and its child run', () => agentsOf(chat.window).length >= running);
    await chat.window.close();
    await until('no process is left', () => agentsOf(chat.window).length === 0, 30).catch(error =>
      assert.fail(`${error}: ${agentsOf(chat.window).join(', ')}`),
    );
  }

  it('when a command of the agent is running', async () => {
    const chat = await Chat.open(workbench);
    await chat.send('/run sleep 9876');
    await chat.choose('Allow');
    await leaves(chat, 2);
  });

  it('when the agent ignores the end of its input and SIGTERM, and so does its child', async () => {
    const stubborn = [{ ignoreEnd: true }, { ignoreTerm: true }, { spawn: 'stubborn' }, ...turns([{ sleep: 600_000 }])];
    const agent = new ScriptedAgent(stubborn);
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('go');
    await chat.stop.waitFor();
    await leaves(chat, 2);
  });
});
