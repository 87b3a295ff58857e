import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandSearch, pathFolders, wrapperOf } from '../../../src/node/which';

describe('looking commands up', () => {
  let root: string;
  const folder = (name: string) => path.join(root, name);
  const put = (name: string, mode = 0o755) => {
    mkdirSync(path.dirname(folder(name)), { recursive: true });
    writeFileSync(folder(name), '#!/bin/sh\n');
    chmodSync(folder(name), mode);
    return folder(name);
  };

  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'which-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  const search = new CommandSearch('linux');
  const where = async (command: string, folders: string[], by = search) =>
    (await by.find([command], folders.map(folder))).get(command)?.path;

  it('finds the first along the folders, as `command -v` does', async () => {
    put('a/other');
    put('b/tool');
    put('c/tool');
    assert.equal(await where('tool', ['a', 'b', 'c']), folder('b/tool'));
    const PATH = ['a', 'b', 'c'].map(folder).join(':');
    const shell = execFileSync('/bin/sh', ['-c', 'command -v tool'], { env: { PATH }, encoding: 'utf8' });
    assert.equal(await where('tool', ['a', 'b', 'c']), shell.trim());
  });

  it('passes over what cannot be run: no permission, a folder, a dangling link, a folder that is missing', async () => {
    put('a/tool', 0o644);
    mkdirSync(folder('b/tool'), { recursive: true });
    mkdirSync(folder('c'));
    symlinkSync('/nowhere/at/all', folder('c/tool'));
    const good = put('d/tool');
    writeFileSync(folder('file'), '');
    assert.equal(await where('tool', ['a', 'b', 'c', 'missing', 'file', 'd']), good);
    assert.equal(await where('tool', ['a', 'b', 'c']), undefined);
  });

  it('does not take a part of a name, another case, or a path for a command', async () => {
    put('a/tool');
    for (const command of ['too', 'Tool', 'tool.sh', '../a/tool', ''])
      assert.equal(await where(command, ['a']), undefined);
  });

  it('gives the file behind a link', async () => {
    const real = put('lib/pkg/cli.js');
    mkdirSync(folder('bin'));
    symlinkSync('../lib/pkg/cli.js', folder('bin/tool'));
    const found = (await search.find(['tool'], [folder('bin')])).get('tool');
    assert.deepEqual(found, { path: folder('bin/tool'), realPath: real });
  });

  it('sees a command that was installed, or removed, after the first look', async () => {
    mkdirSync(folder('a'));
    assert.equal(await where('tool', ['a']), undefined);
    put('a/tool');
    assert.equal(await where('tool', ['a']), folder('a/tool'));
    rmSync(folder('a/tool'));
    assert.equal(await where('tool', ['a']), undefined);
  });

  it('lists a folder again only when it has changed', async () => {
    put('a/one');
    const old = new Date(Date.now() - 60_000);
    utimesSync(folder('a'), old, old);
    assert.equal(await where('one', ['a']), folder('a/one'));
    put('a/two');
    utimesSync(folder('a'), old, old);
    assert.equal(await where('two', ['a']), undefined, 'the folder claims not to have changed');
    utimesSync(folder('a'), new Date(), new Date());
    assert.equal(await where('two', ['a']), folder('a/two'));
  });

  it('finds all of one command', async () => {
    put('a/node');
    put('c/node');
    const all = await search.findAll('node', ['a', 'b', 'c'].map(folder));
    assert.deepEqual(
      all.map(file => file.path),
      [folder('a/node'), folder('c/node')],
    );
  });

  it('follows PATHEXT on Windows, whatever the case of names', async () => {
    const windows = new CommandSearch('win32', '.EXE;.CMD');
    put('a/tool');
    put('a/tool.ps1');
    put('b/Tool.cmd', 0o644);
    put('b/other.EXE', 0o644);
    put('c/tool.exe', 0o644);
    assert.equal(await where('tool', ['a', 'b', 'c'], windows), folder('b/Tool.cmd'));
    assert.equal(await where('TOOL.CMD', ['a', 'b', 'c'], windows), folder('b/Tool.cmd'));
    assert.equal(await where('tool.exe', ['a', 'b', 'c'], windows), folder('c/tool.exe'));
    assert.equal(await where('other', ['b'], windows), folder('b/other.EXE'));
    put('b/tool.exe', 0o644);
    assert.equal(await where('tool', ['b'], windows), folder('b/tool.exe'), 'the order of PATHEXT counts');
  });

  it('sees an app execution alias, which leads nowhere that can be read', async () => {
    mkdirSync(folder('apps'));
    symlinkSync('/nowhere', folder('apps/winget.exe'));
    assert.equal(await where('winget', ['apps'], new CommandSearch('win32')), folder('apps/winget.exe'));
  });

  it('takes PATH apart: absolute folders, once, without quotes', () => {
    assert.deepEqual(pathFolders('/a:/b:.:bin::/a', 'linux'), ['/a', '/b']);
    assert.deepEqual(pathFolders('C:\\a;"D:\\b c";.;;C:\\a', 'win32'), ['C:\\a', 'D:\\b c']);
    assert.deepEqual(pathFolders(undefined, 'linux'), []);
  });

  it('knows the stand-ins of version managers', () => {
    const known = {
      '/home/u/.asdf/shims/gemini': 'asdf',
      '/home/u/.local/share/mise/shims/gemini': 'mise',
      '/home/u/.volta/bin/gemini': 'volta',
      'C:\\Users\\u\\AppData\\Local\\Volta\\bin\\gemini.exe': 'volta',
      '/home/u/.proto/shims/gemini': 'proto',
      '/home/u/.nvm/versions/node/v22.1.0/bin/gemini': 'nvm',
      '/run/user/1000/fnm_multishells/12_34/bin/gemini': 'fnm',
      '/usr/lib/node_modules/corepack/dist/pnpm.js': 'corepack',
      '/usr/bin/gemini': undefined,
    };
    for (const [file, wrapper] of Object.entries(known)) assert.equal(wrapperOf(file), wrapper, file);
  });

  it('names the version manager of a command that leads to it', async () => {
    put('corepack/dist/pnpm.js');
    mkdirSync(folder('bin'));
    symlinkSync('../corepack/dist/pnpm.js', folder('bin/pnpm'));
    assert.equal((await search.find(['pnpm'], [folder('bin')])).get('pnpm')?.wrapper, 'corepack');
  });
});
