import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { saveBeforePrompt } from '../../src/host/saveBeforePrompt';

describe('before a message is sent', () => {
  let file: string;

  const choose = async (value: string | undefined): Promise<void> =>
    vscode.workspace.getConfiguration('portside').update('saveBeforePrompt', value, vscode.ConfigurationTarget.Global);

  beforeEach(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    file = path.join(folder.uri.fsPath, 'unsaved.txt');
    await writeFile(file, 'saved');
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.file(file), new vscode.Position(0, 0), 'un');
    await vscode.workspace.applyEdit(edit);
  });
  afterEach(async () => {
    await choose(undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(file);
  });

  it('unsaved files are saved where the user always wants it', async () => {
    await choose('always');
    await saveBeforePrompt();
    assert.equal(await readFile(file, 'utf8'), 'unsaved');
  });

  it('unsaved files stay as they are where the user never wants it', async () => {
    await choose('never');
    await saveBeforePrompt();
    assert.equal(await readFile(file, 'utf8'), 'saved');
  });

  it('the user is asked, and without an answer nothing is sent', async () => {
    // VS Code refuses to show a dialog in extension tests: no answer.
    await assert.rejects(saveBeforePrompt());
    assert.equal(await readFile(file, 'utf8'), 'saved');
  });
});
