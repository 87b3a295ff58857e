import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileChange, RootState } from '../../../src/changes/ports';
import { Git } from '../../../src/node/git';
import { defaultLimits, GitCheckpointStore } from '../../../src/node/gitStore';

const signal = new AbortController().signal;

/** Git as a user would run it, with nothing of this machine's own settings. */
function git(cwd: string, ...args: string[]): string {
  const identity = [
    '-c',
    'user.name=U',
    '-c',
    'user.email=u@example.org',
    '-c',
    'protocol.file.allow=always',
    '-c',
    'init.defaultBranch=main',
  ];
  return execFileSync('git', [...identity, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** Every file below a folder with its bytes and mode. */
function everything(folder: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(folder, name);
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts?.isFile()) all[name] = `${facts.mode.toString(8)} ${readFileSync(file).toString('latin1')}`;
  }
  return all;
}

describe('checkpoints with git', () => {
  let base: string;
  let work: string;
  let store: GitCheckpointStore;
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
    writeFileSync(path.join(work, name), content);
  };
  const take = async (folder = work): Promise<readonly RootState[]> => store.take([folder], signal);
  const takeOne = async (folder = work): Promise<RootState> => {
    const states = await take(folder);
    assert.equal(states.length, 1);
    return states[0]!;
  };
  const bytesAt = async (state: RootState, name: string): Promise<string | undefined> => {
    const ref = await store.find(state, name, signal);
    return ref && Buffer.from(await store.read(state.root, ref.blob, signal)).toString('latin1');
  };
  const changes = async (from: RootState, to: RootState): Promise<readonly FileChange[]> =>
    store.compare(from, to, signal);
  const short = (list: readonly FileChange[]): string[] =>
    list.map(
      ({ kind, oldPath, path: name, added, removed }) =>
        `${kind} ${oldPath ? `${oldPath} -> ` : ''}${name} +${added} -${removed}`,
    );

  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'portside git '));
    work = path.join(base, 'work');
    mkdirSync(work);
    store = new GitCheckpointStore(new Git(), path.join(base, 'storage'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const repository = (): void => {
    git(work, 'init', '-q');
    write('a.txt', 'one\ntwo\n');
    write('lib/b.txt', 'b1\nb2\nb3\nb4\nb5\n');
    write('.gitignore', 'out/\n');
    git(work, 'add', '.');
    git(work, 'commit', '-qm', 'first');
  };

  it('lists what was added, modified, deleted and renamed, with counts', async () => {
    repository();
    write('gone.txt', 'x\n');
    const from = await takeOne();
    write('a.txt', 'one\n2\nthree\n');
    write('new.txt', 'n\n');
    write('out/ignored.txt', 'i\n');
    renameSync(path.join(work, 'lib/b.txt'), path.join(work, 'lib/c.txt'));
    unlinkSync(path.join(work, 'gone.txt'));
    const to = await takeOne();
    assert.deepEqual(short(await changes(from, to)), [
      'modified a.txt +2 -1',
      'deleted gone.txt +0 -1',
      'renamed lib/b.txt -> lib/c.txt +0 -0',
      'added new.txt +1 -0',
    ]);
    assert.equal(await bytesAt(from, 'gone.txt'), 'x\n');
    assert.equal(await bytesAt(to, 'gone.txt'), undefined);
  });

  it('gives the same tree when nothing changed, also to the next window', async () => {
    repository();
    const first = await takeOne();
    assert.equal((await takeOne()).tree, first.tree);
    const next = new GitCheckpointStore(new Git(), path.join(base, 'storage'));
    assert.equal((await next.take([work], signal))[0]?.tree, first.tree);
  });

  it('leaves the repository as it is, to the byte, and runs none of its programs', async () => {
    repository();
    const trap = path.join(base, 'ran');
    for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman', 'reference-transaction']) {
      mkdirSync(path.join(work, '.git/hooks'), { recursive: true });
      writeFileSync(path.join(work, '.git/hooks', hook), `#!/bin/sh\ntouch '${trap}'\n`, { mode: 0o755 });
    }
    git(work, 'config', 'core.fsmonitor', path.join(work, '.git/hooks/fsmonitor-watchman'));
    git(work, 'config', 'filter.trap.clean', `touch '${trap}'; cat`);
    git(work, 'config', 'filter.trap.smudge', `touch '${trap}'; cat`);
    git(work, 'config', 'diff.trap.textconv', `touch '${trap}'; cat`);
    git(work, 'config', 'diff.external', `touch '${trap}'`);
    write('.git/info/attributes', 'a.txt filter=trap diff=trap\n');
    const before = everything(path.join(work, '.git'));
    const from = await takeOne();
    write('a.txt', 'changed\n');
    write('other.txt', 'o\n');
    await changes(from, await takeOne());
    assert.deepEqual(everything(path.join(work, '.git')), before);
    assert.equal(statSync(trap, { throwIfNoEntry: false }), undefined);
    assert.match(git(work, '-c', 'core.fsmonitor=false', 'fsck', '--strict'), /^$/);
  });

  it('works while another git holds the lock of the index', async () => {
    repository();
    write('.git/index.lock', '');
    const from = await takeOne();
    write('a.txt', 'changed\n');
    assert.deepEqual(short(await changes(from, await takeOne())), ['modified a.txt +1 -2']);
    assert.ok(statSync(path.join(work, '.git/index.lock')));
  });

  it('keeps the bytes on disk where git converts them', async () => {
    git(work, 'init', '-q');
    git(work, 'config', 'filter.pointer.clean', 'echo pointer');
    git(work, 'config', 'filter.pointer.smudge', 'printf "the large content"');
    write(
      '.gitattributes',
      '*.bin filter=pointer\n*.crlf text eol=crlf\n*.auto text=auto\n*.id ident\n*.wide text working-tree-encoding=UTF-16LE\n',
    );
    const files: Record<string, string> = {
      'f.bin': 'the large content',
      'f.crlf': 'x\r\ny\r\n',
      'f.auto': 'x\r\ny\r\n',
      'f.id': '$Id: 0123 $\n',
      'f.wide': 'a\0b\0\n\0',
      'f.plain': '\xef\xbb\xbfx\r\ny\nz',
      'f.empty': '',
    };
    for (const [name, content] of Object.entries(files)) write(name, Buffer.from(content, 'latin1'));
    git(work, 'add', '.');
    git(work, 'commit', '-qm', 'first');
    assert.equal(git(work, 'status', '--porcelain'), '');
    const from = await takeOne();
    for (const name of Object.keys(files)) write(name, 'by the agent\n');
    const to = await takeOne();
    for (const [name, content] of Object.entries(files)) {
      assert.equal(await bytesAt(from, name), content, name);
      assert.equal(await bytesAt(to, name), 'by the agent\n', name);
    }
  });

  it('keeps the bytes on disk under core.autocrlf', async () => {
    git(work, 'init', '-q');
    git(work, 'config', 'core.autocrlf', 'true');
    write('a.txt', 'x\r\ny\r\n');
    git(work, 'add', '.');
    git(work, 'commit', '-qm', 'first');
    const from = await takeOne();
    write('a.txt', 'x\ny\n');
    const to = await takeOne();
    assert.equal(await bytesAt(from, 'a.txt'), 'x\r\ny\r\n');
    assert.deepEqual(short(await changes(from, to)), ['modified a.txt +2 -2']);
  });

  it('sees what a file is: executable, link, a folder in its place', async () => {
    repository();
    symlinkSync('a.txt', path.join(work, 'link'));
    const from = await takeOne();
    chmodSync(path.join(work, 'a.txt'), 0o755);
    unlinkSync(path.join(work, 'link'));
    symlinkSync('elsewhere', path.join(work, 'link'));
    rmSync(path.join(work, 'lib'), { recursive: true });
    write('lib', 'a file\n');
    const to = await takeOne();
    const list = await changes(from, to);
    assert.deepEqual(
      list.map(({ kind, path: name, before, after }) => [kind, name, before?.mode, after?.mode]),
      [
        ['modified', 'a.txt', 'file', 'executable'],
        ['added', 'lib', undefined, 'file'],
        ['deleted', 'lib/b.txt', 'file', undefined],
        ['modified', 'link', 'link', 'link'],
      ],
    );
    assert.equal(await bytesAt(from, 'link'), 'a.txt');
    rmSync(path.join(work, 'lib'));
    write('lib/b.txt', 'b1\nb2\nb3\nb4\nb5\n');
    assert.deepEqual(short(await changes(to, await takeOne())), ['deleted lib +0 -1', 'added lib/b.txt +5 -0']);
  });

  it('takes every repository inside as a root of its own', async () => {
    const library = path.join(base, 'library');
    mkdirSync(library);
    git(library, 'init', '-q');
    writeFileSync(path.join(library, 's.txt'), 's\n');
    git(library, 'add', '.');
    git(library, 'commit', '-qm', 's');
    repository();
    git(work, 'submodule', 'add', '-q', library, 'sub');
    git(work, 'commit', '-qm', 'sub');
    const from = await take();
    write('sub/s.txt', 'changed\n');
    write('young/y.txt', 'y\n');
    git(path.join(work, 'young'), 'init', '-q');
    const to = await take();
    assert.deepEqual(
      to.map(state => path.relative(work, state.root)),
      ['', 'sub', 'young'],
    );
    const list = await Promise.all(
      to.map(state =>
        store.compare(
          from.find(old => old.root === state.root),
          state,
          signal,
        ),
      ),
    );
    assert.deepEqual(short(list.flat()), ['modified s.txt +1 -1', 'added y.txt +1 -0']);
    rmSync(path.join(work, 'young'), { recursive: true });
    const last = await take();
    assert.equal(last.length, 2);
    assert.deepEqual(short(await store.compare(to[2], undefined, signal)), ['deleted y.txt +0 -1']);
  });

  it('looks only at the folder that is open, with the ignore rules of the whole repository', async () => {
    repository();
    write('.git/info/exclude', '*.secret\n');
    const from = await takeOne(path.join(work, 'lib'));
    assert.equal(from.root, work);
    write('a.txt', 'outside\n');
    write('lib/out/x', 'x');
    write('lib/x.secret', 'x');
    write('lib/n.txt', 'n\n');
    const to = await takeOne(path.join(work, 'lib'));
    assert.deepEqual(short(await changes(from, to)), ['added lib/n.txt +1 -0']);
    const both = await store.take([path.join(work, 'lib'), work], signal);
    assert.deepEqual(
      both.map(state => state.scope),
      [[]],
    );
  });

  it('works in a worktree, in a merge, in a rebase and in a sparse checkout', async () => {
    repository();
    const tree = path.join(base, 'tree');
    git(work, 'worktree', 'add', '-q', '-b', 'side', tree);
    writeFileSync(path.join(tree, 'a.txt'), 'one\nside\n');
    git(tree, 'commit', '-qam', 'side');
    const inTree = await takeOne(tree);
    assert.equal(await bytesAt(inTree, 'a.txt'), 'one\nside\n');
    write('a.txt', 'one\nmain\n');
    git(work, 'commit', '-qam', 'main');
    for (const [start, stop] of [
      ['merge', ['merge', '--abort']],
      ['rebase', ['rebase', '--abort']],
    ] as const) {
      assert.throws(() => git(work, start, 'side'));
      const from = await takeOne();
      assert.match((await bytesAt(from, 'a.txt')) ?? '', /<<<<<<</);
      write('a.txt', 'resolved\n');
      assert.equal(short(await changes(from, await takeOne())).length, 1);
      git(work, ...stop);
    }
    git(work, 'sparse-checkout', 'set', '--sparse-index', 'nothing');
    store = new GitCheckpointStore(new Git(), path.join(base, 'another'));
    assert.equal(await bytesAt(await takeOne(), 'lib/b.txt'), undefined);
    write('lib/b.txt', 'written anyway\n');
    assert.equal(await bytesAt(await takeOne(), 'lib/b.txt'), 'written anyway\n');
  });

  it('never fetches what a partial clone lacks', async () => {
    repository();
    write('a.txt', 'old\n');
    git(work, 'commit', '-qam', 'second');
    git(work, 'config', 'uploadpack.allowFilter', 'true');
    const clone = path.join(base, 'clone');
    git(base, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${work}`, clone);
    git(clone, 'checkout', '-q', 'HEAD', '--', 'lib');
    const count = (): string => git(clone, 'count-objects', '-v');
    const before = count();
    const from = await takeOne(clone);
    writeFileSync(path.join(clone, 'lib/b.txt'), 'changed\n');
    const to = await takeOne(clone);
    assert.equal(count(), before);
    assert.deepEqual(short(await changes(from, to)), ['modified lib/b.txt +1 -5']);
  });

  it('reads objects that the repository itself borrows', async () => {
    repository();
    const clone = path.join(base, 'clone');
    git(base, 'clone', '-q', '--shared', work, clone);
    const from = await takeOne(clone);
    writeFileSync(path.join(clone, 'a.txt'), 'changed\n');
    await changes(from, await takeOne(clone));
    assert.equal(await bytesAt(from, 'a.txt'), 'one\ntwo\n');
  });

  it('has what it needs once a file has changed, whatever becomes of the repository', async () => {
    repository();
    const from = await takeOne();
    write('a.txt', 'changed\n');
    rmSync(path.join(work, 'lib'), { recursive: true });
    const to = await takeOne();
    git(work, 'add', '-A');
    git(work, 'commit', '-q', '--amend', '-m', 'rewritten');
    git(work, 'reflog', 'expire', '--expire=now', '--all');
    git(work, 'gc', '-q', '--prune=now');
    assert.deepEqual(short(await changes(from, to)), ['modified a.txt +1 -2', 'deleted lib/b.txt +0 -5']);
    assert.equal(await bytesAt(from, 'lib/b.txt'), 'b1\nb2\nb3\nb4\nb5\n');
    rmSync(path.join(work, '.git'), { recursive: true });
    assert.equal(await bytesAt(from, 'a.txt'), 'one\ntwo\n');
    write('a.txt', 'again\n');
    assert.deepEqual(short(await changes(to, await takeOne())), ['modified a.txt +1 -1']);
  });

  it('says so when the bytes of a checkpoint are gone', async () => {
    repository();
    const from = await takeOne();
    const ref = await store.find(from, 'a.txt', signal);
    rmSync(path.join(work, '.git/objects'), { recursive: true });
    await assert.rejects(store.read(work, ref!.blob, signal), { code: 'checkpointGone' });
    write('a.txt', 'changed\n');
    const to = await takeOne();
    assert.equal(await bytesAt(to, 'a.txt'), 'changed\n');
    await assert.rejects(changes(from, to), { code: 'checkpointGone' });
  });

  it('keeps the files of a bare folder in a repository of its own', async () => {
    write('a.txt', 'a\n');
    write('node_modules/m/index.js', 'm\n');
    write('.gitignore', 'out/\n');
    write('out/x', 'x\n');
    const from = await takeOne();
    write('a.txt', 'b\n');
    write('out/x', 'y\n');
    assert.deepEqual(short(await changes(from, await takeOne())), ['modified a.txt +1 -1']);
    assert.deepEqual(readdirSync(work).sort(), ['.gitignore', 'a.txt', 'node_modules', 'out']);
    write('inner/c.txt', 'c\n');
    assert.equal((await store.take([work, path.join(work, 'inner')], signal)).length, 1);
    rmSync(work, { recursive: true });
    assert.equal((await changes(from, await takeOne())).length, 2);
  });

  it('knows a large file by size and time, and says so', async () => {
    store = new GitCheckpointStore(new Git(), path.join(base, 'storage'), { ...defaultLimits, fileBytes: 100 });
    repository();
    write('large', 'x'.repeat(101));
    const from = await takeOne();
    assert.deepEqual(from.leftOut, ['large']);
    assert.equal((await takeOne()).tree, from.tree);
    write('large', 'y'.repeat(102));
    const [change] = await changes(from, await takeOne());
    assert.deepEqual([change?.kind, change?.kept, change?.added], ['modified', false, undefined]);
    write('large', 'small');
    const small = await takeOne();
    assert.deepEqual(small.leftOut, []);
    assert.equal(await bytesAt(small, 'large'), 'small');
  });

  it('does not look at more new files than its limit, and says so', async () => {
    store = new GitCheckpointStore(new Git(), path.join(base, 'storage'), { ...defaultLimits, newFiles: 3 });
    repository();
    for (let i = 0; i < 4; i++) write(`new${i}`, 'n');
    write('a.txt', 'changed\n');
    const state = await takeOne();
    assert.equal(state.skipped, 4);
    assert.equal(await bytesAt(state, 'new0'), undefined);
    assert.equal(await bytesAt(state, 'a.txt'), 'changed\n');
  });

  it('keeps bytes that are not on disk', async () => {
    repository();
    const blob = await store.put(work, Buffer.from('unsaved'));
    assert.equal(await store.put(work, Buffer.from('unsaved')), blob);
    assert.equal(Buffer.from(await store.read(work, blob, signal)).toString(), 'unsaved');
  });

  it('stops when told to, and works again afterwards', async () => {
    repository();
    const stop = new AbortController();
    const taking = store.take([work], stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(taking, /stopped/);
    assert.equal(await bytesAt(await takeOne(), 'a.txt'), 'one\ntwo\n');
  });

  it('tells that git is missing', async () => {
    const none = new GitCheckpointStore(new Git(path.join(base, 'no-git')), path.join(base, 'storage'));
    await assert.rejects(none.take([work], signal), { code: 'gitMissing' });
  });
});
