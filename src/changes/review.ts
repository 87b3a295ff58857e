import { Sequencer } from '../base/async';
import { notKept } from './notKept';
import { Disposable, Emitter, type Event } from '../base/lifecycle';
import {
  agentWroteFile,
  type FileVersions,
  type HunkFilter,
  keepFile,
  sameVersion,
  undoFile,
  type UndoneFile,
  type Version,
} from './fileReview';
import type { CheckpointStore, FileChange, FileRef } from './ports';

/** Who changed a file: the agent named it (`agent`), or nobody is known to have (`unknown`). */
export type Author = 'agent' | 'unknown';

/** A file with changes of the agent that are neither kept nor undone. JSON. */
export interface ReviewedFile {
  readonly root: string;
  /** Relative to `root`. */
  readonly path: string;
  /** Where it was before the agent moved it here; that file has an entry of its own. */
  readonly movedFrom?: string;
  /** Without the agent's changes; absent when the agent made the file. */
  readonly base?: FileRef;
  /** After the agent's last change; absent when the agent removed the file. */
  readonly agent?: FileRef;
  /** The turns in which it was changed. */
  readonly turns: readonly number[];
  readonly author: Author;
  /** False when its content is not in the store: it can be kept, but not taken back. */
  readonly kept: boolean;
}

/** Keeps the list over a reload. */
export interface ReviewMemory {
  loadReview(session: string): Promise<readonly ReviewedFile[]>;
  saveReview(session: string, files: readonly ReviewedFile[]): Promise<void>;
}

type Key = Pick<ReviewedFile, 'root' | 'path'>;

/** What the agent changed in a session and the user has not decided about yet. */
export class Review extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private readonly sequence = new Sequencer();
  private readonly entries = new Map<string, ReviewedFile>();
  /** What the user saved since the last look at the disk. */
  private readonly byUser = new Map<string, FileRef | undefined>();

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    private readonly session: string,
    private readonly content: CheckpointStore,
    private readonly memory: ReviewMemory,
  ) {
    super();
  }

  async load(): Promise<void> {
    await this.replace(await this.memory.loadReview(this.session));
  }

  /** In the order of their paths. */
  files(): readonly ReviewedFile[] {
    return [...this.entries.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  file(key: Key): ReviewedFile | undefined {
    return this.entries.get(keyOf(key));
  }

  /** The user saved a file in the editor: that is no change of the agent. `bytes` undefined: the user removed it. */
  userWrote(key: Key, version: Version | undefined): Promise<void> {
    return this.sequence.run(async () => void this.byUser.set(keyOf(key), await this.refOf(key.root, version)));
  }

  /**
   * The disk has changed in a turn, from the last look at it to this one.
   * @param author who changed a file (absolute path), as far as is known
   */
  record(
    turn: number,
    step: readonly FileChange[],
    author: (path: string) => Author,
    signal: AbortSignal,
  ): Promise<void> {
    return this.update(async () => {
      for (const change of step.flatMap(apart))
        await this.recordOne(turn, change, author(`${change.root}/${change.path}`), signal);
      this.byUser.clear();
    });
  }

  /** The three versions of a file, with what is there now as the caller sees it. */
  async versions(file: ReviewedFile, current: Version | undefined, signal: AbortSignal): Promise<FileVersions> {
    const [base, agent] = await Promise.all([file.base, file.agent].map(ref => this.read(file.root, ref, signal)));
    return { base, agent, current };
  }

  /** Accepts a file's changes, or some of its hunks. */
  keep(key: Key, current: Version | undefined, signal: AbortSignal, which?: HunkFilter): Promise<void> {
    return this.update(async () => {
      const file = this.file(key);
      if (!file) return;
      if (!file.kept) return void this.entries.delete(keyOf(file));
      const versions = await this.versions(file, current, signal);
      await this.set(file, keepFile(versions, which), versions.agent);
    });
  }

  /**
   * Takes a file's changes back, or some of its hunks. `apply` writes the result and may throw; only then it counts.
   * Gives whether something is left because the user has changed it since.
   */
  async undo(
    key: Key,
    current: Version | undefined,
    options: { which?: HunkFilter; overUser?: boolean; signal: AbortSignal },
    apply: (result: UndoneFile) => Promise<void>,
  ): Promise<{ overlaps: boolean }> {
    let overlaps = false;
    await this.update(async () => {
      const file = this.file(key);
      if (!file) return;
      if (!file.kept) throw notKept(file.path);
      const versions = await this.versions(file, current, options.signal);
      const result = undoFile(versions, options.which, options.overUser);
      overlaps = result.overlaps;
      if (!sameVersion(result.current, current)) await apply(result);
      await this.set(file, versions.base, result.agent);
    });
    return { overlaps };
  }

  /** Files were put back to an earlier state: what is the same as without the agent is no longer listed. */
  restored(changes: readonly FileChange[]): Promise<void> {
    return this.update(async () => {
      for (const change of changes.flatMap(apart)) {
        const file = this.file(change);
        if (file) this.put(file, file.base, change.after);
      }
    });
  }

  /** The whole list is another one: it was loaded, or a restore is taken back. */
  replace(files: readonly ReviewedFile[]): Promise<void> {
    return this.update(async () => {
      this.entries.clear();
      for (const file of files) this.entries.set(keyOf(file), file);
    });
  }

  private async recordOne(
    turn: number,
    change: FileChange & { movedFrom?: string },
    author: Author,
    signal: AbortSignal,
  ): Promise<void> {
    const key = keyOf(change);
    const before = this.byUser.has(key) ? this.byUser.get(key) : change.before;
    if (sameRef(before, change.after)) return;
    const old = this.entries.get(key);
    const file: ReviewedFile = {
      ...old,
      root: change.root,
      path: change.path,
      turns: [...new Set([...(old?.turns ?? []), turn])],
      author: old?.author === 'agent' ? 'agent' : author,
      kept: change.kept && (old?.kept ?? true),
      ...(change.movedFrom !== undefined && { movedFrom: change.movedFrom }),
    };
    if (!old) return this.put(file, before, change.after);
    if (sameRef(old.agent, before) || !file.kept) return this.put(file, old.base, change.after);
    const versions = await this.versions(old, await this.read(change.root, before, signal), signal);
    const { base } = agentWroteFile(versions, await this.read(change.root, change.after, signal));
    this.put(file, await this.refOf(change.root, base), change.after);
  }

  private async set(file: ReviewedFile, base: Version | undefined, agent: Version | undefined): Promise<void> {
    this.put(file, await this.refOf(file.root, base), await this.refOf(file.root, agent));
  }

  private put(
    { base: _, agent: __, ...file }: ReviewedFile,
    base: FileRef | undefined,
    agent: FileRef | undefined,
  ): void {
    if (sameRef(base, agent)) this.entries.delete(keyOf(file));
    else this.entries.set(keyOf(file), { ...file, ...(base && { base }), ...(agent && { agent }) });
  }

  private async read(root: string, ref: FileRef | undefined, signal: AbortSignal): Promise<Version | undefined> {
    return ref && { content: decodeBytes(await this.content.read(root, ref.blob, signal)), mode: ref.mode };
  }

  private async refOf(root: string, version: Version | undefined): Promise<FileRef | undefined> {
    return version && { blob: await this.content.put(root, encodeBytes(version.content)), mode: version.mode };
  }

  private update(change: () => Promise<void>): Promise<void> {
    return this.sequence.run(async () => {
      try {
        await change();
      } finally {
        this.changed.fire();
      }
      await this.memory.saveReview(this.session, this.files());
    });
  }
}

/** One character for each byte. */
export function decodeBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += 8192) pieces.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
  return pieces.join('');
}

/** The inverse of `decodeBytes`. */
export function encodeBytes(content: string): Uint8Array {
  const bytes = new Uint8Array(content.length);
  for (let i = 0; i < content.length; i++) bytes[i] = content.charCodeAt(i);
  return bytes;
}

/** A rename as what it is on disk: one file gone, another one new. */
function apart({ oldPath, ...change }: FileChange): (FileChange & { movedFrom?: string })[] {
  if (oldPath === undefined) return [change];
  const { before, after, ...rest } = change;
  return [
    { ...rest, kind: 'deleted', path: oldPath, ...(before && { before }) },
    { ...rest, kind: 'added', movedFrom: oldPath, ...(after && { after }) },
  ];
}

function keyOf({ root, path }: Key): string {
  return `${root}\n${path}`;
}

function sameRef(a: FileRef | undefined, b: FileRef | undefined): boolean {
  return a?.blob === b?.blob && a?.mode === b?.mode;
}
