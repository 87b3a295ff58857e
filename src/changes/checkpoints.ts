import { Sequencer } from '../base/async';
import { messageOf } from '../base/errors';
import { Disposable, Emitter, type Event } from '../base/lifecycle';
import { notKept } from './notKept';
import type {
  Checkpoint,
  CheckpointList,
  CheckpointStore,
  FileChange,
  FileRef,
  RestoreTarget,
  RootState,
} from './ports';

/** Text of an editor that is not on disk. `path` is absolute. */
export interface UnsavedText {
  readonly path: string;
  readonly text: string;
}

/** What checkpoints are taken of, asked each time. */
export interface Workspace {
  /** Absolute paths of the folders that are open. */
  folders(): readonly string[];
  unsaved(): readonly UnsavedText[];
}

/** The files that differ between two moments, and what was not looked at in between. */
export interface ChangeSet {
  readonly files: readonly FileChange[];
  /** Number of new files that were not looked at, because there are too many of them. */
  readonly skipped: number;
}

export interface Restored {
  /** The state before the restore: restoring to it takes the restore back. */
  readonly undo: Checkpoint;
  readonly restored: readonly FileChange[];
  readonly failed: readonly { readonly change: FileChange; readonly reason: string }[];
}

/** What changed in a turn since the last look. */
export interface TurnStep {
  readonly turn: number;
  readonly step: readonly FileChange[];
}

interface Turn {
  readonly start: Checkpoint;
  end: Checkpoint;
  changes: ChangeSet;
}

/** The checkpoints of one session. Whoever changes a file, it is known from the difference between two of them. */
export class Checkpoints extends Disposable {
  private readonly changed = this.register(new Emitter<TurnStep>());
  private readonly sequence = new Sequencer();
  private readonly turns = new Map<number, Turn>();
  private all: Checkpoint[] = [];

  /** The changes of a turn are known anew. */
  readonly onDidChange: Event<TurnStep> = this.changed.event;

  constructor(
    private readonly session: string,
    private readonly content: CheckpointStore,
    private readonly list: CheckpointList,
    private readonly workspace: Workspace,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  /** Brings back what an earlier window kept of this session. Throws what the list or the store throw. */
  load(signal: AbortSignal): Promise<void> {
    return this.sequence.run(async () => {
      this.all = [...(await this.list.load(this.session))];
      for (const start of this.all.filter(({ reason }) => reason === 'turnStart')) {
        const end = this.all.findLast(({ reason, turn }) => reason === 'turnEnd' && turn === start.turn) ?? start;
        this.turns.set(start.turn, { start, end, changes: await this.between(start, end, signal) });
      }
    });
  }

  /** Takes the checkpoint that a turn starts from. Throws what the store throws; the turn then has no checkpoint. */
  startTurn(turn: number, signal: AbortSignal): Promise<Checkpoint> {
    return this.sequence.run(async () => {
      const start = await this.take(turn, 'turnStart', signal);
      this.turns.set(turn, { start, end: start, changes: { files: [], skipped: 0 } });
      await this.keep(start);
      return start;
    });
  }

  /** Compares the workspace with the start of a turn: after a tool call, and at the turn's end. */
  update(turn: number, signal: AbortSignal): Promise<ChangeSet> {
    return this.sequence.run(async () => {
      const known = this.turns.get(turn);
      if (!known) return { files: [], skipped: 0 };
      const end = await this.take(turn, 'turnEnd', signal);
      if (sameState(end, known.end)) return known.changes;
      const step = await this.between(known.end, end, signal);
      known.changes = await this.between(known.start, end, signal);
      known.end = end;
      this.all = this.all.filter(old => !(old.reason === 'turnEnd' && old.turn === turn));
      await this.keep(end);
      this.changed.fire({ turn, step: step.files });
      return known.changes;
    });
  }

  /** What changed from the start to the end of a turn, as far as is known. */
  turnChanges(turn: number): ChangeSet {
    return this.turns.get(turn)?.changes ?? { files: [], skipped: 0 };
  }

  /** The turns that have a checkpoint, in order, with their two ends. */
  turnEnds(): readonly { turn: number; start: Checkpoint; end: Checkpoint }[] {
    return [...this.turns].map(([turn, { start, end }]) => ({ turn, start, end })).sort((a, b) => a.turn - b.turn);
  }

  /** What differs between the session's start and its latest checkpoint, for files that changed while a turn ran. */
  async sessionChanges(signal: AbortSignal): Promise<ChangeSet> {
    const turns = this.turnEnds();
    const [first, last] = [turns[0], turns.at(-1)];
    if (!first || !last) return { files: [], skipped: 0 };
    const touched = new Set([...this.turns.values()].flatMap(({ changes }) => changes.files.flatMap(namesOf)));
    const { files, skipped } = await this.between(first.start, last.end, signal);
    return { files: files.filter(change => namesOf(change).some(name => touched.has(name))), skipped };
  }

  checkpoint(id: string): Checkpoint | undefined {
    return this.all.find(checkpoint => checkpoint.id === id);
  }

  /** The bytes of a file (relative to `root`) at a checkpoint; undefined when it was not there. */
  async bytes(at: Checkpoint, root: string, path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const state = at.roots.find(state => state.root === root);
    if (state?.leftOut.includes(path)) throw notKept(path);
    const ref = state && (await this.content.find(state, path, signal));
    return ref && this.content.read(root, ref.blob, signal);
  }

  /** The bytes that a change names, see `FileChange`. */
  read(root: string, ref: FileRef, signal: AbortSignal): Promise<Uint8Array> {
    return this.content.read(root, ref.blob, signal);
  }

  /**
   * Makes the files what they were at a checkpoint; with `only`, those it accepts. A checkpoint of what is there now
   * comes first, so that a restore can be taken back by another one. One file that fails does not stop the others.
   */
  restore(
    to: Checkpoint,
    target: RestoreTarget,
    signal: AbortSignal,
    only = (_: FileChange): boolean => true,
  ): Promise<Restored> {
    return this.sequence.run(async () => {
      const undo = await this.take(to.turn, 'restore', signal);
      await this.keep(undo);
      const { files } = await this.between(undo, to, signal, 'apart');
      const steps = files.filter(only).sort(removalsFirst);
      const failed: { change: FileChange; reason: string }[] = [];
      for (const change of steps) {
        signal.throwIfAborted();
        await this.apply(change, target, signal).catch((error: unknown) =>
          failed.push({ change, reason: messageOf(error) }),
        );
      }
      await this.restoreUnsaved(to, target, signal);
      const restored = steps.filter(change => !failed.some(failure => failure.change === change));
      return { undo, restored, failed };
    });
  }

  private async apply(change: FileChange, target: RestoreTarget, signal: AbortSignal): Promise<void> {
    if (!change.kept) throw notKept(change.path);
    if (!change.after) return target.remove(change.root, change.path);
    const bytes = await this.content.read(change.root, change.after.blob, signal);
    await target.write(change.root, change.path, change.after.mode, bytes);
  }

  private async restoreUnsaved(to: Checkpoint, target: RestoreTarget, signal: AbortSignal): Promise<void> {
    for (const { root, path, blob } of to.unsaved) {
      await target.unsaved?.(
        path,
        new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.content.read(root, blob, signal)),
      );
    }
  }

  private async take(turn: number, reason: Checkpoint['reason'], signal: AbortSignal): Promise<Checkpoint> {
    const at = this.now();
    const unsaved = this.workspace.unsaved();
    const roots = await this.content.take(this.workspace.folders(), signal);
    const kept = await Promise.all(unsaved.map(text => this.keepUnsaved(text, roots)));
    return {
      id: `${reason}-${turn}-${at}-${this.all.length}`,
      at,
      turn,
      reason,
      roots,
      unsaved: kept.flatMap(text => text ?? []),
    };
  }

  private async keepUnsaved(
    { path, text }: UnsavedText,
    roots: readonly RootState[],
  ): Promise<Checkpoint['unsaved'][number] | undefined> {
    const root = roots.findLast(state => path.startsWith(state.root))?.root ?? roots[0]?.root;
    if (!root) return undefined;
    return { root, path, blob: await this.content.put(root, new TextEncoder().encode(text)) };
  }

  private async keep(checkpoint: Checkpoint): Promise<void> {
    this.all = [...this.all, checkpoint];
    await this.list.save(this.session, this.all);
  }

  /** `apart`: a rename is a deleted and an added file. */
  private async between(
    from: Checkpoint,
    to: Checkpoint,
    signal: AbortSignal,
    renames: 'joined' | 'apart' = 'joined',
  ): Promise<ChangeSet> {
    const roots = [...new Set([...from.roots, ...to.roots].map(state => state.root))];
    const stateOf = (checkpoint: Checkpoint, root: string): RootState | undefined =>
      checkpoint.roots.find(state => state.root === root);
    const lists = await Promise.all(
      roots.map(root => this.content.compare(stateOf(from, root), stateOf(to, root), signal)),
    );
    const files = renames === 'joined' ? lists.flat() : lists.flat().flatMap(splitRename);
    return { files, skipped: to.roots.reduce((sum, state) => sum + state.skipped, 0) };
  }
}

function sameState(a: Checkpoint, b: Checkpoint): boolean {
  const names = (checkpoint: Checkpoint): string =>
    checkpoint.roots.map(({ root, tree, skipped }) => `${root}\n${tree}\n${skipped}`).join('\n');
  return names(a) === names(b);
}

/** Keys of the one or two files that a change is about. */
function namesOf({ root, path, oldPath }: FileChange): string[] {
  return (oldPath === undefined ? [path] : [path, oldPath]).map(name => `${root}\n${name}`);
}

function splitRename({ oldPath, before, after, ...change }: FileChange): FileChange[] {
  if (oldPath === undefined || !before || !after)
    return [{ ...change, ...(before && { before }), ...(after && { after }) }];
  const { root, path, kept } = change;
  return [
    { root, path: oldPath, kind: 'deleted', before, kept },
    { root, path, kind: 'added', after, kept },
  ];
}

/** A folder may stand where a file was, or the other way round. */
function removalsFirst(a: FileChange, b: FileChange): number {
  return Number(a.after !== undefined) - Number(b.after !== undefined);
}
