import path from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import type { Entry, FileWrite } from '../chat/state';
import { titleOf } from '../chat/title';
import { changesOf } from '../chat/toolParts';
import { visibleShort } from '../chat/visible';
import { VirtualDocuments } from './virtualDocuments';

export const diffScheme = 'portside-diff';

/** Shows what was changed, or is to be changed, in the diff editor. Both sides are fixed texts; nothing is written. */
export class Diffs extends Disposable {
  private readonly documents: VirtualDocuments;

  /** `entries` gives the conversation, in which texts are found again after the window was reloaded. */
  constructor(entries: () => readonly Entry[]) {
    super();
    this.documents = this.register(new VirtualDocuments(diffScheme, () => textsOf(entries())));
  }

  /** One change of an entry, by its index among them. */
  async open(entry: Entry, index: number): Promise<void> {
    const change = changesOf(entry)[index];
    if (!change) return;
    const { left, right } = this.sides(entry, change);
    const title = `${path.basename(change.path)} (${change.before === undefined ? 'new file' : 'change by the agent'})`;
    await vscode.commands.executeCommand('vscode.diff', left, right, visibleShort(title, 120), { preview: true });
  }

  /** All changes of an entry: one in the diff editor, several in the multi-file diff editor. */
  async openAll(entry: Entry): Promise<void> {
    const changes = changesOf(entry);
    if (changes.length < 2) return this.open(entry, 0);
    const sides = changes.map(change => {
      const { left, right } = this.sides(entry, change);
      return [vscode.Uri.file(change.path), left, right];
    });
    const title = entry.kind === 'tool' ? titleOf(entry) : 'Changes by the agent';
    await vscode.commands.executeCommand('vscode.changes', visibleShort(title, 120), sides);
  }

  private sides(entry: Entry, change: FileWrite): { left: vscode.Uri; right: vscode.Uri } {
    return {
      left: this.documents.add(change.path, change.before ?? '', `${entry.id}-before`),
      right: this.documents.add(change.path, change.after, `${entry.id}-after`),
    };
  }
}

function* textsOf(entries: readonly Entry[]): Generator<string> {
  for (const entry of entries) for (const { before, after } of changesOf(entry)) yield* [before ?? '', after];
}
