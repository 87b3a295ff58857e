import { copyFile, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { splitFields, type Git } from './git';
import type { Repository } from './gitRepository';

export interface OwnGit {
  /** Runs git in our repository, with our index. */
  run(args: readonly string[], signal: AbortSignal, input?: string): Promise<Buffer>;
  readonly gitDir: string;
  readonly index: string;
}

/**
 * Fills our index from the user's, for its knowledge of which files are unchanged. What that index says of a file is
 * kept only where git stores the very bytes that are on disk: paths with a filter, line end or encoding conversion, or
 * that git was told not to look at, are taken out, so that they are read from disk. Without a usable index nothing is kept.
 */
export async function seedIndex(git: Git, theirs: Repository, own: OwnGit, signal: AbortSignal): Promise<void> {
  if (theirs.convertsLineEnds) return;
  try {
    if (!(await copyIndex(theirs.index, own.index))) return;
    await copySharedIndex(theirs.gitDir, own.gitDir);
    const [unsure, converted] = await Promise.all([
      unsureEntries(own, signal),
      convertedPaths(git, theirs, own, signal),
    ]);
    const remove = [...new Set([...unsure, ...converted])];
    if (remove.length > 0)
      await own.run(
        ['update-index', '-z', '--force-remove', '--stdin'],
        signal,
        remove.map(name => `${name}\0`).join(''),
      );
  } catch (error) {
    signal.throwIfAborted();
    await rm(own.index, { force: true });
    if (error instanceof Error && error.name === 'ExpectedError') return;
    throw error;
  }
}

/**
 * Copies an index with its time of writing (never a later one): git compares it with the files' times to see
 * which of them may have changed in the very moment of writing. False when there is none.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  const facts = await stat(from).catch(() => undefined);
  if (!facts?.isFile()) return false;
  await copyFile(from, to);
  const written = Math.floor(facts.mtimeMs) / 1000;
  await utimes(to, written, written);
  return true;
}

async function copySharedIndex(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name.startsWith('sharedindex.')) await copyFile(path.join(from, name), path.join(to, name));
  }
}

/** Unmerged, not checked out (sparse), assumed unchanged, or a submodule: for none of them the entry speaks for the disk. */
async function unsureEntries(own: OwnGit, signal: AbortSignal): Promise<string[]> {
  const entries = splitFields(await own.run(['ls-files', '-s', '-v', '-z'], signal));
  return entries
    .filter(entry => !/^H (100644|100755|120000) \S+ 0\t/.test(entry))
    .map(entry => entry.slice(entry.indexOf('\t') + 1));
}

/** Asked of their repository, because attributes may also stand in its own settings. */
async function convertedPaths(git: Git, theirs: Repository, own: OwnGit, signal: AbortSignal): Promise<string[]> {
  const unspecified = ['filter', 'text', 'eol', 'crlf', 'ident', 'working-tree-encoding']
    .map(name => `!${name}`)
    .join(' ');
  return git.fields(['ls-files', '-z', '--', '.', `:(exclude,attr:${unspecified})`], {
    cwd: theirs.top,
    signal,
    env: { GIT_DIR: theirs.gitDir, GIT_WORK_TREE: theirs.top, GIT_INDEX_FILE: own.index },
  });
}

/** Patterns of ignored files that stand in their repository's own settings. */
export async function ownExcludes(info: string): Promise<string> {
  return readFile(path.join(info, 'exclude'), 'utf8').catch(() => '');
}
