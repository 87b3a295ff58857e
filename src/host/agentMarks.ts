import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import { hunksOfFile, type HunkFilter } from '../changes/fileReview';
import type { ReviewedFile } from '../changes/review';
import type { BaseDocuments } from './baseDocuments';
import type { Changes } from './changes';
import { diskFolders } from './folders';

/** A change as VS Code tells it to the menu of a peek view: lines count from 1, an end of 0 means no lines. */
export interface LineChange {
  readonly originalStartLineNumber: number;
  readonly originalEndLineNumber: number;
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** Marks what the agent changed in the gutter of any editor, beside git's own marks. */
export class AgentMarks extends Disposable {
  private providers: vscode.SourceControl[] = [];

  constructor(
    private readonly changes: Changes,
    private readonly documents: BaseDocuments,
  ) {
    super();
    this.register(changes.onDidChange(() => this.update()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.rebuild()));
    this.register({ dispose: () => this.clear() });
    this.update();
  }

  /** There only while there is something to mark. VS Code asks again which file has a base when a provider is new. */
  private update(): void {
    const names = this.changes.files().map(file => `${file.root}/${file.path}`);
    if (names.join('\n') !== this.marked) this.rebuild(names);
  }

  private marked = '';

  private rebuild(names = this.changes.files().map(file => `${file.root}/${file.path}`)): void {
    this.marked = names.join('\n');
    this.clear();
    if (names.length === 0) return;
    this.providers = diskFolders().map(({ uri }) => {
      const provider = vscode.scm.createSourceControl('portside', 'Agent changes', uri);
      provider.inputBox.visible = false;
      provider.quickDiffProvider = { provideOriginalResource: file => this.documents.following(file) };
      return provider;
    });
  }

  private clear(): void {
    for (const provider of this.providers.splice(0)) provider.dispose();
  }
}

/** The hunks of a file that a change in the gutter stands for. */
export async function hunksAt(changes: Changes, file: ReviewedFile, change: LineChange): Promise<HunkFilter> {
  const session = changes.current;
  const current = await changes.now(file);
  const versions = session && (await session.review.versions(file, current, session.signal));
  // Empty ranges: the change stands between this line and the next.
  const isEmpty = change.modifiedEndLineNumber === 0;
  const start = isEmpty ? change.modifiedStartLineNumber : change.modifiedStartLineNumber - 1;
  const end = isEmpty ? start : change.modifiedEndLineNumber;
  const touched = (versions && hunksOfFile(versions))?.filter(({ current: range }) =>
    range.start === range.end || start === end
      ? range.start <= end && start <= range.end
      : range.start < end && start < range.end,
  );
  return hunk =>
    touched?.some(({ agent }) => agent.start === hunk.agent.start && agent.end === hunk.agent.end) ?? false;
}
