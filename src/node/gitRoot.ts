import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { Sequencer } from '../base/async';
import { ExpectedError } from '../base/errors';
import { type Git, GitFailed, splitFields } from './git';
import type { Repository } from './gitRepository';
import { type Limits, scan, type Scan } from './gitScan';
import { copyIndex, type OwnGit, ownExcludes, seedIndex } from './gitSeed';

/** What was found on disk. `nested` are folders of repositories inside, relative to the root. */
export interface Taken {
  tree: string;
  leftOut: readonly string[];
  skipped: number;
  nested: readonly string[];
}

/**
 * Files are read exactly as they are: no conversion that the user's attributes ask for applies to what we keep.
 * `!` where "unset" would be an invalid value.
 */
const attributes = '* -text !eol -ident !filter !working-tree-encoding !diff\n';
const shadowExcludes = ['node_modules/', '.venv/', '__pycache__/', '.DS_Store', 'Thumbs.db'];
const indexLifeMs = 24 * 3600_000;
const attempts = 3;

/** Our own repository for one folder of files. With a user's repository there, its objects are read but never written. */
export class GitRoot implements OwnGit {
  readonly index: string;
  private readonly sequence = new Sequencer();
  private readonly owned = new Set<string>();
  private readonly placeholders = new Map<string, string>();
  private ready: Promise<void> | undefined;
  private lastTree: string | undefined;
  /** The index was, or may have been, changed since `lastTree`. */
  private indexIsAhead = false;

  /**
   * @param root absolute
   * @param gitDir a folder for this root alone
   * @param instance tells our index from that of another window
   */
  constructor(
    private readonly git: Git,
    readonly root: string,
    readonly gitDir: string,
    readonly theirs: Repository | undefined,
    private readonly instance: string,
    private readonly limits: Limits,
  ) {
    this.index = path.join(gitDir, `index-${instance}`);
  }

  /** `scope`: folders relative to the root; empty for all. */
  take(scope: readonly string[], signal: AbortSignal): Promise<Taken> {
    return this.sequence.run(async () => {
      await this.prepare(signal);
      for (let attempt = 1; ; attempt++) {
        const found = await scan(this, this.root, scope, this.limits, signal);
        try {
          const tree = await this.record(found, signal);
          const leftOut = [...this.placeholders.keys(), ...found.unreadable].sort();
          return { tree, leftOut, skipped: found.skipped, nested: found.nested };
        } catch (error) {
          // A file that went away or changed while it was read.
          if (!(error instanceof GitFailed) || attempt === attempts) throw error;
        }
      }
    });
  }

  run(args: readonly string[], signal: AbortSignal, input?: string | Uint8Array): Promise<Buffer> {
    return this.call(
      args,
      signal,
      input,
      this.theirs ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(this.theirs.objects) } : {},
    );
  }

  /** With our own objects only. */
  runOwn(args: readonly string[], signal: AbortSignal, input?: string | Uint8Array): Promise<Buffer> {
    return this.call(args, signal, input, {});
  }

  /** Runs `task` when no checkpoint is being taken. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    return this.sequence.run(task);
  }

  /** Keeps bytes as a blob; gives its name. */
  async put(bytes: Uint8Array): Promise<string> {
    await this.exists();
    const data = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
    const name = createHash(this.objectFormat).update(data).digest('hex');
    const file = path.join(this.gitDir, 'objects', name.slice(0, 2), name.slice(2));
    if (await stat(file).catch(() => undefined)) return name;
    await mkdir(path.dirname(file), { recursive: true });
    const draft = `${file}.${this.instance}`;
    await writeFile(draft, await promisify(deflate)(data), { mode: 0o444 });
    await rename(draft, file);
    return name;
  }

  /** Which of `names` are neither in our objects nor in the user's. */
  async missing(names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    return new Set(missingOf(await this.run(['cat-file', '--batch-check'], signal, lines(names))));
  }

  get emptyTree(): string {
    return createHash(this.objectFormat).update('tree 0\0').digest('hex');
  }

  private get objectFormat(): string {
    return this.theirs?.objectFormat ?? 'sha1';
  }

  private call(
    args: readonly string[],
    signal: AbortSignal,
    input: string | Uint8Array | undefined,
    more: Record<string, string>,
  ): Promise<Buffer> {
    return this.git.run(args, {
      // The root may be gone.
      cwd: this.gitDir,
      signal,
      ...(input === undefined ? {} : { input }),
      env: {
        GIT_DIR: this.gitDir,
        GIT_WORK_TREE: this.root,
        GIT_INDEX_FILE: this.index,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        ...more,
      },
    });
  }

  /** The patterns of ignored files may change any time. */
  private async prepare(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.exists();
    const excludes = this.theirs ? await ownExcludes(this.theirs.info) : `${shadowExcludes.join('\n')}\n`;
    await writeFile(path.join(this.gitDir, 'info', 'exclude'), excludes);
    await rm(`${this.index}.lock`, { force: true });
    if (!(await stat(this.index).catch(() => undefined))) {
      this.lastTree = undefined;
      await this.fillIndex(signal);
    }
  }

  private async exists(): Promise<void> {
    this.ready ??= this.create();
    try {
      await this.ready;
    } catch (error) {
      this.ready = undefined;
      throw error;
    }
  }

  private async create(): Promise<void> {
    for (const folder of ['info', 'objects', 'refs']) await mkdir(path.join(this.gitDir, folder), { recursive: true });
    await writeFile(path.join(this.gitDir, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(path.join(this.gitDir, 'config'), this.config());
    await writeFile(path.join(this.gitDir, 'info', 'attributes'), attributes);
    await writeFile(path.join(this.gitDir, 'root'), `${this.root}\n`);
  }

  private config(): string {
    const settings = [
      ['core.bare', 'false'],
      ['core.repositoryformatversion', this.objectFormat === 'sha1' ? '0' : '1'],
      ['core.longpaths', 'true'],
      ['core.fsync', 'none'],
      ['core.autocrlf', 'false'],
      ['core.untrackedcache', 'false'],
      ['core.splitindex', 'false'],
      ['index.sparse', 'false'],
      ['gc.auto', '0'],
      ...(this.objectFormat === 'sha1' ? [] : [['extensions.objectformat', this.objectFormat]]),
      ...(this.theirs?.excludesFile ? [['core.excludesfile', this.theirs.excludesFile]] : []),
      ...(this.theirs?.fileSystem ?? []),
    ];
    return settings
      .map(([name = '', value]) => {
        const [section, key] = name.split('.');
        return `[${section}]\n\t${key} = ${JSON.stringify(value)}\n`;
      })
      .join('');
  }

  private async fillIndex(signal: AbortSignal): Promise<void> {
    if (await this.takeOverIndex()) this.lastTree = await this.writeTree(signal);
    else if (this.theirs) await seedIndex(this.git, this.theirs, this, signal);
  }

  /** The newest index of an earlier window, which already tells the bytes on disk. */
  private async takeOverIndex(): Promise<boolean> {
    const names = (await readdir(this.gitDir)).filter(name => /^index-[^.]+$/.test(name));
    const indexes = await Promise.all(
      names.map(async name => {
        const file = path.join(this.gitDir, name);
        return { file, time: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    indexes.sort((a, b) => b.time - a.time);
    const newest = indexes[0];
    const taken = newest !== undefined && (await copyIndex(newest.file, this.index));
    for (const { file, time } of indexes) if (time < Date.now() - indexLifeMs) await rm(file, { force: true });
    return taken;
  }

  private async record(found: Scan, signal: AbortSignal): Promise<string> {
    const large = found.large.filter(file => this.placeholders.get(file.path) !== file.description);
    if (found.update.length + found.remove.length + large.length > 0) this.indexIsAhead = true;
    else if (this.lastTree && !this.indexIsAhead) return this.lastTree;
    const list = (paths: readonly string[]): string => paths.map(name => `${name}\0`).join('');
    // What is gone goes first: a file may have taken the place of a folder, or the other way round.
    if (found.remove.length > 0)
      await this.run(['update-index', '-z', '--force-remove', '--stdin'], signal, list(found.remove));
    if (found.update.length > 0)
      await this.run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], signal, list(found.update));
    for (const name of [...found.remove, ...found.update]) this.placeholders.delete(name);
    if (large.length > 0) {
      const entries = await Promise.all(
        large.map(async file => `100644 ${await this.put(Buffer.from(file.description))}\t${file.path}`),
      );
      await this.run(['update-index', '-z', '--add', '--replace', '--index-info'], signal, list(entries));
      for (const file of large) this.placeholders.set(file.path, file.description);
    }
    const tree = await this.writeTree(signal);
    if (this.lastTree && this.lastTree !== tree) await this.keepOld(this.lastTree, tree, signal).catch(unlessGitFailed);
    this.lastTree = tree;
    this.indexIsAhead = false;
    return tree;
  }

  private async writeTree(signal: AbortSignal): Promise<string> {
    return (await this.run(['write-tree', '--missing-ok'], signal)).toString().trim();
  }

  /**
   * Copies what `tree` no longer names of `last` from the user's objects into ours: theirs may be pruned. Git fails
   * when that has happened already; then reading the earlier checkpoint says so.
   */
  private async keepOld(last: string, tree: string, signal: AbortSignal): Promise<void> {
    if (!this.theirs) return;
    const raw = splitFields(
      await this.run(['diff-tree', '-r', '-t', '--raw', '-z', '--no-renames', last, tree], signal),
    );
    const old = raw.filter((_, index) => index % 2 === 0).map(record => record.split(' ')[2] ?? '');
    const names = [...new Set([last, ...old])].filter(name => !/^0*$/.test(name) && !this.owned.has(name));
    const lacking = missingOf(await this.runOwn(['cat-file', '--batch-check'], signal, lines(names)));
    if (lacking.length > 0) {
      const gone = await this.missing(lacking, signal);
      const there = lines(lacking.filter(name => !gone.has(name)));
      const pack = await this.run(['pack-objects', '-q', '--stdout', '--window=0'], signal, there);
      await this.runOwn(['unpack-objects', '-q'], signal, pack);
    }
    for (const name of names) this.owned.add(name);
  }
}

function unlessGitFailed(error: unknown): void {
  if (!(error instanceof GitFailed)) throw error;
}

function lines(names: readonly string[]): string {
  return names.map(name => `${name}\n`).join('');
}

function missingOf(batchCheck: Buffer): string[] {
  return batchCheck
    .toString()
    .split('\n')
    .filter(line => line.endsWith(' missing'))
    .map(line => line.slice(0, -' missing'.length));
}

/** A list of folders is separated like PATH; one that holds the separator is quoted. */
function quoted(folder: string): string {
  return folder.includes(path.delimiter) || folder.startsWith('"') ? JSON.stringify(folder) : folder;
}

export function checkpointGone(cause?: unknown): ExpectedError {
  return new ExpectedError('checkpointGone', 'What this checkpoint kept is no longer there.', { cause });
}
