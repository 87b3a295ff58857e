import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { Disposable, DisposableStore } from '../base/lifecycle';
import { PatchSource } from '../chat/patch';
import { Channel, type RequestHandlers } from '../contract/channel';
import type { HostEvents, HostRequests, Opening, ViewEvents, ViewMemory } from '../contract/messages';
import { chatHtml } from './chatHtml';
import type { ViewModel } from './viewModel';

export const chatViewId = 'portside.chat';

/** Just over a frame: at most 58 messages a second. */
const frame = 17;

type ChatChannel = Channel<Record<string, never>, ViewEvents, HostRequests, HostEvents>;
type LateEvent = { [K in keyof ViewEvents]: { name: K; data: ViewEvents[K] } }[keyof ViewEvents];

export interface ChatViewContext {
  extensionUri: vscode.Uri;
  model: ViewModel;
  /** Resolves when what was kept of the last session is there. */
  restored: Promise<unknown>;
  requests: Omit<RequestHandlers<HostRequests>, 'ready'>;
  memory: { get(): ViewMemory; set(memory: ViewMemory): void };
  report(error: unknown, doing: string): void;
  logOnly(error: unknown, doing: string): void;
}

/** The chat view. Its page may go at any time; when one comes, it asks for the whole state and gets patches from then on. */
export class ChatView extends Disposable implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private channel: ChatChannel | undefined;
  /** There while a page listens. */
  private patches: { source: PatchSource; conversationId: string } | undefined;
  private late: LateEvent[] = [];
  private questions = 0;
  private readonly throttle = this.register(new Throttle(frame, () => this.push()));

  constructor(private readonly context: ChatViewContext) {
    super();
    this.register(context.model.onDidChange(() => this.throttle.trigger()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, requests, report, logOnly, memory } = this.context;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const { webview } = view;
    const channel = new Channel<Record<string, never>, ViewEvents, HostRequests, HostEvents>(
      { post: message => void webview.postMessage(message) },
      { ...requests, ready: () => this.open() },
      {
        focus: ({ focused }) => tellFocus(focused),
        remember: data => memory.set(data),
        failed: ({ message }) => logOnly(new Error(message), 'The chat view'),
      },
      error => report(error, 'Portside'),
    );
    const store = new DisposableStore();
    store.add(channel);
    store.add(webview.onDidReceiveMessage(message => channel.receive(message)));
    const leave = (): void => {
      if (this.view === view) this.patches = undefined;
      tellFocus(false);
    };
    store.add(view.onDidChangeVisibility(() => view.visible || leave()));
    view.onDidDispose(() => {
      store.dispose();
      leave();
      if (this.view === view) this.view = this.channel = undefined;
    });
    this.view = view;
    this.channel = channel;
    this.patches = undefined;
    this.showBadge();
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.html = chatHtml({
      script: String(webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.js'))),
      style: String(webview.asWebviewUri(vscode.Uri.joinPath(dist, 'webview.css'))),
      source: webview.cspSource,
      nonce: randomBytes(18).toString('base64url'),
    });
  }

  /** Shows the view with the cursor in the message box. */
  async focus(insert?: string): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.send({ name: 'focusComposer', data: insert === undefined ? {} : { insert } });
  }

  async openFind(): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.send({ name: 'openFind', data: {} });
  }

  async reveal(entryId: string): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.send({ name: 'reveal', data: { entryId } });
  }

  /** How many questions wait for the user. */
  setQuestions(count: number): void {
    if (count === this.questions) return;
    this.questions = count;
    this.showBadge();
  }

  private async open(): Promise<Opening> {
    await this.context.restored;
    const state = this.context.model.state;
    const source = new PatchSource();
    this.patches = { source, conversationId: state.head.conversationId };
    // After the answer to this request.
    setImmediate(() => this.late.splice(0).forEach(event => this.send(event)));
    return { ...source.snapshot(state), memory: this.context.memory.get(), mac: process.platform === 'darwin' };
  }

  private push(): void {
    if (!this.patches || !this.view?.visible) return;
    const state = this.context.model.state;
    if (state.head.conversationId !== this.patches.conversationId) {
      this.patches.conversationId = state.head.conversationId;
      this.channel?.send('snapshot', this.patches.source.snapshot(state));
      return;
    }
    const patch = this.patches.source.next(state);
    if (patch) this.channel?.send('patch', patch);
  }

  /** Now, or as soon as a page listens. */
  private send(event: LateEvent): void {
    if (!this.patches) this.late.push(event);
    else {
      this.throttle.flush();
      this.channel?.send(event.name, event.data);
    }
  }

  private showBadge(): void {
    if (!this.view) return;
    const tooltip = this.questions === 1 ? '1 question waits for an answer' : `${this.questions} questions wait`;
    this.view.badge = this.questions > 0 ? { value: this.questions, tooltip } : undefined;
  }
}

/** For the shortcuts of the view: VS Code's own key `focusedView` does not hold while a webview has the keyboard. */
function tellFocus(focused: boolean): void {
  void vscode.commands.executeCommand('setContext', 'portside.chatFocused', focused);
}
