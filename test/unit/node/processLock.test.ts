import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { Deferred, delay } from '../../../src/base/async';
import { withProcessLock } from '../../../src/node/processLock';

const never = new AbortController().signal;

describe('a lock between processes', () => {
  let root: string;
  let lock: string;
  let worker: string;

  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'lock-'));
    worker = path.join(root, 'worker.cjs');
    const script = `
      import { withProcessLock } from './src/node/processLock';
      import { closeSync, openSync, unlinkSync } from 'node:fs';
      const [, , lock, inside, rounds, hang] = process.argv;
      (async () => {
        for (let round = 0; round < Number(rounds); round += 1)
          await withProcessLock(lock, async () => {
            closeSync(openSync(inside, 'wx'));
            process.send?.('in');
            await new Promise(resolve => setTimeout(resolve, hang ? 1e9 : 5));
            unlinkSync(inside);
          }, { signal: new AbortController().signal });
      })().catch(error => { console.error(error); process.exitCode = 1; }).finally(() => process.disconnect?.());`;
    await build({
      stdin: { contents: script, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'node',
      outfile: worker,
      logLevel: 'error',
    });
  });
  after(() => rmSync(root, { recursive: true }));

  let children: ChildProcess[] = [];
  let count = 0;
  beforeEach(() => (lock = path.join(root, `${(count += 1)}`, 'lock')));
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children = [];
  });

  const start = (...args: string[]): ChildProcess => {
    const child = fork(worker, [lock, path.join(root, `inside${count}`), ...args]);
    children.push(child);
    return child;
  };
  const event = (child: ChildProcess, name: 'message' | 'exit') =>
    new Promise<unknown>(resolve => child.once(name, resolve));

  it('lets one process in at a time', async () => {
    // Each worker creates one file exclusively while it is inside: two at a time would fail.
    const codes = await Promise.all([1, 2, 3].map(() => event(start('10'), 'exit')));
    assert.deepEqual(codes, [0, 0, 0]);
    assert.equal(existsSync(lock), false);
  });

  it('lets one task of a process in at a time', async () => {
    let inside = 0;
    const task = async () => {
      assert.equal((inside += 1), 1);
      await delay(5);
      inside -= 1;
    };
    await Promise.all([1, 2, 3, 4].map(() => withProcessLock(lock, task, { signal: never })));
  });

  it('is taken over from a process that was killed', async () => {
    const child = start('1', 'hang');
    await event(child, 'message');
    assert.equal(JSON.parse(readFileSync(lock, 'utf8')).pid, child.pid);
    child.kill('SIGKILL');
    await event(child, 'exit');
    assert.equal(await withProcessLock(lock, () => Promise.resolve('mine'), { signal: never }), 'mine');
    assert.deepEqual(readdirSync(path.dirname(lock)), []);
  });

  it('is not taken from a process that lives, and says that it waits', async () => {
    await event(start('1', 'hang'), 'message');
    const controller = new AbortController();
    const waits = new Deferred<void>();
    const options = { signal: controller.signal, onWait: () => waits.resolve() };
    const waiting = withProcessLock(lock, () => Promise.reject(new Error('it came in')), options);
    await waits.promise;
    await delay(300);
    controller.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    assert(existsSync(lock));
  });

  it('knows a process that got the number of a dead one', async () => {
    await withProcessLock(lock, () => Promise.resolve(), { signal: never });
    const dead = { pid: process.pid, started: 'long ago', host: hostname(), token: 't' };
    writeFileSync(lock, JSON.stringify(dead));
    assert.equal(await withProcessLock(lock, () => Promise.resolve(1), { signal: never }), 1);
  });

  it('respects another machine until it has been silent for long', async () => {
    await withProcessLock(lock, () => Promise.resolve(), { signal: never });
    writeFileSync(lock, JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere', token: 't' }));
    const controller = new AbortController();
    const onWait = () => controller.abort(new Error('waits'));
    await assert.rejects(
      withProcessLock(lock, () => Promise.resolve(), { signal: controller.signal, onWait }),
      /waits/,
    );
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(lock, longAgo, longAgo);
    assert.equal(await withProcessLock(lock, () => Promise.resolve(1), { signal: never }), 1);
  });

  it('is freed from a half-written lock file', async () => {
    await withProcessLock(lock, () => Promise.resolve(), { signal: never });
    writeFileSync(lock, '{"pid":');
    const longAgo = new Date(Date.now() - 10_000);
    utimesSync(lock, longAgo, longAgo);
    assert.equal(await withProcessLock(lock, () => Promise.resolve(1), { signal: never }), 1);
  });

  it('is let go when the task fails', async () => {
    await assert.rejects(
      withProcessLock(lock, () => Promise.reject(new Error('no')), { signal: never }),
      /no/,
    );
    assert.equal(existsSync(lock), false);
  });
});
