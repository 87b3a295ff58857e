import path from 'node:path';
import * as vscode from 'vscode';
import type { ReviewedFile } from '../changes/review';
import { hunksAt, type LineChange } from './agentMarks';
import type { Changes } from './changes';
import type { ChangesView } from './changesView';
import type { Command } from './commands';

/** The commands of the review: from the Changes view, a diff editor's title, and the peek of a mark in the gutter. */
export function changeCommands(changes: Changes, view: ChangesView): Record<string, Command> {
  const ofUri = (uri: vscode.Uri | undefined): ReviewedFile[] => {
    const file = uri ?? vscode.window.activeTextEditor?.document.uri;
    return changes.files().filter(({ root, path: name }) => path.join(root, name) === file?.fsPath);
  };
  const chosen = (one?: ReviewedFile, many?: readonly ReviewedFile[]): readonly ReviewedFile[] =>
    many ?? (one ? [one] : ofUri(undefined));
  const atChange = async (
    act: Changes['keep'],
    uri: vscode.Uri,
    lines: readonly LineChange[],
    index: number,
  ): Promise<void> => {
    const [file] = ofUri(uri);
    const change = lines[index];
    if (file && change) await act.call(changes, [file], await hunksAt(changes, file, change));
  };
  return {
    'portside.openChange': (file: ReviewedFile) => view.open(file),
    'portside.reviewChanges': () => view.openAll(),
    'portside.keepFile': (one?: ReviewedFile, many?: readonly ReviewedFile[]) => changes.keep(chosen(one, many)),
    'portside.undoFile': (one?: ReviewedFile, many?: readonly ReviewedFile[]) => changes.undo(chosen(one, many)),
    'portside.keepEditor': (uri?: vscode.Uri) => changes.keep(ofUri(uri)),
    'portside.undoEditor': (uri?: vscode.Uri) => changes.undo(ofUri(uri)),
    'portside.keepAllChanges': () => changes.keep(changes.files()),
    'portside.undoAllChanges': () => undoAll(changes),
    'portside.keepChange': (uri: vscode.Uri, lines: readonly LineChange[], index: number) =>
      atChange(changes.keep, uri, lines, index),
    'portside.undoChange': (uri: vscode.Uri, lines: readonly LineChange[], index: number) =>
      atChange(changes.undo, uri, lines, index),
    'portside.restoreTurn': (turn?: number) => restore(changes, turn),
  };
}

async function undoAll(changes: Changes): Promise<void> {
  const files = changes.files();
  const undo = 'Undo All';
  const message = `Undo the agent's changes in ${files.length} ${files.length === 1 ? 'file' : 'files'}?`;
  if ((await vscode.window.showWarningMessage(message, { modal: true }, undo)) === undo) await changes.undo(files);
}

async function restore(changes: Changes, turn?: number): Promise<void> {
  const turns = changes.current?.checkpoints.turnEnds() ?? [];
  const chosen =
    turn ??
    (
      await vscode.window.showQuickPick(
        turns.toReversed().map(ends => ({
          label: `Before turn ${ends.turn}`,
          description: new Date(ends.start.at).toLocaleTimeString(),
          detail: `${changes.current?.checkpoints.turnChanges(ends.turn).files.length ?? 0} files changed in it`,
          turn: ends.turn,
        })),
        { title: 'Restore Files', placeHolder: 'Select the state that the files go back to' },
      )
    )?.turn;
  if (chosen !== undefined) await changes.restoreTurn(chosen);
}
