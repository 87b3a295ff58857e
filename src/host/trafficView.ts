import * as vscode from 'vscode';
import type { TrafficLog } from '../acp/traffic';
import { Throttle } from '../base/async';
import { Disposable } from '../base/lifecycle';

const scheme = 'portside-traffic';
const address = vscode.Uri.from({ scheme, path: '/Agent Traffic.log' });
/** How often an open document follows what passes, in milliseconds. */
const pace = 1000;

/** Shows the messages between Portside and its agents, newest last, and saves them. Secrets are masked by the log. */
export class TrafficView extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly traffic: TrafficLog) {
    super();
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    const follow = this.register(new Throttle(pace, () => this.changed.fire(address)));
    this.register(traffic.onDidAdd(() => isShown() && follow.trigger()));
  }

  provideTextDocumentContent(): string {
    return this.traffic.toText() || 'Nothing has passed between Portside and an agent yet.\n';
  }

  async show(): Promise<void> {
    this.changed.fire(address);
    const document = await vscode.workspace.openTextDocument(address);
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    const end = new vscode.Position(document.lineCount, 0);
    editor.revealRange(new vscode.Range(end, end));
  }

  async save(): Promise<void> {
    const target = await vscode.window.showSaveDialog({
      title: 'Save Agent Traffic',
      filters: { 'JSON Lines': ['jsonl'] },
      saveLabel: 'Save',
    });
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(this.traffic.toJsonl()));
  }
}

function isShown(): boolean {
  return vscode.window.visibleTextEditors.some(editor => editor.document.uri.scheme === scheme);
}
