import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WriteEntry } from '../../src/chat/state';
import { Diffs, diffScheme } from '../../src/host/diffs';
import { eventually } from './eventually';

describe('diffs', () => {
  let folder: string;
  let entries: WriteEntry[];
  let diffs: Diffs;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portside-diffs-'));
  });
  beforeEach(() => {
    entries = [];
    diffs = new Diffs(() => entries);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    diffs.dispose();
  });

  const written = (id: string, before: string | undefined, after: string): WriteEntry => {
    const entry: WriteEntry = {
      kind: 'write',
      id,
      turn: 1,
      path: path.join(folder, 'a.ts'),
      after,
      ...(before === undefined ? {} : { before }),
    };
    entries.push(entry);
    return entry;
  };
  const tabs = (): vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputTextDiff ? [input] : []));
  const sides = async (tab: vscode.TabInputTextDiff): Promise<string[]> =>
    Promise.all(
      [tab.original, tab.modified].map(async uri => (await vscode.workspace.openTextDocument(uri)).getText()),
    );

  it('show before and after in the language of the file, and write nothing', async () => {
    await diffs.open(written('e1', 'let a = 1;\n', 'let a = 2;\n'), 0);
    await eventually(() => tabs().length === 1);
    const [tab] = tabs();
    assert.ok(tab);
    assert.deepEqual(await sides(tab), ['let a = 1;\n', 'let a = 2;\n']);
    assert.equal((await vscode.workspace.openTextDocument(tab.modified)).languageId, 'typescript');
    assert.equal(tab.original.scheme, diffScheme);
    assert.deepEqual(await readdir(folder), []);
  });

  it('of the same file show each its own texts', async () => {
    const [first, second] = [written('e1', undefined, 'one\n'), written('e2', 'one\n', 'two\n')];
    await diffs.open(first, 0);
    await eventually(() => tabs().some(tab => tab.original.query.includes('e1')));
    assert.deepEqual(await sides(tabs()[0]!), ['', 'one\n']);
    await diffs.open(second, 0);
    await eventually(() => tabs().some(tab => tab.original.query.includes('e2')));
    assert.deepEqual(await sides(tabs().find(tab => tab.original.query.includes('e2'))!), ['one\n', 'two\n']);
  });

  it('find their texts again in a conversation that was restored', async () => {
    await diffs.open(written('e1', 'one\n', 'two\n'), 0);
    await eventually(() => tabs().length === 1);
    const { original, modified } = tabs()[0]!;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    diffs.dispose();
    diffs = new Diffs(() => entries);
    await vscode.commands.executeCommand('vscode.diff', original, modified, 'again');
    await eventually(() => tabs().length === 1);
    assert.deepEqual(await sides(tabs()[0]!), ['one\n', 'two\n']);
  });
});
