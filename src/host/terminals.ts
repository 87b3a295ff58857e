import * as vscode from 'vscode';
import type { Terminal, TerminalPort } from '../acp/ports';
import { Disposable, toDisposable } from '../base/lifecycle';
import { visibleShort } from '../chat/visible';
import { Terminals } from '../node/terminals';
import { diskFolders } from './folders';

/** What ends sooner than this, in ms, is only shown in the chat. */
const shortCommand = 1500;
/** How much of what came before is shown in a terminal that opens, in characters. */
const earlierLimit = 100_000;

/**
 * The commands of agents. One that takes a while is mirrored in a terminal of the editor, in which the user can watch it
 * and stop it; the process itself is ours.
 */
export class HostTerminals {
  private readonly terminals = new Terminals(process.platform, () => diskFolders().map(folder => folder.uri.fsPath));

  /** For one agent, in whose environment its commands run. */
  portFor(env: NodeJS.ProcessEnv): TerminalPort {
    return {
      create: async (cwd, request) => {
        const terminal = await this.terminals.create(cwd, request, env);
        this.watch(terminal);
        return terminal;
      },
    };
  }

  private watch(terminal: Terminal): void {
    let earlier = '';
    const listening = terminal.onDidOutput(text => (earlier = (earlier + text).slice(-earlierLimit)));
    const timer = setTimeout(() => {
      listening.dispose();
      new Mirror(terminal, earlier);
    }, shortCommand);
    void terminal.exited.then(() => {
      clearTimeout(timer);
      listening.dispose();
    });
  }
}

/** A terminal of the editor that shows what a command puts out. Closing it, or Ctrl+C in it, ends the command. */
class Mirror extends Disposable implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly shown: vscode.Terminal;
  private hasEnded = false;
  /** What came before the terminal was open; nothing listens until then. */
  private waiting: string | undefined;

  constructor(
    private readonly terminal: Terminal,
    earlier: string,
  ) {
    super();
    this.waiting = earlier;
    this.register(this.written);
    this.register(terminal.onDidOutput(text => this.write(text)));
    const name = visibleShort(terminal.title, 60);
    this.shown = vscode.window.createTerminal({ name, pty: this, isTransient: true });
    this.register(toDisposable(() => this.shown.dispose()));
    void terminal.exited.then(({ exitCode, signal }) =>
      this.ended(signal === undefined ? `exit code ${exitCode}` : `ended by ${signal}`),
    );
  }

  open(): void {
    const text = this.waiting ?? '';
    this.waiting = undefined;
    this.write(text);
  }

  close(): void {
    if (!this.hasEnded) void this.terminal.kill();
    this.dispose();
  }

  handleInput(data: string): void {
    if (this.hasEnded) this.dispose();
    else if (data.includes('\x03')) void this.terminal.kill();
  }

  /** It stays only while the user looks at it. */
  private ended(how: string): void {
    this.hasEnded = true;
    if (vscode.window.activeTerminal === this.shown) this.write(`\n[${how}: press any key to close]\n`);
    else this.dispose();
  }

  private write(text: string): void {
    if (this.waiting === undefined) this.written.fire(text.replace(/\r?\n/g, '\r\n'));
    else this.waiting = (this.waiting + text).slice(-earlierLimit);
  }
}
