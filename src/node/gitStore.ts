import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointStore, FileChange, FileRef, RootState } from '../changes/ports';
import { type Git, GitFailed } from './git';
import { fileRef, parseDiff } from './gitDiff';
import { findRepository, type Location } from './gitRepository';
import { checkpointGone, GitRoot } from './gitRoot';
import type { Limits } from './gitScan';

export const defaultLimits: Limits = { fileBytes: 50 << 20, newFiles: 20_000, newBytes: 500 << 20 };

/** Where a folder's files are kept: the root that it is part of, and which part it is. */
interface Place {
  root: GitRoot;
  scope: string;
}

/** Keeps checkpoints with git, in repositories of our own below `storage`. The user's are only read. */
export class GitCheckpointStore implements CheckpointStore {
  private readonly instance = randomUUID().slice(0, 8);
  private readonly places = new Map<string, Promise<Place>>();
  private readonly roots = new Map<string, GitRoot>();

  /** Holds a folder for each root. */
  readonly rootsFolder: string;

  constructor(
    private readonly git: Git,
    storage: string,
    private readonly limits: Limits = defaultLimits,
  ) {
    this.rootsFolder = path.join(storage, 'roots');
  }

  async take(folders: readonly string[], signal: AbortSignal): Promise<readonly RootState[]> {
    const states = new Map<string, RootState>();
    let open = folders;
    while (open.length > 0) {
      const scopes = await this.scopes(open, signal);
      const taken = await Promise.all(
        [...scopes].filter(([root]) => !states.has(root.root)).map(([root, scope]) => takeRoot(root, scope, signal)),
      );
      for (const { state } of taken) states.set(state.root, state);
      open = taken.flatMap(({ nested }) => nested).filter(folder => !states.has(folder));
    }
    return [...states.values()].sort((a, b) => (a.root < b.root ? -1 : 1));
  }

  async compare(
    from: RootState | undefined,
    to: RootState | undefined,
    signal: AbortSignal,
  ): Promise<readonly FileChange[]> {
    const some = to ?? from;
    if (!some || from?.tree === to?.tree) return [];
    const root = await this.rootAt(some.root, signal);
    const trees = [from?.tree ?? root.emptyTree, to?.tree ?? root.emptyTree];
    const scope = some.scope.map(folder => `:(top,literal)${folder}`);
    const leftOut = new Set([...(from?.leftOut ?? []), ...(to?.leftOut ?? [])]);
    const diff = (...options: string[]): Promise<Buffer> =>
      root.run(
        ['diff-tree', '-r', '-z', '--raw', '--no-ext-diff', '--no-textconv', ...options, ...trees, '--', ...scope],
        signal,
      );
    try {
      return parseDiff(await diff('-M', '--numstat'), some.root, name => !leftOut.has(name));
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error;
    }
    const changes = parseDiff(await diff('--no-renames').catch(goneWhenFailed), some.root, name => !leftOut.has(name));
    return this.withoutMissing(root, changes, signal);
  }

  async find(state: RootState, name: string, signal: AbortSignal): Promise<FileRef | undefined> {
    const root = await this.rootAt(state.root, signal);
    const listed = await root
      .run(['ls-tree', '-z', '--full-tree', state.tree, '--', name], signal)
      .catch(goneWhenFailed);
    const [mode = '', , blob = ''] = listed.toString().split(/[ \t]/, 3);
    return fileRef(mode, blob);
  }

  async read(root: string, blob: string, signal: AbortSignal): Promise<Uint8Array> {
    return (await this.rootAt(root, signal)).run(['cat-file', 'blob', blob], signal).catch(goneWhenFailed);
  }

  async put(root: string, bytes: Uint8Array): Promise<string> {
    return (await this.rootAt(root, new AbortController().signal)).put(bytes);
  }

  /** Our repository for `root`, a folder that a state names. */
  async rootAt(root: string, signal: AbortSignal): Promise<GitRoot> {
    return this.roots.get(root) ?? (await this.placeOf(root, signal)).root;
  }

  /** The roots of folders with the parts to look at; a folder outside of a repository may lie in another one. */
  private async scopes(folders: readonly string[], signal: AbortSignal): Promise<Map<GitRoot, string[]>> {
    const places = await Promise.all(folders.map(folder => this.placeOf(folder, signal)));
    const scopes = new Map<GitRoot, string[]>();
    for (const { root, scope } of places) {
      const shadowed = !root.theirs && places.some(other => !other.root.theirs && isInside(root.root, other.root.root));
      if (!shadowed) scopes.set(root, [...(scopes.get(root) ?? []), scope]);
    }
    for (const [root, scope] of scopes) if (scope.includes('')) scopes.set(root, []);
    return scopes;
  }

  private placeOf(folder: string, signal: AbortSignal): Promise<Place> {
    const known = this.places.get(folder);
    if (known) return known;
    const place = this.findPlace(folder, signal);
    this.places.set(folder, place);
    place.catch(() => this.places.delete(folder));
    return place;
  }

  private async findPlace(folder: string, signal: AbortSignal): Promise<Place> {
    const found = (await isFolder(folder)) ? await findRepository(this.git, folder, signal) : undefined;
    const top = found?.repository.top ?? folder;
    const root = this.roots.get(top) ?? this.open(top, found);
    return { root, scope: found?.prefix ?? '' };
  }

  private open(top: string, found: Location | undefined): GitRoot {
    const key = createHash('sha256').update(top).digest('hex').slice(0, 24);
    const gitDir = path.join(this.rootsFolder, key);
    const root = new GitRoot(this.git, top, gitDir, found?.repository, this.instance, this.limits);
    this.roots.set(top, root);
    return root;
  }

  private async withoutMissing(
    root: GitRoot,
    changes: readonly FileChange[],
    signal: AbortSignal,
  ): Promise<FileChange[]> {
    const blobs = changes.flatMap(({ before, after }) => [before, after].flatMap(ref => ref?.blob ?? []));
    const missing = await root.missing(blobs, signal);
    const isThere = (ref: FileRef | undefined): boolean => !ref || !missing.has(ref.blob);
    return changes.map(change => ({ ...change, kept: change.kept && isThere(change.before) && isThere(change.after) }));
  }
}

async function takeRoot(
  root: GitRoot,
  scope: readonly string[],
  signal: AbortSignal,
): Promise<{ state: RootState; nested: string[] }> {
  const taken = (await isFolder(root.root))
    ? await root.take(scope, signal)
    : { tree: root.emptyTree, leftOut: [], skipped: 0, nested: [] };
  const { nested, ...state } = taken;
  return { state: { root: root.root, scope, ...state }, nested: nested.map(name => path.join(root.root, name)) };
}

async function isFolder(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
}

function isInside(folder: string, outer: string): boolean {
  return folder !== outer && folder.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}

function goneWhenFailed(error: unknown): never {
  throw error instanceof GitFailed ? checkpointGone(error) : error;
}
