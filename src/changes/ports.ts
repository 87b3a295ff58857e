/** A file as a checkpoint knows it. `blob` names its bytes on disk; a link's bytes are its target. */
export interface FileRef {
  readonly blob: string;
  readonly mode: 'file' | 'executable' | 'link';
}

/** One folder whose files are kept: the folder of a repository, or a workspace folder outside of any. */
export interface RootState {
  /** Absolute. */
  readonly root: string;
  /** The folders below `root` that were looked at, with a slash at the end; empty for all. */
  readonly scope: readonly string[];
  /** Names the content of all files below, without those of a repository inside: that is a root of its own. */
  readonly tree: string;
  /** Files that are known by size and time only, because they are too large or cannot be read; relative to `root`. */
  readonly leftOut: readonly string[];
  /** Number of new files that were not looked at, because there are too many of them. */
  readonly skipped: number;
}

/** A file that differs between two states of a root. Paths are relative to `root` and have forward slashes. */
export interface FileChange {
  readonly root: string;
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Only when renamed. */
  readonly oldPath?: string;
  readonly before?: FileRef;
  readonly after?: FileRef;
  /** Lines; absent for binary content and for what is not kept. */
  readonly added?: number;
  readonly removed?: number;
  /** False when the bytes of one side are not in the store: the change is known, but it cannot be taken back. */
  readonly kept: boolean;
}

/**
 * Where states of folders are kept. Nothing of it is visible in the folders themselves or in their repositories.
 * Every method may throw an `ExpectedError`, and the reason of `signal` when that aborts.
 */
export interface CheckpointStore {
  /** What is on disk now, for the roots that `folders` (absolute) lie in and for repositories inside. */
  take(folders: readonly string[], signal: AbortSignal): Promise<readonly RootState[]>;
  /** Both states are of the same root; an absent one is that of an empty folder. */
  compare(from: RootState | undefined, to: RootState | undefined, signal: AbortSignal): Promise<readonly FileChange[]>;
  /** The file in a state; undefined when it was not there. */
  find(state: RootState, path: string, signal: AbortSignal): Promise<FileRef | undefined>;
  /** Throws `ExpectedError` with the code `checkpointGone` when the bytes are no longer there. */
  read(root: string, blob: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Keeps bytes that are not on disk; gives the name to read them by. */
  put(root: string, bytes: Uint8Array): Promise<string>;
}

/** Where the list of a session's checkpoints is kept. A checkpoint that is in no list may be pruned. */
export interface CheckpointList {
  load(session: string): Promise<readonly Checkpoint[]>;
  save(session: string, checkpoints: readonly Checkpoint[]): Promise<void>;
}

/** The workspace at one moment. JSON. */
export interface Checkpoint {
  /** Unique in the session. */
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  /** The turn that it is the start or the end of. */
  readonly turn: number;
  readonly reason: 'turnStart' | 'turnEnd' | 'restore';
  readonly roots: readonly RootState[];
  /** Text in editors that was not on disk; `path` is absolute, `blob` its UTF-8 bytes in the store of `root`. */
  readonly unsaved: readonly { readonly root: string; readonly path: string; readonly blob: string }[];
}

/** Where a restore goes: the disk, or the editor for what is open there. Paths as in `FileChange`. */
export interface RestoreTarget {
  write(root: string, path: string, mode: FileRef['mode'], bytes: Uint8Array): Promise<void>;
  remove(root: string, path: string): Promise<void>;
  /** Puts text into the editor without saving it. `path` is absolute. */
  unsaved?(path: string, text: string): Promise<void>;
}
