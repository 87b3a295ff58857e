import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessInfo {
  pid: number;
  parent: number;
  /** Process group. */
  group: number;
  /** Start time in any form: with the pid it names one process for good, since pids are used again. */
  started: string;
}

/** Everything below `root`, and everything in its process group, without `root`. */
export function treeBelow(table: readonly ProcessInfo[], root: number): ProcessInfo[] {
  const found = new Set<ProcessInfo>(table.filter(process => process.group === root && process.pid !== root));
  const parents = new Set([root, ...[...found].map(process => process.pid)]);
  for (let grown = true; grown;) {
    grown = false;
    for (const process of table) {
      if (process.pid === root || parents.has(process.pid) || !parents.has(process.parent)) continue;
      parents.add(process.pid);
      found.add(process);
      grown = true;
    }
  }
  return [...found];
}

/** The processes of this machine (POSIX only); empty when they cannot be listed. */
export async function processTable(platform: NodeJS.Platform): Promise<ProcessInfo[]> {
  try {
    return platform === 'linux' ? await linuxTable() : parsePs(await ps());
  } catch {
    return [];
  }
}

async function linuxTable(): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap(stat => parseStat(stat) ?? []);
}

/** A line of `/proc/<pid>/stat`. The name, in parentheses, may hold anything. A zombie has already ended. */
export function parseStat(stat: string): ProcessInfo | undefined {
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = rest;
  const started = rest[19];
  if (started === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid: parseInt(stat, 10), parent: Number(parent), group: Number(group), started };
}

/** Output of `ps -A -o pid=,ppid=,pgid=,lstart=`. */
export function parsePs(output: string): ProcessInfo[] {
  return output.split('\n').flatMap(line => {
    const [, pid, parent, group, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    return started === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), started }];
  });
}

function ps(): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,lstart='], { env: { ...process.env, LC_ALL: 'C' } }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
}

/** Sends a signal to a process, or with a negative number to a group; one that is gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself, or belongs to somebody else by now.
  }
}

export function taskkill(pid: number): Promise<void> {
  return new Promise(resolve => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}

/** Asks a process and everything below it to end. */
export async function terminateTree(pid: number, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') return taskkill(pid);
  const below = treeBelow(await processTable(platform), pid);
  for (const process of [{ pid }, ...below]) signalProcess(process.pid, 'SIGTERM');
}

/** Ends a whole tree at once, without waiting: for when this process itself is exiting. */
export function killTreeNow(pid: number, platform: NodeJS.Platform): void {
  if (platform === 'win32') spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
  else signalProcess(-pid, 'SIGKILL');
}
