import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Git } from '../../src/node/git';
import { GitCheckpointStore } from '../../src/node/gitStore';
import type { Row } from './row';

const folders = 500;
const filesInFolder = 100;
const rounds = 15;
const signal = new AbortController().signal;

/** A checkpoint of an unchanged repository of 50,000 files against `git status` there, turn and turn about. */
export async function run(): Promise<Row[]> {
  const base = mkdtempSync(path.join(tmpdir(), 'checkpoints-'));
  try {
    const work = path.join(base, 'work');
    await makeRepository(work);
    const store = new GitCheckpointStore(new Git(), path.join(base, 'storage'));
    const first = await time(() => store.take([work], signal));
    const [unchanged, changed, status]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      status.push(await time(() => git(work, 'status')));
      unchanged.push(await time(() => store.take([work], signal)));
      for (let file = 0; file < 3; file++) writeFileSync(path.join(work, `d${file}`, 'f1.ts'), `round ${round}\n`);
      changed.push(await time(() => store.take([work], signal)));
    }
    return [
      row('checkpoint, 50,000 files unchanged / git status', least(unchanged), least(status), 1.5),
      row('checkpoint, 3 of 50,000 files changed / git status', least(changed), least(status), 4),
      row('first checkpoint of a repository, 50,000 files / git status', first, least(status), 15),
    ];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function makeRepository(work: string): Promise<void> {
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(path.join(work, `d${folder}`), { recursive: true });
    for (let file = 0; file < filesInFolder; file++)
      writeFileSync(
        path.join(work, `d${folder}`, `f${file}.ts`),
        `export const value = ${folder * filesInFolder + file};\n`,
      );
  }
  await git(work, 'init', '-q');
  await git(work, 'config', 'gc.auto', '0');
  await git(work, 'add', '.');
  await git(work, '-c', 'user.name=B', '-c', 'user.email=b@example.org', 'commit', '-qm', 'all');
  await git(work, 'repack', '-adq');
  // What was written in the second of the index is read anew by every git, until the index is written again later.
  await new Promise(resolve => setTimeout(resolve, 1100));
  await git(work, 'status');
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd, maxBuffer: 64 << 20 });
}

async function time(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await task();
  return performance.now() - began;
}

/** The least disturbed of several times. */
function least(times: readonly number[]): number {
  return Math.min(...times);
}

function row(name: string, ms: number, baseMs: number, bar: number): Row {
  const value = ms / baseMs;
  return {
    name,
    value: `${value.toFixed(2)} (${ms.toFixed(0)} / ${baseMs.toFixed(0)} ms)`,
    bar: `<= ${bar}`,
    ok: value <= bar,
  };
}
