import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '#rig/paths.mjs';
import { Chat } from './chat';
import { ScriptedAgent } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

const example = { name: 'Working', command: process.execPath, args: [path.join(root, 'dist', 'exampleAgent.js')] };

describe('Failures in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();
  const errorOf = (chat: Chat) => chat.article('Error');

  it('tell of a command that is not there, and keep the message for a Retry', async () => {
    const missing = { name: 'Missing', command: 'no-such-agent', args: ['--acp'] };
    const settings = { 'portside.agents': { mine: missing }, 'portside.defaultAgent': 'mine' };
    const chat = await Chat.open(workbench, { settings });
    await chat.send('please keep this');
    const error = errorOf(chat);
    await error.getByText('the command "no-such-agent" was not found').waitFor();
    await error.getByText('Command: no-such-agent --acp').waitFor();
    await error.getByText(`Folder: ${chat.window.folder}`).waitFor();
    await chat.view.getByText('please keep this').waitFor();

    await error.getByRole('button', { name: 'Open settings' }).click();
    await chat.page.locator('.settings-editor').waitFor();
    await chat.page.keyboard.press('Escape'); // it lies over the chat
    await chat.window.setSettings({ 'portside.agents': { mine: example } });
    await error.getByRole('button', { name: 'Retry' }).click();
    await chat.said('please keep this').waitFor();
    await chat.feed.getByText('You wrote:').waitFor();
    assert.equal(await chat.article('You').count(), 1);
  });

  it('tell of an agent that ends at once', async () => {
    const agent = new ScriptedAgent([{ stderr: 'no key was found\n' }, { exit: 3 }]);
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('hello');
    const error = errorOf(chat);
    await error.getByText('Exit code: 3').waitFor();
    await error.getByText('no key was found').waitFor();
    await error.getByText('scriptedAgent.mjs').waitFor();
    await error.getByRole('button', { name: 'Show log' }).click();
    await chat.page.locator('.part.panel').getByText('no key was found').first().waitFor();
  });

  it('tell of a handshake that is not answered in time', async () => {
    const agent = new ScriptedAgent([{ stderr: 'still thinking\n' }, { expect: 'never' }]);
    const chat = await Chat.open(workbench, { settings: { ...agent.settings, 'portside.handshakeTimeout': 2 } });
    await chat.send('hello');
    await errorOf(chat).getByText('still thinking').waitFor();
    for (const name of ['Retry', 'Show log', 'Open settings'])
      await errorOf(chat).getByRole('button', { name }).waitFor();
    await chat.view.getByText('hello').waitFor();
  });

  it('are not waited for: a start can be cancelled', async () => {
    const agent = new ScriptedAgent([{ expect: 'never' }]);
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('hello');
    await chat.view.getByText(/(Starting|Waiting for) Scripted/).waitFor();
    await chat.button('Cancel').click();
    await chat.stop.waitFor({ state: 'hidden' });
    await chat.view.getByText('hello').waitFor();
    assert.equal(await errorOf(chat).count(), 0);
  });

  it('end a turn with what the agent said', async () => {
    const chat = await Chat.open(workbench);
    await chat.turn('/fail');
    const failed = errorOf(chat).first();
    await failed.getByText('The Example agent failed, as you asked it to.').waitFor();
    await failed.getByText('This is the data that came with the error.').waitFor();

    await chat.turn('/crash');
    const crashed = errorOf(chat).last();
    await crashed.getByText('Exit code: 7').waitFor();
    await crashed.getByText('Fatal: the Example agent crashed').waitFor();
    await crashed.getByRole('button', { name: 'Retry' }).waitFor();
    await chat.turn('are you there?');
    await chat.article('Example agent').last().getByText('are you there?').waitFor();
  });
});
