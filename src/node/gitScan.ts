import { constants, type BigIntStats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import path from 'node:path';
import { splitFields } from './git';
import type { OwnGit } from './gitSeed';

export interface Limits {
  /** A larger file is known by its size and time only. */
  fileBytes: number;
  /** New files of one look; when there are more, or they are larger together, none of them is looked at. */
  newFiles: number;
  newBytes: number;
}

/** What differs between the disk and our index. Paths are relative to the root. */
export interface Scan {
  /** Files to read. */
  readonly update: readonly string[];
  readonly remove: readonly string[];
  /** Known by size and time only. */
  readonly large: readonly { path: string; description: string }[];
  readonly unreadable: readonly string[];
  readonly skipped: number;
  /** Folders of repositories inside. */
  readonly nested: readonly string[];
}

interface Candidate {
  path: string;
  isNew: boolean;
}

type Look = Candidate & ({ kind: 'gone' | 'other' | 'unreadable' } | { kind: 'readable'; stats: BigIntStats });

const looksAtOnce = 32;

/** Compares the disk with our index; `scope` are folders relative to the root, empty for all of it. */
export async function scan(
  own: OwnGit,
  root: string,
  scope: readonly string[],
  limits: Limits,
  signal: AbortSignal,
): Promise<Scan> {
  const within = ['--', ...scope.map(folder => `:(top,literal)${folder}`)];
  const [changed, others] = await Promise.all([
    own.run(['diff-files', '-z', '--raw', ...within], signal),
    own.run(['ls-files', '-o', '-z', '--exclude-standard', ...within], signal),
  ]);
  const unknown = splitFields(others);
  const { gone, touched } = readChanged(changed);
  const candidates = [
    ...touched.map(name => ({ path: name, isNew: false })),
    ...unknown.filter(name => !name.endsWith('/')).map(name => ({ path: name, isNew: true })),
  ];
  const nested = unknown.filter(name => name.endsWith('/')).map(name => name.slice(0, -1));
  const found = sort(await look(root, candidates, signal), limits);
  return { ...found, remove: [...gone, ...found.remove], nested };
}

/**
 * Raw output is a field of modes, names and a letter before each path. What git calls deleted may seem to be there:
 * behind a folder that became a link.
 */
function readChanged(raw: Buffer): { gone: string[]; touched: string[] } {
  const fields = splitFields(raw);
  const gone: string[] = [];
  const touched: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    (fields[i]?.endsWith(' D') ? gone : touched).push(fields[i + 1] ?? '');
  }
  return { gone, touched };
}

async function look(root: string, candidates: readonly Candidate[], signal: AbortSignal): Promise<Look[]> {
  const looks: Look[] = [];
  for (let i = 0; i < candidates.length; i += looksAtOnce) {
    signal.throwIfAborted();
    looks.push(...(await Promise.all(candidates.slice(i, i + looksAtOnce).map(candidate => lookAt(root, candidate)))));
  }
  return looks;
}

async function lookAt(root: string, candidate: Candidate): Promise<Look> {
  const file = path.join(root, candidate.path);
  try {
    const stats = await lstat(file, { bigint: true });
    if (stats.isSymbolicLink()) return { ...candidate, kind: 'readable', stats };
    if (!stats.isFile()) return { ...candidate, kind: stats.isDirectory() ? 'gone' : 'other' };
    await access(file, constants.R_OK);
    return { ...candidate, kind: 'readable', stats };
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return { ...candidate, kind: gone ? 'gone' : 'unreadable' };
  }
}

function sort(looks: readonly Look[], limits: Limits): Omit<Scan, 'nested'> {
  const news = looks.filter(look => look.isNew && look.kind === 'readable');
  const isLarge = (look: Look): boolean => look.kind === 'readable' && look.stats.size > limits.fileBytes;
  const newBytes = news.reduce(
    (sum, look) => sum + (look.kind === 'readable' && !isLarge(look) ? Number(look.stats.size) : 0),
    0,
  );
  const tooMany = news.length > limits.newFiles || newBytes > limits.newBytes;
  const update: string[] = [];
  const remove: string[] = [];
  const large: { path: string; description: string }[] = [];
  const unreadable: string[] = [];
  for (const look of looks) {
    if (tooMany && look.isNew) continue;
    switch (look.kind) {
      case 'gone':
      case 'other':
        if (!look.isNew) remove.push(look.path);
        break;
      case 'unreadable':
        unreadable.push(look.path);
        break;
      case 'readable':
        if (isLarge(look)) large.push({ path: look.path, description: describe(look.stats) });
        else update.push(look.path);
    }
  }
  return { update, remove, large, unreadable, skipped: tooMany ? news.length : 0 };
}

function describe(stats: BigIntStats): string {
  return `${stats.size} bytes, changed ${stats.mtimeNs}, file ${stats.ino}\n`;
}
