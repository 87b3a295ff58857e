import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInside, realPathOf, refusedName } from '../../../src/node/paths';
import { readPlainFile, writePlainFile } from '../../../src/node/plainFile';

describe('paths', () => {
  it('takes a folder for its own inside, and nothing that only begins like it', () => {
    for (const [file, inside] of [
      ['/proj/app', true],
      ['/proj/app/a.txt', true],
      ['/proj/app/..a', true],
      ['/proj/app-evil/a.txt', false],
      ['/proj', false],
      ['/proj/App/a.txt', false],
      ['/', false],
    ] as const)
      assert.equal(isInside(file, ['/other', '/proj/app'], 'linux'), inside, file);
    assert.equal(isInside('/proj/app', [], 'linux'), false);
    assert.equal(isInside('/any/where', ['/'], 'linux'), true);
  });

  it("compares Windows' paths without regard to case, drive by drive", () => {
    for (const [file, inside] of [
      ['c:\\proj\\APP\\a.txt', true],
      ['C:\\Proj\\app-evil\\a.txt', false],
      ['D:\\Proj\\app\\a.txt', false],
      ['\\\\server\\share\\a.txt', false],
    ] as const)
      assert.equal(isInside(file, ['C:\\Proj\\app'], 'win32'), inside, file);
    assert.equal(isInside('\\\\server\\share\\x\\a.txt', ['\\\\Server\\Share\\x'], 'win32'), true);
  });

  it('refuses names that mean something else to Windows', () => {
    for (const file of [
      'C:\\w\\con',
      'C:\\w\\NUL.txt',
      'C:\\w\\com1.log',
      'C:\\w\\lpt¹',
      'C:\\w\\a.txt:stream',
      'C:\\w\\a.txt.',
      'C:\\w\\dir \\a.txt',
      '\\\\.\\pipe\\x',
      '\\\\?\\C:\\w\\a.txt',
      '\\rooted',
      'relative.txt',
      'C:\\w\\a\0b',
    ])
      assert.ok(refusedName(file, 'win32'), JSON.stringify(file));
    for (const file of ['C:\\w\\console.ts', 'c:/w/.git/x', 'C:\\w\\..\\a.b.c', '\\\\server\\share\\a'])
      assert.equal(refusedName(file, 'win32'), undefined, file);
    assert.ok(refusedName('a.txt', 'linux'));
    assert.equal(refusedName('/w/con:a. ', 'linux'), undefined);
  });
});

describe('files behind links', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'portside-')));
    await mkdir(path.join(folder, 'in'));
    await mkdir(path.join(folder, 'out'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const at = (...parts: string[]): string => path.join(folder, ...parts);

  it('finds the real path of what is there and of what is not', async () => {
    await symlink(at('out'), at('in', 'door'));
    await symlink(at('out', 'new.txt'), at('in', 'dangling'));
    await symlink('dangling', at('in', 'chain'));
    assert.equal(await realPathOf(at('in', 'door', 'x', 'y.txt')), at('out', 'x', 'y.txt'));
    assert.equal(await realPathOf(at('in', 'dangling')), at('out', 'new.txt'));
    assert.equal(await realPathOf(at('in', 'chain')), at('out', 'new.txt'));
    assert.equal(await realPathOf(at('in', 'a', 'b.txt')), at('in', 'a', 'b.txt'));
  });

  it('does not follow links in circles', async () => {
    await symlink(at('in', 'b'), at('in', 'a'));
    await symlink(at('in', 'a'), at('in', 'b'));
    await assert.rejects(realPathOf(at('in', 'a')));
  });

  it('writes exactly the bytes, also fewer than before, and makes folders', async () => {
    const file = at('in', 'x', 'y', 'z.txt');
    await writePlainFile(file, Buffer.from('a longer text'));
    await writePlainFile(file, Buffer.from('short'));
    assert.equal(String(await readPlainFile(file)), 'short');
    assert.equal(await readPlainFile(at('in', 'none')), undefined);
  });

  it('refuses folders, FIFOs and links at once', async () => {
    execFileSync('mkfifo', [at('in', 'pipe')]);
    await writeFile(at('out', 'a.txt'), 'a');
    await symlink(at('out', 'a.txt'), at('in', 'link'));
    for (const name of ['', 'pipe', 'link']) {
      await assert.rejects(readPlainFile(at('in', name)), name);
      await assert.rejects(writePlainFile(at('in', name), Buffer.from('b')), name);
    }
    assert.equal(String(await readPlainFile(at('out', 'a.txt'))), 'a');
    await assert.rejects(readPlainFile('/dev/zero'));
  });

  it('refuses a folder on the way that has become a link, and makes nothing behind it', async () => {
    await writeFile(at('out', 'a.txt'), 'a');
    await symlink(at('out'), at('in', 'door'));
    await assert.rejects(readPlainFile(at('in', 'door', 'a.txt')), /link/);
    for (const name of ['a.txt', 'new.txt', 'new/b.txt'])
      await assert.rejects(writePlainFile(at('in', 'door', name), Buffer.from('b')), /link/);
    assert.deepEqual(await readdir(at('out')), ['a.txt']);
    assert.equal(String(await readPlainFile(at('out', 'a.txt'))), 'a');
  });
});
