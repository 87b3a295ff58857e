import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { knownCommands } from '../agents/catalogue';
import { contributedAgents, type Contribution } from '../agents/contributed';
import {
  detectedAgents,
  installableAgents,
  type Candidate,
  type FoundCommand,
  type Installers,
  type Source,
  type SourceResult,
} from '../agents/detect';
import { messageOf } from '../base/errors';
import { Disposable, Emitter, toDisposable, type Disposes } from '../base/lifecycle';
import { getCommand } from '../node/getCommand';
import { besideNode, findNodes, type NodeRuntime } from '../node/nodeRuntimes';
import { CommandSearch } from '../node/which';
import type { AgentEnvironment } from './agentEnvironment';

/** An agent that another extension registers while it runs. */
export interface RegisteredAgent {
  id: string;
  name?: string;
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** Looks for agents: on the machine, in other extensions, and in the catalogue of what can be installed. */
export class AgentSearch extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly search = new CommandSearch(process.platform, process.env['PATHEXT']);
  private readonly registered = new Set<RegisteredAgent>();
  private readonly closing = new AbortController();
  private running: Promise<void> | undefined;
  private asked = false;
  private answers: readonly SourceResult[] = [];
  private commands: ReadonlyMap<string, FoundCommand> | undefined;

  /** @param wanted further commands to look for: those of the user's agents */
  constructor(
    private readonly environment: AgentEnvironment,
    private readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>,
    private readonly wanted: () => readonly string[],
  ) {
    super();
    this.register({ dispose: () => this.closing.abort() });
    this.register(environment.onDidChange(() => void this.refresh()));
    this.register(vscode.extensions.onDidChange(() => void this.refresh()));
    this.register(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration('portside.agents')) void this.refresh();
      }),
    );
  }

  /** What each source gave at the last look; empty before the first. */
  get results(): readonly SourceResult[] {
    return this.answers;
  }

  /** Where commands are; undefined before the first look has ended. */
  get found(): ReadonlyMap<string, FoundCommand> | undefined {
    return this.commands;
  }

  /** Looks again: quick, since only folders that have changed are read. */
  refresh(): Promise<void> {
    this.asked = true;
    this.running ??= this.lookWhileAsked().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Looks again at everything, and asks the login shell anew. */
  async refreshAll(): Promise<void> {
    this.environment.refresh(true);
    await this.environment.complete();
    await this.refresh();
  }

  /** Adds an agent until the answer is disposed. */
  add(agent: RegisteredAgent): Disposes {
    this.registered.add(agent);
    void this.refresh();
    return toDisposable(() => {
      this.registered.delete(agent);
      void this.refresh();
    });
  }

  /** What packages are installed and run with: the Nodes of the machine, newest first, and the npm of the newest. */
  async nodePlace(): Promise<{ npm: string; nodes: readonly NodeRuntime[] }> {
    const { env, path } = this.environment.current;
    const folders = path.map(({ folder }) => folder);
    const nodes = await findNodes(this.search, folders, env);
    const beside = nodes.map(node => besideNode(node, 'npm', process.platform)).find(file => existsSync(file));
    return { npm: beside ?? this.commands?.get('npm')?.path ?? 'npm', nodes };
  }

  /** What is asked for while a look is under way may concern what it has passed already. */
  private async lookWhileAsked(): Promise<void> {
    while (this.asked && !this.isDisposed) {
      this.asked = false;
      await this.look();
    }
  }

  private async look(): Promise<void> {
    const before = JSON.stringify([this.answers, [...(this.commands ?? [])]]);
    const commands = new Map<string, FoundCommand>();
    const detected = await attempt('detected', async () => {
      for (const entry of await this.find([...knownCommands, 'npm', 'uvx', ...this.wanted()])) commands.set(...entry);
      return detectedAgents(commands, installersAmong(commands));
    });
    this.commands = commands;
    this.answers = [
      detected,
      await attempt('contributed', () => this.contributed()),
      await attempt('registry', () => installableAgents(installersAmong(commands))),
    ];
    for (const answer of this.answers)
      if ('failed' in answer) this.log.warn(`Looking for agents (${answer.source}): ${answer.failed}`);
    if (JSON.stringify([this.answers, [...commands]]) !== before) this.changed.fire();
  }

  private async find(commands: readonly string[]): Promise<Map<string, FoundCommand>> {
    const { env, path } = this.environment.current;
    const folders = path.map(({ folder }) => folder);
    const found = new Map<string, FoundCommand>(await this.search.find(commands, folders));
    const missing = process.platform === 'win32' ? commands.filter(command => !found.has(command)) : [];
    if (missing.length > 0)
      for (const [command, file] of await getCommand(missing, { env, signal: this.closing.signal }))
        found.set(command, { path: file });
    return found;
  }

  private contributed(): readonly Candidate[] {
    const declared = vscode.extensions.all.flatMap((extension): Contribution[] => {
      const agents: unknown = extension.packageJSON?.contributes?.acpAgents;
      return agents === undefined ? [] : [{ extension: extension.id, folder: extension.extensionPath, agents }];
    });
    const registered = { extension: 'registered', folder: '', agents: [...this.registered] };
    const { agents, problems } = contributedAgents([...declared, registered]);
    for (const problem of problems) this.log.warn(`Agents of other extensions: ${problem}`);
    return agents;
  }
}

function installersAmong(commands: ReadonlyMap<string, FoundCommand>): Installers {
  return { npm: commands.has('npm'), uv: commands.has('uvx') };
}

/** One source: it fails alone. */
async function attempt(
  source: Source,
  read: () => readonly Candidate[] | Promise<readonly Candidate[]>,
): Promise<SourceResult> {
  try {
    return { source, agents: await read() };
  } catch (error) {
    return { source, failed: messageOf(error) };
  }
}
