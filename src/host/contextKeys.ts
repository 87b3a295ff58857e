import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import type { Sessions } from '../session/sessions';
import type { ViewModel } from './viewModel';

/** Tells VS Code's menus and shortcuts, and the badge of the view, what goes on. */
export class ContextKeys extends Disposable {
  private readonly told = new Map<string, unknown>();

  constructor(sessions: Sessions, model: ViewModel, onQuestions: (count: number) => void) {
    super();
    const tell = (): void => {
      const phase = sessions.current?.state.phase;
      const questions = sessions.current?.pendingPermissions().length ?? 0;
      this.set('portside.running', phase === 'running' || phase === 'cancelling' || phase === 'connecting');
      this.set('portside.questions', questions);
      this.set('portside.canSignOut', sessions.current?.canSignOut ?? false);
      onQuestions(questions);
    };
    this.register(model.onDidChange(tell));
    tell();
  }

  private set(key: string, value: unknown): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
