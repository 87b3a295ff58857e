import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { Checkpoints, type UnsavedText } from '../../../src/changes/checkpoints';
import type { RestoreTarget } from '../../../src/changes/ports';
import { CheckpointFiles } from '../../../src/node/checkpointFiles';
import { diskRestore } from '../../../src/node/diskRestore';
import { Git } from '../../../src/node/git';
import { defaultPruneLimits, prune } from '../../../src/node/gitPrune';
import { defaultLimits, GitCheckpointStore } from '../../../src/node/gitStore';

const signal = new AbortController().signal;

/** What a folder holds, to the byte, with modes and links; not what belongs to git. */
function picture(folder: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(folder, name);
    const facts = lstatSync(file);
    if (name.split(path.sep).includes('.git') || facts.isDirectory()) continue;
    all[name] = facts.isSymbolicLink()
      ? `-> ${readlinkSync(file)}`
      : `${facts.mode.toString(8)} ${readFileSync(file).toString('latin1')}`;
  }
  return all;
}

describe('the checkpoints of a session', () => {
  let base: string;
  let work: string;
  let unsaved: UnsavedText[];
  let store: GitCheckpointStore;
  let files: CheckpointFiles;
  let checkpoints: Checkpoints;
  const at = (name: string): string => path.join(work, name);
  const write = (name: string, content: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), Buffer.from(content, 'latin1'));
  };
  const session = (id = 's1', folders = [work]): Checkpoints =>
    new Checkpoints(id, store, files, { folders: () => folders, unsaved: () => unsaved });
  const list = (turn: number): string[] =>
    checkpoints
      .turnChanges(turn)
      .files.map(({ kind, path: name, added, removed }) => `${kind} ${name} +${added} -${removed}`);
  const turn = async (number: number, agent: () => void): Promise<void> => {
    await checkpoints.startTurn(number, signal);
    agent();
    await checkpoints.update(number, signal);
  };

  beforeEach(() => {
    base = mkdtempSync(path.join(tmpdir(), 'portside-changes-'));
    work = path.join(base, 'work');
    mkdirSync(work);
    execFileSync('git', ['init', '-q'], { cwd: work });
    unsaved = [];
    store = new GitCheckpointStore(new Git(), path.join(base, 'storage'), { ...defaultLimits, fileBytes: 1000 });
    files = new CheckpointFiles(path.join(base, 'storage'));
    checkpoints = session();
  });
  afterEach(() => {
    checkpoints.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  it('lists the files of each turn and of the session, without what the user did in between', async () => {
    write('a', '1\n');
    write('b', '1\n');
    const heard: number[] = [];
    checkpoints.onDidChange(({ turn }) => heard.push(turn));
    await turn(1, () => {
      write('a', '2\n');
      write('temporary', 't\n');
    });
    write('b', "the user's\n");
    await turn(2, () => {
      write('a', '3\n');
      rmSync(at('temporary'));
      write('c', 'c\n');
    });
    await checkpoints.update(2, signal);
    assert.deepEqual(heard, [1, 2]);
    assert.deepEqual(list(1), ['modified a +1 -1', 'added temporary +1 -0']);
    assert.deepEqual(list(2), ['modified a +1 -1', 'added c +1 -0', 'deleted temporary +0 -1']);
    const { files: all } = await checkpoints.sessionChanges(signal);
    assert.deepEqual(
      all.map(change => change.path),
      ['a', 'c'],
    );
  });

  it('sees a turn that takes back its own change as unchanged', async () => {
    write('a', '1\n');
    await turn(1, () => write('a', '2\n'));
    write('a', '1\n');
    await checkpoints.update(1, signal);
    assert.deepEqual(list(1), []);
  });

  it('restores the files of before a turn, and takes the restore back', async () => {
    write('keep', 'k\n');
    write('edit', 'x\r\ny');
    write('dir/gone', '');
    write('run', '#!/bin/sh\n');
    chmodSync(at('run'), 0o755);
    symlinkSync('keep', at('link'));
    await checkpoints.startTurn(1, signal);
    const before = picture(work);
    write('edit', 'z\n');
    rmSync(at('dir'), { recursive: true });
    write('dir', 'a file now');
    chmodSync(at('run'), 0o644);
    rmSync(at('link'));
    write('link/inside', 'a folder now');
    renameSync(at('keep'), at('kept'));
    write('new/deep/file', 'n');
    await checkpoints.update(1, signal);
    const after = picture(work);
    const { undo, failed, restored } = await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
    assert.deepEqual(failed, []);
    assert.ok(restored.some(change => change.path === 'edit'));
    assert.deepEqual(picture(work), before);
    assert.ok(!existsSync(at('new')));
    await checkpoints.restore(undo, diskRestore, signal);
    assert.deepEqual(picture(work), after);
  });

  it('restores only what it is asked to', async () => {
    write('a', '1');
    write('b', '1');
    await turn(1, () => ['a', 'b'].forEach(name => write(name, '2')));
    await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal, change => change.path === 'a');
    assert.deepEqual([readFileSync(at('a'), 'utf8'), readFileSync(at('b'), 'utf8')], ['1', '2']);
  });

  it('goes on after a file that cannot be restored, and tells which', async () => {
    write('large', 'x'.repeat(1001));
    write('small', '1');
    await turn(1, () => ['large', 'small'].forEach(name => write(name, '2')));
    const { failed, restored } = await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
    assert.deepEqual(
      failed.map(({ change, reason }) => [change.path, /not kept/.test(reason)]),
      [['large', true]],
    );
    assert.deepEqual(
      restored.map(change => change.path),
      ['small'],
    );
    assert.equal(readFileSync(at('large'), 'utf8'), '2');
  });

  it('never writes through a link that leads out of the folder', async () => {
    const outside = path.join(base, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'file'), "the user's");
    write('dir/file', '1');
    await turn(1, () => write('dir/file', '2'));
    rmSync(at('dir'), { recursive: true });
    symlinkSync(outside, at('dir'));
    await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
    assert.equal(readFileSync(path.join(outside, 'file'), 'utf8'), "the user's");
    assert.equal(readFileSync(at('dir/file'), 'utf8'), '1');
    await assert.rejects(
      diskRestore.write(base, 'work/dir/../../link/x', 'file', new Uint8Array()).then(() => {
        symlinkSync(outside, path.join(base, 'out'));
        return diskRestore.write(base, 'out/file', 'file', new Uint8Array());
      }),
      { code: 'restoreLink' },
    );
  });

  it('keeps the unsaved text of editors and gives it back', async () => {
    write('a', 'saved');
    unsaved = [{ path: at('a'), text: '\ufeffunsaved\r\n' }];
    await turn(1, () => write('a', 'by the agent'));
    const given: string[][] = [];
    const target: RestoreTarget = { ...diskRestore, unsaved: async (file, text) => void given.push([file, text]) };
    await checkpoints.restore(checkpoints.turnEnds()[0]!.start, target, signal);
    assert.deepEqual(given, [[at('a'), '\ufeffunsaved\r\n']]);
    assert.equal(readFileSync(at('a'), 'utf8'), 'saved');
  });

  it('gives the bytes of a file at a checkpoint', async () => {
    write('a', 'caf\xe9\n');
    write('large', 'x'.repeat(1001));
    await turn(1, () => write('a', 'x'));
    const { start, end } = checkpoints.turnEnds()[0]!;
    const text = async (point: typeof start): Promise<string> =>
      Buffer.from((await checkpoints.bytes(point, work, 'a', signal)) ?? []).toString('latin1');
    assert.deepEqual([await text(start), await text(end)], ['caf\xe9\n', 'x']);
    assert.equal(await checkpoints.bytes(start, work, 'none', signal), undefined);
    await assert.rejects(checkpoints.bytes(start, work, 'large', signal), { code: 'checkpointGone' });
  });

  it('knows everything again after a reload', async () => {
    write('a', '1\n');
    await turn(1, () => write('a', '2\n'));
    const before = list(1);
    store = new GitCheckpointStore(new Git(), path.join(base, 'storage'));
    files = new CheckpointFiles(path.join(base, 'storage'));
    checkpoints = session();
    await checkpoints.load(signal);
    assert.deepEqual(list(1), before);
    await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
    assert.equal(readFileSync(at('a'), 'utf8'), '1\n');
  });

  it('works over two folders, one of them outside of any repository', async () => {
    const bare = path.join(base, 'bare');
    mkdirSync(bare);
    checkpoints = session('s2', [work, bare]);
    writeFileSync(path.join(bare, 'x'), '1');
    write('a', '1');
    await turn(1, () => {
      write('a', '2');
      writeFileSync(path.join(bare, 'x'), '2');
    });
    assert.deepEqual(
      checkpoints.turnChanges(1).files.map(change => path.join(change.root, change.path)),
      [path.join(bare, 'x'), at('a')],
    );
    await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
    assert.equal(readFileSync(path.join(bare, 'x'), 'utf8') + readFileSync(at('a'), 'utf8'), '11');
  });

  it('restores any folder to the byte, and back', async function () {
    this.timeout(60_000);
    const content = fc.constantFrom(
      '',
      'x',
      'x\n',
      'x\r\ny\r\n',
      '\xef\xbb\xbfx\n',
      'caf\xe9',
      '\0\xff\xfe',
      'a\nb\nc\nd\n',
      '$Id$\n',
    );
    const name = fc.constantFrom('a', 'b.txt', 'd/a', 'd/b', 'd/e/f', 'b.txt/g', 'sp ace', 'ünï');
    const step = fc.oneof(
      fc.record({ do: fc.constant('write' as const), name, content }),
      fc.record({ do: fc.constant('remove' as const), name }),
      fc.record({ do: fc.constant('run' as const), name }),
      fc.record({ do: fc.constant('link' as const), name, content: name }),
    );
    const perform = (action: typeof step extends fc.Arbitrary<infer T> ? T : never): void => {
      const file = at(action.name);
      const parents = action.name
        .split('/')
        .slice(0, -1)
        .map((_, i, all) => at(all.slice(0, i + 1).join('/')));
      const blocking = parents.find(parent => lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false);
      if (action.do === 'run' || action.do === 'remove') {
        if (blocking) return;
      } else if (blocking) rmSync(blocking);
      const exists = lstatSync(file, { throwIfNoEntry: false });
      if (action.do === 'run') return void (exists?.isFile() && chmodSync(file, exists.mode ^ 0o111));
      if (action.do === 'remove') return rmSync(file, { recursive: true, force: true });
      rmSync(file, { recursive: true, force: true });
      if (action.do === 'write') return write(action.name, action.content);
      mkdirSync(path.dirname(file), { recursive: true });
      symlinkSync(action.content, file);
    };
    write('.gitattributes', '*.txt text eol=crlf\na ident\n');
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        fc.array(step, { minLength: 1, maxLength: 5 }),
        async (first, second) => {
          first.forEach(perform);
          const start = await checkpoints.startTurn(++number, signal);
          const before = picture(work);
          second.forEach(perform);
          const after = picture(work);
          const { undo, failed } = await checkpoints.restore(start, diskRestore, signal);
          assert.deepEqual(failed, []);
          assert.deepEqual(picture(work), before);
          await checkpoints.restore(undo, diskRestore, signal);
          assert.deepEqual(picture(work), after);
        },
      ),
      { numRuns: 25 },
    );
  });

  describe('pruning', () => {
    const limits = { ...defaultPruneLimits, graceSeconds: 0 };
    const objects = (): number =>
      Number(
        execFileSync('sh', ['-c', `find '${store.rootsFolder}' -path '*/objects/*' -type f | wc -l`], {
          encoding: 'utf8',
        }),
      );

    it('forgets old sessions and what only they need', async () => {
      write('a', 'first\n');
      await turn(1, () => write('a', 'second\n'));
      utimesSync(path.join(base, 'storage/sessions/s1.checkpoints.json'), 0, 0);
      checkpoints = session('s2');
      await turn(1, () => write('a', 'third\n'));
      const before = objects();
      assert.deepEqual(await prune(store, files, 's2', limits, signal), ['s1']);
      assert.ok(objects() < before);
      const { start } = checkpoints.turnEnds()[0]!;
      assert.equal(Buffer.from((await checkpoints.bytes(start, work, 'a', signal)) ?? []).toString(), 'second\n');
      assert.equal((await session('s1').bytes(start, work, 'a', signal))?.length, 7);
      assert.deepEqual(await files.load('s1'), []);
    });

    it('forgets the oldest sessions when too much is stored, never the current one', async () => {
      for (const id of ['s1', 's2', 's3']) {
        checkpoints = session(id);
        await turn(1, () => write('a', id));
      }
      assert.deepEqual(await prune(store, files, 's3', { ...limits, bytes: 1 }, signal), ['s1', 's2']);
      await checkpoints.restore(checkpoints.turnEnds()[0]!.start, diskRestore, signal);
      assert.equal(readFileSync(at('a'), 'utf8'), 's2');
    });

    it('keeps what is under review', async () => {
      await turn(1, () => write('a', 'x'));
      const blob = await store.put(work, Buffer.from('the base of a file'));
      const file = {
        root: work,
        path: 'a',
        base: { blob, mode: 'file' as const },
        turns: [1],
        author: 'agent' as const,
        kept: true,
      };
      await files.saveReview('s1', [file]);
      await prune(store, files, 's1', limits, signal);
      assert.equal((await store.read(work, blob, signal)).length, 18);
      await files.saveReview('s1', []);
      await prune(store, files, 's1', limits, signal);
      await assert.rejects(store.read(work, blob, signal), { code: 'checkpointGone' });
    });

    it('removes the repository of a folder that no session names', async () => {
      await turn(1, () => write('a', 'x'));
      await files.remove('s1');
      await prune(store, files, undefined, limits, signal);
      assert.deepEqual(readdirSync(store.rootsFolder), []);
    });
  });
});
