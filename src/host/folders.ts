import * as vscode from 'vscode';
import { ExpectedError } from '../base/errors';

/** The workspace folders that lie on disk: where agents can work. */
export function diskFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
}

/** Why nothing can start in this window, if so. */
export function blockedReason(): 'untrusted' | 'noFolder' | undefined {
  if (!vscode.workspace.isTrusted) return 'untrusted';
  return diskFolders().length === 0 ? 'noFolder' : undefined;
}

/** The folder of a new session; with several the user is asked. Throws when there is none, or when none is chosen. */
export async function chooseFolder(): Promise<string> {
  const [first, ...more] = diskFolders();
  if (!first)
    throw new ExpectedError('noFolder', 'An agent works in a folder: open one first.', { actions: ['openFolder'] });
  if (more.length === 0) return first.uri.fsPath;
  const chosen = await vscode.window.showQuickPick(
    [first, ...more].map(folder => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { title: 'New Session', placeHolder: 'Select the folder that the agent works in', ignoreFocusOut: true },
  );
  if (!chosen) throw new vscode.CancellationError();
  return chosen.folder.uri.fsPath;
}

/** What a session's folder is called where there are several. */
export function folderLabel(cwd: string): string | undefined {
  if (diskFolders().length < 2) return undefined;
  return diskFolders().find(folder => folder.uri.fsPath === cwd)?.name ?? cwd;
}
