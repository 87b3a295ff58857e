import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { Disposable, Emitter } from '../base/lifecycle';
import { resolveEnvironment, type ResolvedEnvironment } from '../node/environment';
import { readLoginShell, type LoginShell } from '../node/loginShell';
import { toolFolders } from '../node/toolFolders';
import { environmentSetting } from './settings';

/** The environment of agents. It is there at once; what the login shell adds comes later. */
export class AgentEnvironment extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly closing = new AbortController();
  private resolved: ResolvedEnvironment | undefined;
  private shell: Promise<LoginShell | undefined> | undefined;
  private shellEnv: Record<string, string> | undefined;

  constructor(private readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>) {
    super();
    this.register({ dispose: () => this.closing.abort() });
    this.register(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration('portside.environment')) this.refresh();
      }),
    );
  }

  get current(): ResolvedEnvironment {
    this.resolved ??= resolveEnvironment({
      platform: process.platform,
      process: process.env,
      ...(this.shellEnv ? { loginShell: this.shellEnv } : {}),
      tools: toolFolders({ platform: process.platform, env: process.env, home: homedir(), exists: existsSync, list }),
      user: environmentSetting(),
      exists: existsSync,
    });
    return this.resolved;
  }

  /** What the user has set: these reach an agent even where the host's own of that name would not. */
  get userVariables(): Record<string, string> {
    const set = Object.entries(environmentSetting()).filter((entry): entry is [string, string] => entry[1] !== null);
    return Object.fromEntries(set.filter(([name]) => name.toUpperCase() !== 'PATH'));
  }

  /** Resolves when the login shell has been asked; it is asked once, until a refresh. */
  async complete(): Promise<void> {
    this.shell ??= this.askShell();
    await this.shell;
  }

  /** Looks again at what exists; with `shell` the login shell is asked again too. */
  refresh(shell = false): void {
    this.resolved = undefined;
    if (shell) this.shell = undefined;
    this.changed.fire();
  }

  private async askShell(): Promise<LoginShell | undefined> {
    const { signal } = this.closing;
    const options = { platform: process.platform, env: process.env, runtime: process.execPath, signal };
    const answer = await readLoginShell(options).catch(() => undefined);
    if (!answer || signal.aborted) return answer;
    if (answer.kind === 'failed') this.log.warn(`The login shell ${answer.shell} told nothing: ${answer.why}.`);
    if (answer.kind === 'skipped') this.log.info(`The login shell was not asked: ${answer.why}.`);
    if (answer.kind === 'read') {
      this.log.info(`The login shell ${answer.shell} told its environment in ${answer.milliseconds} ms.`);
      this.shellEnv = answer.env;
      this.refresh();
    }
    return answer;
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
