import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#rig/paths.mjs';
import { Chat } from './chat';
import { useWorkbench } from './useWorkbench';

describe('Portside in Restricted Mode', function () {
  this.timeout(240_000);
  const workbench = useWorkbench({ trust: true });

  it('says why nothing starts, and starts nothing', async () => {
    const chat = await Chat.open(workbench);
    await chat.view.getByText('starts no agent in Restricted Mode').waitFor();
    assert.equal(await chat.message.count(), 0, 'nothing can be sent');
    assert.ok(await chat.button('New session').isDisabled());
    await chat.window.runCommand('Portside: New Session…');
    const agents = chat.window.server.processes().filter(({ command }) => command.includes('exampleAgent'));
    assert.deepEqual(agents, []);
  });
});

describe('Folders in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  it('are asked for when there is none', async () => {
    const chat = await Chat.open(workbench, { folder: 'none' });
    await chat.view.getByText('An agent works in a folder.').waitFor();
    assert.equal(await chat.message.count(), 0);
    await chat.button('Open Folder').click();
    await chat.pick.getByText('Open Folder').first().waitFor();
  });

  it('are asked for once per session when there are several', async () => {
    const parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'portside-')));
    const file = path.join(parent, 'both.code-workspace');
    for (const name of ['one', 'two'])
      cpSync(path.join(root, 'test/sample'), path.join(parent, name), { recursive: true });
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }] }));
    try {
      const chat = await Chat.open(workbench, { folder: file });
      // In a browser VS Code may look for the workspace file before the file system is there, and then opens it empty.
      const folders = await chat.window.bridge.read(vscode => vscode.workspace.workspaceFolders?.length ?? 0);
      if (folders === 0) await chat.window.reload();
      await chat.send('/run pwd');
      await chat.choose('two');
      await chat.choose('Allow');
      await chat.feed.getByText(path.join(parent, 'two')).waitFor();
      await chat.view.locator('.folder').getByText('two').waitFor();
      await chat.idle();
      await chat.turn('hello again');

      await chat.button('New session').click();
      await chat.choose('Example agent');
      await chat.choose('one');
      await chat.view.locator('.folder').getByText('one').waitFor();
      await chat.turn('hello');
    } finally {
      rmSync(parent, { recursive: true });
    }
  });
});

describe('An agent of a workspace', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();
  const settings = (greeting: string): string => {
    const args = [path.join(root, 'dist', 'exampleAgent.js')];
    const agent = { name: 'Of the project', command: process.execPath, args, env: { GREETING: greeting } };
    return JSON.stringify({ 'portside.agents': { project: agent } });
  };

  it('is shown and confirmed once per content', async () => {
    const chat = await Chat.open(workbench, { files: { '.vscode/settings.json': settings('hello') } });
    const start = async (): Promise<void> => {
      await chat.button('New session').click();
      await chat.choose('Of the project');
      await chat.view.getByText('Start a conversation').waitFor();
      await chat.send('hello');
    };
    const answered = () => chat.article('Of the project').getByText('You wrote:').waitFor();

    await start();
    await chat.dialog.getByText('GREETING=hello').waitFor();
    await chat.dialog.getByText('exampleAgent.js').waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.article('Error').getByText('its command comes from this workspace').waitFor();
    await chat.article('Error').getByRole('button', { name: 'Retry' }).click();
    await chat.dialog.getByRole('button', { name: 'Start Agent' }).click();
    await answered();

    await start();
    await answered();
    assert.equal(await chat.dialog.count(), 0, 'what was confirmed is not asked again');

    writeFileSync(path.join(chat.window.folder ?? '', '.vscode/settings.json'), settings('good day'));
    await chat.window.runCommand('Portside: Refresh Agents');
    await start();
    await chat.dialog.getByText('GREETING=good day').waitFor();
  });
});
