import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Chat, until } from './chat';
import { useWorkbench } from './useWorkbench';

describe('Terminals in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  const terminals = ({ window }: Chat): Promise<string[]> =>
    window.bridge.read(vscode => vscode.window.terminals.map(({ name }) => name));
  const isRunning = ({ window }: Chat, what: string): boolean =>
    window.server.processes().some(({ command }) => command.includes(what));

  it('show the output of a short command in its card, also after the window was reloaded', async () => {
    const chat = await Chat.open(workbench);
    const command = 'echo one; echo two >&2; exit 3';
    await chat.send(`/terminal ${command}`);
    await chat.choose('Allow');
    const shows = async (): Promise<void> => {
      await chat.article(command).getByText('one two', { exact: true }).waitFor();
      await chat.article(command).getByText('exit code 3').waitFor();
    };
    await chat.feed.getByText('The command ended with exit code 3; I read 8 characters').waitFor();
    await shows();
    assert.deepEqual(await terminals(chat), []);
    await chat.window.reload();
    await shows();
  });

  it('run nothing that was rejected', async () => {
    const chat = await Chat.open(workbench);
    await chat.send('/terminal touch never');
    await chat.choose('Reject');
    await chat.feed.getByText('I did not run it.').waitFor();
    assert.ok(!existsSync(path.join(chat.window.folder ?? '', 'never')));
  });

  it('let a long command be watched in the terminal panel, and be stopped there', async () => {
    const chat = await Chat.open(workbench);
    const command = 'echo begin; sleep 9877; echo never';
    await chat.send(`/terminal ${command}`);
    await chat.choose('Allow');
    await chat.article(command).getByText('begin', { exact: true }).waitFor();
    await until('it is mirrored', async () => (await terminals(chat)).includes(command));
    await chat.window.runCommand('Terminal: Focus Terminal');
    const rows = chat.page.locator('.terminal-wrapper.active .xterm-rows');
    await until('the terminal shows the output', async () => (await rows.innerText()).includes('begin'));
    assert.ok(isRunning(chat, 'sleep 9877'));
    await chat.page.keyboard.press('Control+C');
    await chat.feed.getByText('The command ended by SIGTERM').waitFor();
    await chat.article(command).getByText('ended by SIGTERM').waitFor();
    await until('nothing of it runs', () => !isRunning(chat, 'sleep 9877'));
  });

  it('end with Stop', async () => {
    const chat = await Chat.open(workbench);
    await chat.send('/terminal sleep 9878');
    await chat.choose('Allow');
    await until('it runs', () => isRunning(chat, 'sleep 9878'));
    await chat.stop.click();
    await chat.idle();
    await until('nothing of it runs', () => !isRunning(chat, 'sleep 9878'));
  });
});
