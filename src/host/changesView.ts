import path from 'node:path';
import * as vscode from 'vscode';
import { ExpectedError } from '../base/errors';
import { Disposable } from '../base/lifecycle';
import type { ReviewedFile } from '../changes/review';
import type { BaseDocuments } from './baseDocuments';
import type { Changes } from './changes';

export const changesViewId = 'portside.changes';

type Group = 'agent' | 'unknown';
type Node = Group | ReviewedFile;

/** The list of what the agent changed and the user has not decided about. */
export class ChangesView extends Disposable implements vscode.TreeDataProvider<Node> {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly tree: vscode.TreeView<Node>;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly changes: Changes,
    private readonly documents: BaseDocuments,
  ) {
    super();
    this.tree = this.register(
      vscode.window.createTreeView(changesViewId, { treeDataProvider: this, canSelectMany: true }),
    );
    this.register(changes.onDidChange(() => this.refresh()));
    this.refresh();
  }

  getChildren(node?: Node): Node[] {
    const files = this.changes.listed();
    const of = (author: Group): ReviewedFile[] => files.filter(file => file.author === author);
    if (node === 'agent' || node === 'unknown') return of(node);
    if (node) return [];
    // A heading only where it tells something.
    return of('unknown').length === 0
      ? of('agent')
      : of('agent').length === 0
        ? ['unknown']
        : [...of('agent'), 'unknown'];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node === 'agent' || node === 'unknown') return groupItem();
    const uri = vscode.Uri.file(path.join(node.root, node.path));
    const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.None);
    const folder = path.dirname(vscode.workspace.asRelativePath(uri));
    item.description = [wordOf(node), folder === '.' ? '' : folder].filter(Boolean).join(' · ');
    item.tooltip = `${uri.fsPath}\n${wordOf(node)} in turn ${node.turns.join(', ')}`;
    item.contextValue = node.kept ? 'changedFile' : 'changedFileNotKept';
    item.command = { command: 'portside.openChange', title: 'Open Change', arguments: [node] };
    return item;
  }

  /** The diff of one file since the agent first changed it. */
  async open(file: ReviewedFile): Promise<void> {
    const [left, right] = this.sides(file);
    const title = `${path.basename(file.path)} (${wordOf(file)} by the agent)`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  /** What one turn made of one of its files. */
  async openOfTurn(turn: number, index: number): Promise<void> {
    const change = this.changes.current?.checkpoints.turnChanges(turn).files[index];
    if (!change) throw new ExpectedError('noChange', 'What this turn changed is no longer known.');
    const { root, path: name, oldPath, before, after } = change;
    const left = this.documents.fixed({ root, path: oldPath ?? name }, before);
    const right = this.documents.fixed({ root, path: name }, after);
    const now = vscode.Uri.file(path.join(root, name));
    // The file itself, which can be edited, while it still is what the turn left.
    const isSame = after && (await this.changes.isNow(change, after));
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      isSame ? now : right,
      `${path.basename(name)} (turn ${turn})`,
    );
  }

  /** All of them in the multi-file diff editor. */
  async openAll(): Promise<void> {
    const sides = this.changes
      .files()
      .map(file => [vscode.Uri.file(path.join(file.root, file.path)), ...this.sides(file)]);
    await vscode.commands.executeCommand('vscode.changes', 'Changes by the agent', sides);
  }

  private sides(file: ReviewedFile): [vscode.Uri, vscode.Uri] {
    const right = file.agent ? vscode.Uri.file(path.join(file.root, file.path)) : this.documents.fixed(file, undefined);
    return [this.documents.fixed(file, file.base), right];
  }

  private refresh(): void {
    const count = this.changes.listed().length;
    this.tree.badge =
      count > 0 ? { value: count, tooltip: `${count} ${count === 1 ? 'file' : 'files'} to review` } : undefined;
    void vscode.commands.executeCommand('setContext', 'portside.changes', count);
    this.changed.fire();
  }
}

function groupItem(): vscode.TreeItem {
  const item = new vscode.TreeItem('Also changed', vscode.TreeItemCollapsibleState.Expanded);
  item.tooltip =
    'Changed while the agent worked, but the agent did not name these files: it may have been a command, a build, or somebody else.';
  return item;
}

function wordOf(file: ReviewedFile): string {
  if (!file.base) return file.movedFrom === undefined ? 'new' : `renamed from ${file.movedFrom}`;
  return file.agent ? 'changed' : 'deleted';
}
