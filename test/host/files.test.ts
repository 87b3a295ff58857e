import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileError } from '../../src/acp/ports';
import { WorkspaceFiles } from '../../src/host/files';
import { eventually } from './eventually';

describe('files for agents', () => {
  const { signal } = new AbortController();
  let base: string;
  let root: string;
  let files: WorkspaceFiles;

  beforeEach(async () => {
    // In the workspace, which VS Code watches from the start.
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    base = await realpath(await mkdtemp(path.join(folder.uri.fsPath, 'files-')));
    root = path.join(base, 'app');
    await mkdir(root);
    files = new WorkspaceFiles(() => [root]);
  });
  afterEach(async () => {
    while (vscode.workspace.textDocuments.some(document => document.isDirty && document.uri.fsPath.startsWith(base)))
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await configure('files', { encoding: undefined, trimTrailingWhitespace: undefined, insertFinalNewline: undefined });
    await rm(base, { recursive: true });
  });

  const at = (...parts: string[]): string => path.join(root, ...parts);
  const read = (name: string, line?: number, limit?: number): Promise<string> =>
    files.read(root, { path: at(name), ...(line ? { line } : {}), ...(limit ? { limit } : {}) }, signal);
  const write = (name: string, text: string): Promise<{ before?: string }> => files.write(root, at(name), text, signal);
  const disk = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const refused =
    (kind: FileError['kind'], words = /./) =>
    (error: unknown): boolean =>
      error instanceof FileError && error.kind === kind && words.test(error.message);
  const open = async (name: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(at(name));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const type = async (document: vscode.TextDocument, text: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };

  describe('reading', () => {
    it('gives lines from a 1-based line on, and an empty file as an empty text', async () => {
      await writeFile(at('a.txt'), 'one\ntwo\nthree');
      await writeFile(at('empty.txt'), '');
      assert.equal(await read('a.txt'), 'one\ntwo\nthree');
      assert.equal(await read('a.txt', 2, 1), 'two\n');
      assert.equal(await read('a.txt', undefined, 2), 'one\ntwo\n');
      assert.equal(await read('empty.txt'), '');
    });

    it('says that a file is missing', async () => {
      await assert.rejects(read('none.txt'), refused('notFound', /^Resource not found: .*none\.txt$/));
      await assert.rejects(read('no/such/folder.txt'), refused('notFound'));
    });

    it('gives the unsaved text of an open document, and no editor is opened for any file', async () => {
      await writeFile(at('a.txt'), 'saved\n');
      await writeFile(at('b.txt'), 'b');
      await type(await open('a.txt'), 'un');
      assert.equal(await read('a.txt'), 'unsaved\n');
      await read('b.txt');
      assert.ok(!vscode.workspace.textDocuments.some(document => document.uri.fsPath === at('b.txt')));
    });

    it('keeps byte order marks and line ends', async () => {
      await writeFile(at('a.txt'), '\uFEFFone\r\ntwo\n');
      assert.equal(await read('a.txt'), '\uFEFFone\r\ntwo\n');
    });

    it('refuses folders, FIFOs, devices and binary files at once', async () => {
      execFileSync('mkfifo', [at('pipe')]);
      await mkdir(at('folder'));
      await writeFile(at('nul.bin'), Buffer.from([0x61, 0, 0x62]));
      await writeFile(at('latin1.txt'), Buffer.from([0x61, 0xe9]));
      await symlink('/dev/zero', at('zero'));
      for (const name of ['pipe', 'folder', 'nul.bin', 'latin1.txt', 'zero']) {
        await assert.rejects(read(name), refused('refused'), name);
        await assert.rejects(write(name, 'x'), refused('refused'), name);
      }
      assert.deepEqual(await readFile(at('latin1.txt')), Buffer.from([0x61, 0xe9]));
    });

    it('says that a file may not be read', async function () {
      if (process.getuid?.() === 0) this.skip();
      await writeFile(at('secret.txt'), 'x');
      await chmod(at('secret.txt'), 0);
      await assert.rejects(read('secret.txt'), refused('failed', /EACCES/));
    });
  });

  describe('outside the workspace folders', () => {
    it('nothing is read or written, whichever way the path leads', async () => {
      await mkdir(path.join(base, 'app-evil'));
      await writeFile(path.join(base, 'app-evil', 'a.txt'), 'evil');
      await symlink(path.join(base, 'app-evil'), at('door'));
      await symlink(path.join(base, 'new.txt'), at('dangling'));
      for (const name of [
        path.join(base, 'app-evil', 'a.txt'),
        `${root}/../app-evil/a.txt`,
        at('door', 'a.txt'),
        at('door', 'new.txt'),
        at('dangling'),
        '/etc/passwd',
        '/proc/self/environ',
      ]) {
        await assert.rejects(files.read(root, { path: name }, signal), refused('refused', /outside/), name);
        await assert.rejects(files.write(root, name, 'x', signal), refused('refused', /outside/), name);
      }
      assert.equal(await readFile(path.join(base, 'app-evil', 'a.txt'), 'utf8'), 'evil');
      await assert.rejects(stat(path.join(base, 'new.txt')));
    });

    it('with no folder everything is outside', async () => {
      files = new WorkspaceFiles(() => []);
      await assert.rejects(write('a.txt', 'x'), refused('refused', /outside/));
    });

    it('a folder that is a link itself is inside', async () => {
      await symlink(root, path.join(base, 'link'));
      files = new WorkspaceFiles(() => [path.join(base, 'link')]);
      await files.write(root, path.join(base, 'link', 'a.txt'), 'x', signal);
      assert.equal(await disk('a.txt'), 'x');
    });
  });

  describe('writing', () => {
    it('makes the file and its folders, and tells what was there before', async () => {
      assert.deepEqual(await write('x/y/z.txt', 'new'), {});
      assert.deepEqual(await write('x/y/z.txt', 'newer'), { before: 'new' });
      assert.equal(await disk('x/y/z.txt'), 'newer');
    });

    it('writes a closed file byte for byte and keeps its mode', async () => {
      await configure('files', { trimTrailingWhitespace: true, insertFinalNewline: true });
      await writeFile(at('run.sh'), 'old\r\n');
      await chmod(at('run.sh'), 0o750);
      for (const text of ['mixed\r\nline\nends  ', '\uFEFFmark', 'no end', ''])
        assert.equal((await write('run.sh', text), await disk('run.sh')), text);
      assert.equal((await stat(at('run.sh'))).mode & 0o777, 0o750);
    });

    it('through a link writes its target', async () => {
      await writeFile(at('target.txt'), 'old');
      await symlink('target.txt', at('link.txt'));
      await write('link.txt', 'new');
      assert.equal(await disk('target.txt'), 'new');
      assert.equal(await realpath(at('link.txt')), at('target.txt'));
    });

    it('under an open document without unsaved changes: read at once, loaded by itself, undone by Undo', async () => {
      await configure('files', { trimTrailingWhitespace: true, insertFinalNewline: true });
      await writeFile(at('a.txt'), 'one\r\n');
      const document = await open('a.txt');
      await write('a.txt', 'one\ntwo  ');
      assert.equal(await read('a.txt'), 'one\ntwo  ');
      assert.equal(await disk('a.txt'), 'one\ntwo  ');
      await eventually(() => document.getText() === 'one\ntwo  ');
      assert.ok(!document.isDirty);
      await vscode.commands.executeCommand('undo');
      assert.match(document.getText(), /^one\r?\n$/);
    });

    it('into unsaved text that the agent has read: edited, saved, undone by Undo', async () => {
      await writeFile(at('a.txt'), 'one\r\ntwo\r\n');
      const document = await open('a.txt');
      await type(document, 'zero\r\n');
      assert.equal(await read('a.txt'), 'zero\r\none\r\ntwo\r\n');
      assert.deepEqual(await write('a.txt', 'zero\none\nTWO\n'), { before: 'zero\r\none\r\ntwo\r\n' });
      assert.equal(await disk('a.txt'), 'zero\none\nTWO\n');
      assert.equal(await read('a.txt'), 'zero\none\nTWO\n');
      assert.ok(!document.isDirty);
      await vscode.commands.executeCommand('undo');
      assert.match(document.getText(), /^zero\r?\none\r?\ntwo\r?\n$/);
    });

    it('never drops what the user typed after the agent had read', async () => {
      await writeFile(at('a.txt'), 'one\n');
      await read('a.txt');
      const document = await open('a.txt');
      await type(document, 'mine ');
      await assert.rejects(write('a.txt', 'theirs\n'), refused('refused', /not saved/));
      assert.equal(document.getText(), 'mine one\n');
      assert.equal(await disk('a.txt'), 'one\n');
      await read('a.txt');
      await type(document, 'more ');
      await assert.rejects(write('a.txt', 'theirs\n'), refused('refused'));
      assert.equal(await read('a.txt'), 'more mine one\n');
      await write('a.txt', 'more mine one, and theirs\n');
      assert.equal(await disk('a.txt'), 'more mine one, and theirs\n');
    });

    it('tells the agent when saving changes the text', async () => {
      await configure('files', { trimTrailingWhitespace: true });
      await writeFile(at('a.txt'), 'one\n');
      await type(await open('a.txt'), 'x');
      await read('a.txt');
      await assert.rejects(write('a.txt', 'one  \n'), refused('failed', /Read it again/));
    });

    it('tells the agent when the document cannot be saved, and gives the user the text back', async () => {
      await writeFile(at('a.txt'), 'one\n');
      const document = await open('a.txt');
      await type(document, 'mine ');
      await read('a.txt');
      await rm(at('a.txt'));
      await mkdir(at('a.txt'));
      await assert.rejects(write('a.txt', 'theirs\n'), (error: unknown) => error instanceof FileError);
      assert.equal(document.getText(), 'mine one\n');
      await rm(at('a.txt'), { recursive: true });
      await writeFile(at('a.txt'), 'one\n');
    });

    it('keeps one byte order mark in a document that has one', async () => {
      await writeFile(at('a.txt'), '\uFEFFone\n');
      const document = await open('a.txt');
      await type(document, 'x');
      assert.equal(await read('a.txt'), '\uFEFFxone\n');
      await write('a.txt', '\uFEFFtwo\n');
      assert.equal(await disk('a.txt'), '\uFEFFtwo\n');
      assert.equal(document.getText(), 'two\n');
    });

    it('keeps the encoding of a file, and refuses what does not fit into it', async () => {
      await configure('files', { encoding: 'windows1252' });
      await writeFile(at('a.txt'), Buffer.from([0x61, 0xe9]));
      assert.equal(await read('a.txt'), 'aé');
      await write('a.txt', 'éé');
      assert.deepEqual(await readFile(at('a.txt')), Buffer.from([0xe9, 0xe9]));
      await assert.rejects(write('a.txt', '中'), refused('refused', /cannot be written/));
      assert.deepEqual(await readFile(at('a.txt')), Buffer.from([0xe9, 0xe9]));
      await writeFile(at('wide.txt'), Buffer.from('\uFEFFwide', 'utf16le'));
      assert.equal(await read('wide.txt'), 'wide');
      await write('wide.txt', 'wider');
      assert.deepEqual(await readFile(at('wide.txt')), Buffer.from('\uFEFFwider', 'utf16le'));
    });
  });
});

async function configure(section: string, values: Record<string, unknown>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Global);
}
