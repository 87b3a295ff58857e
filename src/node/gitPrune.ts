import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExpectedError } from '../base/errors';
import type { Checkpoint } from '../changes/ports';
import type { ReviewedFile } from '../changes/review';
import type { CheckpointFiles } from './checkpointFiles';
import type { GitRoot } from './gitRoot';
import type { GitCheckpointStore } from './gitStore';

export interface PruneLimits {
  /** Sessions without a checkpoint for longer are forgotten. */
  ageMs: number;
  /** Of all kept content together; the oldest sessions are forgotten first. */
  bytes: number;
  /** What was written in this time stays: another window may be about to name it. */
  graceSeconds: number;
}

export const defaultPruneLimits: PruneLimits = { ageMs: 30 * 24 * 3600_000, bytes: 2 << 30, graceSeconds: 3600 };

/**
 * Bounds what is stored: forgets old sessions and removes what no checkpoint names. `current` is never forgotten.
 * Gives the sessions that were forgotten.
 */
export async function prune(
  store: GitCheckpointStore,
  files: CheckpointFiles,
  current: string | undefined,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<string[]> {
  const forgotten: string[] = [];
  const forget = async (session: string): Promise<void> => {
    await files.remove(session);
    forgotten.push(session);
  };
  const open = (await files.sessions()).filter(({ session }) => session !== current);
  const old = open.filter(({ at }) => at < Date.now() - limits.ageMs);
  for (const { session } of old) await forget(session);
  const others = open.slice(old.length);
  let size = await sweep(store, files, limits, signal);
  while (size > limits.bytes && others.length > 0) {
    const oldest = others.shift();
    if (oldest) await forget(oldest.session);
    size = await sweep(store, files, limits, signal);
  }
  return forgotten;
}

/** Removes what no list names; gives the bytes that are left. */
async function sweep(
  store: GitCheckpointStore,
  files: CheckpointFiles,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<number> {
  const sessions = await files.sessions();
  const lists = await Promise.all(sessions.map(({ session }) => files.load(session)));
  const reviews = await Promise.all(sessions.map(({ session }) => files.loadReview(session)));
  const named = namesByRoot(lists.flat(), reviews.flat());
  let size = 0;
  for (const folder of await readdir(store.rootsFolder).catch(() => [])) {
    const gitDir = path.join(store.rootsFolder, folder);
    const root = (await readFile(path.join(gitDir, 'root'), 'utf8').catch(() => '')).trimEnd();
    const names = named.get(root);
    if (names) size += await sweepRoot(await store.rootAt(root, signal), names, limits, signal);
    else if (await isOlder(gitDir, limits.graceSeconds)) await rm(gitDir, { recursive: true, force: true });
  }
  return size;
}

function namesByRoot(checkpoints: readonly Checkpoint[], reviewed: readonly ReviewedFile[]): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  const add = (root: string, name: string): void => void named.set(root, (named.get(root) ?? new Set()).add(name));
  for (const { roots, unsaved } of checkpoints) {
    for (const { root, tree } of roots) add(root, tree);
    for (const { root, blob } of unsaved) add(root, blob);
  }
  for (const { root, base, agent } of reviewed) {
    for (const ref of [base, agent]) if (ref) add(root, ref.blob);
  }
  return named;
}

async function sweepRoot(
  root: GitRoot,
  names: ReadonlySet<string>,
  limits: PruneLimits,
  signal: AbortSignal,
): Promise<number> {
  return root.alone(async () => {
    const refs = [...names].sort().map(name => `${name} refs/kept/${name}\n`);
    await writeFile(path.join(root.gitDir, 'packed-refs'), `# pack-refs with: sorted\n${refs.join('')}`);
    try {
      await root.run(['prune', `--expire=${limits.graceSeconds}.seconds.ago`], signal);
    } catch (error) {
      // Something that is named is gone: git then removes nothing. A later sweep, with fewer names, does.
      if (!(error instanceof ExpectedError)) throw error;
    }
    const [kibibytes = '0'] =
      /(?<=^size: )\d+/m.exec((await root.runOwn(['count-objects', '-v'], signal)).toString()) ?? [];
    return Number(kibibytes) * 1024;
  });
}

async function isOlder(file: string, seconds: number): Promise<boolean> {
  const facts = await stat(file).catch(() => undefined);
  return facts !== undefined && facts.mtimeMs <= Date.now() - seconds * 1000;
}
