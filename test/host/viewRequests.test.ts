import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExpectedError } from '../../src/base/errors';
import { projectEntry } from '../../src/chat/project';
import type { Entry } from '../../src/chat/state';
import { viewRequests, type ViewRequestContext } from '../../src/host/viewRequests';
import { eventually } from './eventually';

describe('what the view asks for', () => {
  let folder: string;
  let outside: string;
  let requests: ReturnType<typeof viewRequests>;
  const call: Entry = {
    kind: 'tool',
    id: 'e1',
    turn: 1,
    toolCallId: 't',
    title: 'Look for the needle',
    toolKind: 'search',
    status: 'completed',
    content: [],
    locations: [],
    rawInput: { pattern: 'needle' },
    terminals: [],
    permissions: [],
    writes: [],
  };
  const said: Entry = {
    kind: 'agent',
    id: 'e2',
    turn: 1,
    open: false,
    content: [{ type: 'text', text: 'A needle, and a Needle.' }],
  };

  beforeEach(async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    folder = await realpath(await mkdtemp(path.join(first.uri.fsPath, 'view-')));
    outside = await mkdtemp(path.join(tmpdir(), 'portside-outside-'));
    const entries = [call, said];
    requests = viewRequests({
      sessions: { current: { state: { conversation: { entries }, cwd: folder } } },
      model: { state: { entries: entries.map(entry => projectEntry(entry, { cwd: folder })) } },
    } as unknown as ViewRequestContext);
  });
  afterEach(async () => {
    while (vscode.window.activeTextEditor?.document.isDirty)
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
    await rm(outside, { recursive: true });
  });

  const refused =
    (code: string) =>
    (error: unknown): boolean =>
      error instanceof ExpectedError && error.code === code;
  const opened = () => vscode.window.activeTextEditor?.document.uri.fsPath;

  it('opens files of the workspace, at their line', async () => {
    await writeFile(path.join(folder, 'a.txt'), 'one\ntwo\nthree\n');
    await requests.openLink({ href: 'a.txt#L2' });
    await eventually(() => opened() === path.join(folder, 'a.txt'));
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await requests.openLocation({ path: path.join(folder, 'a.txt'), line: 3 });
    await eventually(() => vscode.window.activeTextEditor?.selection.active.line === 2);
  });

  it('opens no file outside of it, whichever way the path leads', async () => {
    await writeFile(path.join(outside, 'secret.txt'), 'secret');
    await symlink(outside, path.join(folder, 'door'));
    for (const file of [path.join(outside, 'secret.txt'), 'door/secret.txt', '../../../../../etc/passwd']) {
      await assert.rejects(async () => requests.openLocation({ path: file }), refused('outside'), file);
      await assert.rejects(async () => requests.openLink({ href: file }), refused('outside'), file);
    }
    assert.equal(opened(), undefined);
  });

  it('follows no link that is neither of the web nor of a file', async () => {
    for (const href of ['command:workbench.action.closeWindow', 'vscode://x/y', 'javascript:alert(1)', 'mailto:a@b'])
      await assert.rejects(async () => requests.openLink({ href }), refused('linkRefused'), href);
  });

  it('finds in all that is said, drawn or not', async () => {
    assert.deepEqual(await requests.find({ query: 'needle' }), {
      matches: [
        { entryId: 'e1', count: 1 },
        { entryId: 'e2', count: 2 },
      ],
    });
  });

  it('gives raw input and output of the call that is named', async () => {
    assert.deepEqual(await requests.rawDetails({ entryId: 'e1' }), { input: '{\n  "pattern": "needle"\n}' });
    await assert.rejects(async () => requests.rawDetails({ entryId: 'none' }), refused('noEntry'));
  });

  it('puts text in place of what is selected', async () => {
    await writeFile(path.join(folder, 'a.txt'), 'one two three\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, 'a.txt')));
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await requests.insertAtCursor({ text: '2' });
    assert.equal(editor.document.getText(), 'one 2 three\n');
  });
});
