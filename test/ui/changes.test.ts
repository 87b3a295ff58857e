import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '#rig/paths.mjs';
import { useWorkbench, type Workbench } from './useWorkbench';

describe('Changes by an agent in the workbench', () => {
  const agent = { name: 'Shell', command: process.execPath, args: [path.join(root, 'test/fakes/shellAgent.mjs')] };
  const settings = {
    'portside.agents': { shell: agent },
    'portside.defaultAgent': 'shell',
    'workbench.hover.delay': 60_000,
  };
  const workbench = useWorkbench({ settings });
  const files = {
    'edited.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n',
    'removed.txt': 'removed\n',
    'moved.txt': 'this file moves\nand stays the same\n',
  };

  /** A turn in which a shell command changes files; the agent itself names none of them. */
  const turn = async ({ view }: Workbench, command: string): Promise<void> => {
    const message = view.getByRole('textbox', { name: 'Message' });
    await message.fill(command);
    await message.press('Enter');
  };
  const rows = ({ page }: Workbench): Locator => page.locator('.part.auxiliarybar').getByRole('treeitem');
  const row = (window: Workbench, name: string): Locator => rows(window).filter({ hasText: name });
  const act = async (window: Workbench, name: string, action: string): Promise<void> => {
    // The buttons of a row are there under the mouse only, and rows move when another goes.
    const button = row(window, name).getByRole('button', { name: action });
    for (let tries = 0; !(await button.isVisible()); tries++) {
      assert.ok(tries < 50, `${name} offers ${action}`);
      await window.page.mouse.move(0, 0);
      await row(window, name).hover();
    }
    await button.click();
    await row(window, name).waitFor({ state: 'detached' });
  };
  const shell = `sed -i 's/two/TWO/; s/six/SIX/' edited.txt; echo new > added.txt; rm removed.txt; mv moved.txt there.txt`;
  const openChanges = async ({ page }: Workbench): Promise<void> => {
    const header = page.locator('.part.auxiliarybar').getByRole('button', { name: /Changes Section/ });
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  };
  const text = (window: Workbench, name: string): string => readFileSync(path.join(window.folder ?? '', name), 'utf8');
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await holds()); tries++) {
      assert.ok(tries < 200, String(holds));
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };

  it('are listed whoever wrote them, kept, undone and restored', async () => {
    const window = await workbench.open({ folder: 'empty', files });
    await turn(window, shell);
    await openChanges(window);
    for (const name of ['edited.txt', 'added.txt', 'removed.txt', 'there.txt'])
      await row(window, name).first().waitFor();

    await act(window, 'removed.txt', 'Undo');
    await until(() => existsSync(path.join(window.folder ?? '', 'removed.txt')));
    await act(window, 'added.txt', 'Undo');
    await until(() => !existsSync(path.join(window.folder ?? '', 'added.txt')));
    await act(window, 'there.txt', 'Keep');

    await row(window, 'edited.txt').click();
    await window.page.locator('.monaco-diff-editor').getByText('TWO').first().waitFor();
    await act(window, 'edited.txt', 'Undo');
    await until(() => text(window, 'edited.txt') === files['edited.txt']);

    await turn(window, 'echo again > added.txt; echo changed > edited.txt');
    await row(window, 'added.txt').waitFor();
    await window.runCommand('Portside: Restore Files…');
    await window.page.getByRole('option', { name: /Before turn 2/ }).click();
    await until(
      () =>
        text(window, 'edited.txt') === files['edited.txt'] && !existsSync(path.join(window.folder ?? '', 'added.txt')),
    );
    await window.page.getByRole('button', { name: 'Undo Restore' }).click();
    await until(() => text(window, 'edited.txt') === 'changed\n' && text(window, 'added.txt') === 'again\n');
    await row(window, 'added.txt').waitFor();
  });

  it('are marked in the editor, and undone there one by one without what the user wrote', async () => {
    const window = await workbench.open({ folder: 'empty', files });
    execFileSync('git', ['init', '-q'], { cwd: window.folder });
    await turn(window, shell);
    await openChanges(window);
    await row(window, 'edited.txt').waitFor();
    await window.bridge.read(async (vscode, name) => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      if (folder) await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, name));
    }, 'edited.txt');
    const { page } = window;
    await page.locator('.editor-instance .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('mine\n');
    // The user's own line is not marked.
    for (let tries = 0; (await page.locator('.dirty-diff-glyph').count()) !== 2; tries++) {
      assert.ok(tries < 100, 'the two changes of the agent are marked');
      await page.waitForTimeout(100);
    }
    await page.keyboard.press('Control+Home');
    await window.runCommand('Show Next Change');
    const peek = page.locator('.peekview-widget');
    await peek.waitFor();
    await peek.locator('.action-label[aria-label="Undo"]').click();
    const undone = 'mine\none\ntwo\nthree\nfour\nfive\nSIX\n';
    await until(async () => {
      const shown = await window.bridge.read(vscode => vscode.window.activeTextEditor?.document.getText());
      return shown === undone;
    });
    await window.runCommand('File: Save');
    await until(() => text(window, 'edited.txt') === undone);
    await window.runCommand('Show Next Change');
    await peek.locator('.action-label[aria-label="Keep"]').click();
    await row(window, 'edited.txt').waitFor({ state: 'detached' });
    assert.equal(text(window, 'edited.txt'), undone);
  });

  it('open together in the multi-file diff editor', async () => {
    const window = await workbench.open({ folder: 'empty', files });
    await turn(window, shell);
    await openChanges(window);
    await row(window, 'added.txt').waitFor();
    await window.runCommand('Portside: Review All Changes');
    await window.page.locator('.multiDiffEditor').getByText('TWO').first().waitFor();
  });
});
