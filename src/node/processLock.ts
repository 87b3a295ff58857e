import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { delay } from '../base/async';
import { asNumber, asObject, asString } from '../base/json';
import { parseStat, processTable } from './processTree';

interface Holder {
  pid: number;
  /** With the pid it names one process for good, since pids are used again. */
  started: string;
  host: string;
  token: string;
}

export interface LockOptions {
  signal: AbortSignal;
  /** Called once when another process has it. */
  onWait?(): void;
}

const beatMs = 5000;
const foreignStaleMs = 60_000;
const unreadableStaleMs = 2000;

/**
 * Runs `task` while no other process, nor anybody else in this one, runs one under the same lock file. Waits for others;
 * the lock of a process that has died is taken over. Rejects with the signal's reason when it aborts while waiting.
 */
export async function withProcessLock<T>(file: string, task: () => Promise<T>, options: LockOptions): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  const holder: Holder = { ...(await self()), token: randomUUID() };
  await acquire(file, holder, options);
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), beatMs);
  try {
    return await task();
  } finally {
    clearInterval(beat);
    if ((await readHolder(file))?.token === holder.token) await unlink(file).catch(() => {});
  }
}

async function acquire(file: string, holder: Holder, { signal, onWait }: LockOptions): Promise<void> {
  for (let round = 0; ; round += 1) {
    signal.throwIfAborted();
    if (await create(file, holder)) return;
    // Whether the holder lives is asked about once a second.
    if (round % 10 === 0 && (await isStale(file))) {
      await takeAway(file, holder);
      round = -1;
      continue;
    }
    if (round === 0) onWait?.();
    await delay(50 + Math.random() * 100, signal);
  }
}

async function create(file: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'EPERM') return false;
    throw error;
  }
}

/**
 * Takes a stale lock away. Of several that try, one does: whoever holds the second lock, and looks again under it. That
 * one is held for an instant; if its holder dies in it, its age frees it.
 */
async function takeAway(file: string, holder: Holder): Promise<void> {
  const second = `${file}.takeover`;
  if (!(await create(second, holder))) {
    if (await olderThan(second, unreadableStaleMs)) await unlink(second).catch(() => {});
    await delay(20);
    return;
  }
  try {
    if (await isStale(file)) await unlink(file).catch(() => {});
  } finally {
    await unlink(second).catch(() => {});
  }
}

async function isStale(file: string): Promise<boolean> {
  const holder = await readHolder(file);
  // Its writer may be in the middle of writing, or have died there.
  if (!holder) return olderThan(file, unreadableStaleMs);
  if (holder.host !== hostname()) return olderThan(file, foreignStaleMs);
  return !(await isAlive(holder));
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  const now = await startOf(pid);
  if (now !== undefined) return started === '' || now === started;
  try {
    process.kill(pid, 0);
    return started === '';
  } catch (error) {
    return codeOf(error) === 'EPERM' && started === '';
  }
}

let own: Promise<Omit<Holder, 'token'>> | undefined;

function self(): Promise<Omit<Holder, 'token'>> {
  own ??= startOf(process.pid).then(started => ({ pid: process.pid, started: started ?? '', host: hostname() }));
  return own;
}

/** Undefined for a process that is gone, and on Windows. */
async function startOf(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'win32':
      return undefined;
    case 'linux':
      return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.started;
    default:
      return (await processTable(process.platform)).find(each => each.pid === pid)?.started;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const object = asObject(JSON.parse(await readFile(file, 'utf8')));
    const [pid, started, host, token] = [
      asNumber(object?.['pid']),
      asString(object?.['started']),
      asString(object?.['host']),
      asString(object?.['token']),
    ];
    if (pid === undefined || started === undefined || host === undefined || token === undefined) return undefined;
    return { pid, started, host, token };
  } catch {
    return undefined;
  }
}

/** False for a file that is gone. */
async function olderThan(file: string, ms: number): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > ms;
}

function codeOf(error: unknown): string | undefined {
  return asString(asObject(error)?.['code']);
}
