import * as vscode from 'vscode';
import { Disposable, DisposableStore, Emitter } from '../base/lifecycle';
import { ExpectedError } from '../base/errors';
import type { HunkFilter, UndoneFile, Version } from '../changes/fileReview';
import { decodeBytes, encodeBytes, type ReviewedFile } from '../changes/review';
import type { Checkpoint, FileRef } from '../changes/ports';
import type { Sessions } from '../session/sessions';
import { followCurrent } from './currentSession';
import { type ChangeStore, SessionChanges } from './sessionChanges';

/** What the agent of the current session changed, and what the user does about it. */
export class Changes extends Disposable {
  private shown: SessionChanges | undefined;
  private readonly changed = this.register(new Emitter<void>());
  /** What was under review before a restore, by the id of the checkpoint that takes the restore back. */
  private readonly beforeRestore = new Map<string, readonly ReviewedFile[]>();

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sessions: Sessions,
    private readonly kept: ChangeStore,
  ) {
    super();
    this.register(
      followCurrent(sessions, session => {
        const owned = new DisposableStore();
        this.shown = session && owned.add(new SessionChanges(session, kept));
        if (this.shown) owned.add(this.shown.onDidChange(() => this.changed.fire()));
        this.changed.fire();
        return owned;
      }),
    );
  }

  get current(): SessionChanges | undefined {
    return this.shown;
  }

  /** See `SessionContext.beforeTurn`. */
  async beforeTurn(sessionId: string, turn: number): Promise<void> {
    if (this.sessions.current?.id === sessionId) await this.shown?.startTurn(turn);
  }

  files(): readonly ReviewedFile[] {
    return this.shown?.review.files() ?? [];
  }

  /** The files as the user sees them: one that was moved is one file. */
  listed(): readonly ReviewedFile[] {
    const files = this.files();
    const isSource = ({ root, path }: ReviewedFile): boolean =>
      files.some(file => file.root === root && file.movedFrom === path);
    return files.filter(file => !isSource(file));
  }

  /** What a file is now, as the user sees it. */
  now(file: Pick<ReviewedFile, 'root' | 'path'>): Promise<Version | undefined> {
    return this.kept.files.read(file.root, file.path);
  }

  /** Whether a file is what a checkpoint kept. */
  async isNow(file: Pick<ReviewedFile, 'root' | 'path'>, ref: FileRef): Promise<boolean> {
    const { checkpoints, signal } = this.session();
    const [now, bytes] = await Promise.all([this.now(file), checkpoints.read(file.root, ref, signal)]);
    return now?.content === decodeBytes(bytes);
  }

  async keep(files: readonly ReviewedFile[], which?: HunkFilter): Promise<void> {
    const { review, signal } = this.session();
    for (const file of this.withSources(files)) await review.keep(file, await this.now(file), signal, which);
  }

  /** Asks before anything is lost that the user has written since. */
  async undo(files: readonly ReviewedFile[], which?: HunkFilter): Promise<void> {
    const { review, signal } = this.session();
    const overlapping: ReviewedFile[] = [];
    for (const file of this.withSources(files)) {
      const { overlaps } = await review.undo(file, await this.now(file), { ...(which && { which }), signal }, result =>
        this.apply(file, result),
      );
      if (overlaps) overlapping.push(file);
    }
    if (overlapping.length === 0 || !(await asksToLose(overlapping))) return;
    for (const file of overlapping) {
      const options = { ...(which && { which }), overUser: true, signal };
      await review.undo(file, await this.now(file), options, result => this.apply(file, result));
    }
  }

  /** Files become what they were before a turn. */
  async restoreTurn(turn: number): Promise<void> {
    const { checkpoints } = this.session();
    const start = checkpoints.turnEnds().find(ends => ends.turn === turn)?.start;
    if (!start) throw new ExpectedError('noCheckpoint', 'There is no checkpoint of this turn.');
    await this.restore(start, `before turn ${turn}`);
  }

  private async restore(to: Checkpoint, name: string): Promise<void> {
    const { checkpoints, review, signal } = this.session();
    const listed = review.files();
    const { undo, restored, failed } = await checkpoints.restore(to, this.kept.files, signal);
    const earlier = this.beforeRestore.get(to.id);
    if (earlier) await review.replace(earlier);
    else await review.restored(restored);
    this.beforeRestore.set(undo.id, listed);
    for (const { change, reason } of failed)
      this.kept.log(new ExpectedError('restore', `${change.path}: ${reason}`), 'Restoring');
    const files = `${restored.length} ${restored.length === 1 ? 'file' : 'files'}`;
    const message =
      failed.length > 0
        ? `${files} restored, ${failed.length} could not be (see the log).`
        : `${files} restored to the state ${name}.`;
    const undoLabel = 'Undo Restore';
    if ((await vscode.window.showInformationMessage(message, undoLabel)) === undoLabel)
      await this.restore(undo, 'before the restore');
  }

  /** With a file that was moved goes the one that it was. */
  private withSources(files: readonly ReviewedFile[]): ReviewedFile[] {
    const sources = files.flatMap(({ root, movedFrom }) =>
      movedFrom === undefined ? [] : (this.shown?.review.file({ root, path: movedFrom }) ?? []),
    );
    return [...new Set([...files, ...sources])];
  }

  private async apply(file: ReviewedFile, { current }: UndoneFile): Promise<void> {
    const { files } = this.kept;
    if (!current) await files.remove(file.root, file.path);
    else await files.write(file.root, file.path, current.mode, encodeBytes(current.content));
  }

  private session(): SessionChanges {
    if (!this.shown) throw new ExpectedError('noSession', 'There is no session.');
    return this.shown;
  }
}

async function asksToLose(files: readonly ReviewedFile[]): Promise<boolean> {
  const undo = 'Undo Anyway';
  const detail = files.map(file => file.path).join('\n');
  const message = 'You have written into what the agent changed. Undoing it takes back your text there as well.';
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, undo)) === undo;
}
