import path from 'node:path';
import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { Disposable, Emitter } from '../base/lifecycle';
import { Checkpoints, type Workspace } from '../changes/checkpoints';
import type { CheckpointList, CheckpointStore, FileChange } from '../changes/ports';
import { type Author, Review, type ReviewMemory } from '../changes/review';
import type { ChangedFile, Conversation, Entry } from '../chat/state';
import type { Session } from '../session/session';
import { unsavedText } from './files';
import { diskFolders } from './folders';
import type { ReviewFiles } from './reviewFiles';

export interface ChangeStore {
  content: CheckpointStore;
  lists: CheckpointList & ReviewMemory;
  files: ReviewFiles;
  log(error: unknown, doing: string): void;
}

/** A turn waits no longer than this for its checkpoint. */
const checkpointSeconds = 20;
/** Between two looks at the disk while a turn runs, in ms. */
const lookInterval = 1000;

const workspace: Workspace = {
  folders: () => diskFolders().map(folder => folder.uri.fsPath),
  unsaved: () =>
    vscode.workspace.textDocuments
      .filter(document => document.isDirty && vscode.workspace.getWorkspaceFolder(document.uri)?.uri.scheme === 'file')
      .map(document => ({ path: document.uri.fsPath, text: unsavedText(document) })),
};

/** Watches what one session's turns change on disk. */
export class SessionChanges extends Disposable {
  readonly checkpoints: Checkpoints;
  readonly review: Review;
  private readonly changed = this.register(new Emitter<void>());
  private readonly ended = new AbortController();
  private readonly throttle = this.register(new Throttle(lookInterval, () => void this.look()));
  /** What the user saved while the turn runs, by absolute path. */
  private readonly saved = new Set<string>();
  private seen: { running: boolean; finished: number };

  /** What was changed, kept or undone. */
  readonly onDidChange = this.changed.event;
  private loaded: Promise<void> | undefined;

  constructor(
    private readonly session: Session,
    private readonly kept: ChangeStore,
  ) {
    super();
    const { content, lists } = kept;
    this.checkpoints = this.register(new Checkpoints(session.id, content, lists, workspace));
    this.review = this.register(new Review(session.id, content, lists));
    this.register(this.review.onDidChange(() => this.changed.fire()));
    this.register(
      this.checkpoints.onDidChange(({ turn, step }) => {
        const authors = authorsOf(this.session.state.conversation, this.session.state.cwd);
        this.review.record(turn, step, authors, this.signal).catch(this.failed('Recording changes'));
      }),
    );
    this.seen = progressOf(session.state.conversation);
    this.register(session.onDidChange(() => this.follow()));
    this.register(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.seen.running && this.saved.add(uri.fsPath)));
    // In Restricted Mode nothing runs in the workspace's folders, not even git.
    if (vscode.workspace.isTrusted) void this.load();
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Takes the checkpoint of a turn. Never throws: a turn without one runs as well, and the log tells why. */
  async startTurn(turn: number): Promise<void> {
    await this.load();
    this.saved.clear();
    const limit = AbortSignal.any([this.signal, AbortSignal.timeout(checkpointSeconds * 1000)]);
    await this.checkpoints.startTurn(turn, limit).catch(this.failed('Taking a checkpoint'));
  }

  override dispose(): void {
    this.ended.abort(new vscode.CancellationError());
    super.dispose();
  }

  /** What an earlier window kept of the session. */
  private load(): Promise<void> {
    this.loaded ??= Promise.all([this.checkpoints.load(this.signal), this.review.load()]).then(
      () => {},
      this.failed('Loading checkpoints'),
    );
    return this.loaded;
  }

  /** After each tool call, and when the turn has ended. */
  private follow(): void {
    const now = progressOf(this.session.state.conversation);
    const { running, finished } = this.seen;
    this.seen = now;
    if (running && !now.running) {
      this.throttle.trigger();
      this.throttle.flush();
    } else if (now.running && now.finished > finished) this.throttle.trigger();
  }

  private async look(): Promise<void> {
    const { conversation } = this.session.state;
    try {
      await this.tellSaved(conversation);
      const { files, skipped } = await this.checkpoints.update(conversation.turn, this.signal);
      if (!conversation.running) this.session.tellChanges(conversation.turn, files.map(shown), skipped);
      this.changed.fire();
    } catch (error) {
      this.failed('Comparing with the checkpoint')(error);
    }
  }

  /** What the user saved is no change of the agent, unless the editor saved it for the agent. */
  private async tellSaved(conversation: Conversation): Promise<void> {
    const written = writesOf(conversation);
    const roots =
      this.checkpoints
        .turnEnds()
        .at(-1)
        ?.end.roots.map(state => state.root) ?? [];
    for (const file of [...this.saved]) {
      this.saved.delete(file);
      const root = roots
        .filter(folder => !path.relative(folder, file).startsWith('..'))
        .sort((a, b) => b.length - a.length)[0];
      if (root === undefined || written.has(file)) continue;
      const name = path.relative(root, file).replaceAll(path.sep, '/');
      await this.review.userWrote({ root, path: name }, await this.kept.files.read(root, name));
    }
  }

  private failed(doing: string): (error: unknown) => void {
    return error => {
      if (!this.isDisposed) this.kept.log(error, doing);
    };
  }
}

function shown({ root, path: name, oldPath, kind, added, removed }: FileChange): ChangedFile {
  return {
    path: path.join(root, name),
    kind,
    ...(oldPath === undefined ? {} : { oldPath: path.join(root, oldPath) }),
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
  };
}

function progressOf({ entries, running, turn }: Conversation): { running: boolean; finished: number } {
  const finished = entries.filter(entry => entry.turn === turn && (entry.kind === 'write' || isFinished(entry))).length;
  return { running, finished };
}

function isFinished(entry: Entry): boolean {
  return entry.kind === 'tool' && entry.status !== 'pending' && entry.status !== 'in_progress';
}

/** Files that the agent has written through the editor in this turn. */
function writesOf({ entries, turn }: Conversation): Set<string> {
  const writes = entries
    .filter(entry => entry.turn === turn)
    .flatMap(entry => (entry.kind === 'write' ? [entry] : entry.kind === 'tool' ? entry.writes : []));
  return new Set(writes.map(write => write.path));
}

/** Who changed a file: the agent, when it named it in this turn. */
function authorsOf(conversation: Conversation, cwd: string): (file: string) => Author {
  const named = new Set<string>();
  for (const entry of conversation.entries) {
    if (entry.turn !== conversation.turn || entry.kind !== 'tool') continue;
    for (const location of entry.locations) named.add(path.resolve(cwd, location.path));
    for (const item of entry.content) if (item.type === 'diff') named.add(path.resolve(cwd, item.path));
  }
  for (const file of writesOf(conversation)) named.add(file);
  return file => (named.has(path.resolve(file)) ? 'agent' : 'unknown');
}
