import * as vscode from 'vscode';
import { ExpectedError, messageOf, type ErrorAction } from '../base/errors';

/** The actions that need no conversation: what a button says, and the command behind it. */
export const generalActions: Partial<Record<ErrorAction, { label: string; command: string }>> = {
  showLog: { label: 'Show Log', command: 'portside.showLog' },
  openSettings: { label: 'Open Settings', command: 'portside.openSettings' },
  openFolder: { label: 'Open Folder', command: 'workbench.action.files.openFolder' },
  newSession: { label: 'New Session…', command: 'portside.newSession' },
};

/** Tells the log what went wrong, and the user where it concerns them. */
export class Reporter {
  constructor(readonly log: vscode.LogOutputChannel) {}

  /** Expected errors in their own words, anything else as a bug, with its stack in the log. */
  readonly report = (error: unknown, doing: string): void => {
    if (isCancellation(error)) return;
    this.logOnly(error, doing);
    if (error instanceof ExpectedError) void this.tell(error.message, error.options.actions ?? []);
    else void this.tell(`${doing} failed: ${messageOf(error)}`, ['showLog']);
  };

  readonly logOnly = (error: unknown, doing: string): void => {
    if (error instanceof ExpectedError)
      this.log.warn([`${doing}: ${error.message}`, error.options.details].filter(Boolean).join('\n'));
    else this.log.error(`${doing}:`, error instanceof Error ? error : messageOf(error));
  };

  private async tell(message: string, names: readonly ErrorAction[]): Promise<void> {
    const actions = names.flatMap(name => generalActions[name] ?? []);
    const chosen = await vscode.window.showErrorMessage(message, ...actions.map(action => action.label));
    const action = actions.find(({ label }) => label === chosen);
    if (action) await vscode.commands.executeCommand(action.command);
  }
}

/** The user closed a question: nothing to tell. */
function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}
