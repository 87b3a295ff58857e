import * as vscode from 'vscode';
import { ExpectedError } from '../base/errors';
import { saveBeforePromptSetting } from './settings';

const save = 'Save All';
const send = 'Send Without Saving';

/**
 * Before a message goes to an agent, which mostly reads the disk: saves what the user wants saved. Throws when the user
 * closes the question or a file cannot be saved: then the message is not sent.
 */
export async function saveBeforePrompt(): Promise<void> {
  const setting = saveBeforePromptSetting();
  const unsaved = setting === 'never' ? [] : unsavedDocuments();
  if (unsaved.length === 0) return;
  if (setting === 'ask' && (await ask(unsaved)) === send) return;
  for (const document of unsaved) {
    if (document.isDirty && !(await document.save()))
      throw new ExpectedError('notSaved', `The message was not sent: ${nameOf(document)} could not be saved.`);
  }
}

function unsavedDocuments(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    document => document.isDirty && document.uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(document.uri),
  );
}

async function ask(unsaved: readonly vscode.TextDocument[]): Promise<string> {
  const names = unsaved.map(nameOf);
  const detail = `${names.slice(0, 8).join('\n')}${names.length > 8 ? '\n…' : ''}\n\nMost agents read files from disk and do not see unsaved text.`;
  const message = `Save ${names.length === 1 ? 'the unsaved file' : `${names.length} unsaved files`} before the message is sent?`;
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, save, send);
  if (!answer) throw new vscode.CancellationError();
  return answer;
}

function nameOf(document: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(document.uri);
}
