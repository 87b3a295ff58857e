import type * as vscode from 'vscode';
import type { AgentConnection } from '../acp/connection';
import type { ClientPorts, TrafficRecord } from '../acp/ports';
import type { TrafficLog } from '../acp/traffic';
import type { LaunchPlan } from '../agents/launchPlan';
import { proxyEnvironment } from '../agents/proxyEnvironment';
import { quirksOf } from '../agents/quirks';
import { abortable } from '../base/async';
import { maskText } from '../acp/secrets';
import { visibleShort } from '../chat/visible';
import { childEnvironment } from '../node/childEnvironment';
import type { NodeRuntime } from '../node/nodeRuntimes';
import type { Connector } from '../session/ports';
import type { AgentEnvironment } from './agentEnvironment';
import type { AgentList } from './agentList';
import type { AgentSearch } from './agentSearch';
import { WorkspaceFiles } from './files';
import { answeringMissing } from './missingFiles';
import { handshakeSecondsSetting, proxySettings } from './settings';
import type { SignInPrompts, TerminalProgram } from './signInPrompts';
import type { HostTerminals } from './terminals';

/** What starting an agent needs to know of the editor. */
interface ConnectContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  hostRuntime: string;
  quick(): boolean;
  onStderr(text: string): void;
  onNoise(text: string): void;
  ports: ClientPorts;
  clientVersion: string;
  handshakeSeconds: number;
  onTraffic(record: TrafficRecord): void;
  log(line: string): void;
  onActivity(text: string): void;
  packages(): Promise<{ root: string; npm: string; nodes: readonly NodeRuntime[] }>;
}

/** What turns a plan into a connection, or into the program that would be started. */
interface Starter {
  connectPlan(plan: LaunchPlan, context: ConnectContext, signal: AbortSignal): Promise<AgentConnection>;
  resolvePlan(plan: LaunchPlan, context: ConnectContext, signal: AbortSignal): Promise<LaunchPlan>;
}

/** What agents find on the machine. */
interface Machine {
  environment: AgentEnvironment;
  search: AgentSearch;
  /** Where packages are installed. */
  packagesFolder: string;
}

/** Starts agents with what the editor has for them. */
export class AgentConnector {
  private hurry = false;

  constructor(
    private readonly agents: AgentList,
    private readonly machine: Machine,
    private readonly terminals: HostTerminals,
    private readonly traffic: TrafficLog,
    private readonly log: vscode.LogOutputChannel,
    private readonly clientVersion: string,
    private readonly signIn: SignInPrompts,
    private readonly starter: () => Promise<Starter>,
  ) {}

  readonly connect: Connector = async (agentId, cwd, signal, onActivity) => {
    const plan = await this.planFor(agentId, cwd, signal);
    return (await this.starter()).connectPlan(plan, this.contextFor(plan, cwd, onActivity), signal);
  };

  /** The program of an agent as it is started now, with its whole environment. */
  async programOf(agentId: string, cwd: string, signal: AbortSignal): Promise<TerminalProgram> {
    const planned = await this.planFor(agentId, cwd, signal);
    const context = this.contextFor(planned, cwd, () => {});
    const plan = await (await this.starter()).resolvePlan(planned, context, signal);
    return {
      command: plan.ownRuntime ? context.hostRuntime : plan.command,
      args: plan.args,
      cwd: plan.cwd ?? cwd,
      env: childEnvironment(context.env, plan.env, context.platform, plan.ownRuntime),
    };
  }

  /** From now on agents end with short waits: VS Code ends the extension host after five seconds. */
  hurryUp(): void {
    this.hurry = true;
  }

  private async planFor(agentId: string, cwd: string, signal: AbortSignal): Promise<LaunchPlan> {
    const plan = await this.agents.planFor(agentId, cwd);
    const { environment } = this.machine;
    // The login shell may know the keys of an agent, and where its program is.
    if (!plan.ownRuntime) await abortable(environment.complete(), signal);
    const kept = await this.signIn.variablesOf(agentId);
    return { ...plan, env: { ...environment.userVariables, ...plan.env, ...kept } };
  }

  private contextFor(plan: LaunchPlan, cwd: string, onActivity: (text: string) => void): ConnectContext {
    const log = (line: string): void =>
      this.log.info(`${plan.name}: ${visibleShort(maskText(line.trimEnd()), 2000, '\n')}`);
    const { env } = this.machine.environment.current;
    const files = new WorkspaceFiles();
    const missing = quirksOf(plan).missingFileAnswer;
    const own = { ...env, ...proxyEnvironment({ ...env, ...plan.env }, proxySettings()) };
    return {
      cwd,
      env: own,
      platform: process.platform,
      hostRuntime: process.execPath,
      quick: () => this.hurry,
      onStderr: text => log(`stderr: ${text}`),
      onNoise: text => log(`stdout: ${text}`),
      ports: {
        files: missing === undefined ? files : answeringMissing(files, missing),
        terminals: this.terminals.portFor({ ...own, ...plan.env }),
        signIn: this.signIn,
      },
      clientVersion: this.clientVersion,
      handshakeSeconds: handshakeSecondsSetting(),
      onTraffic: record => this.traffic.add(record),
      log,
      onActivity,
      packages: async () => ({ root: this.machine.packagesFolder, ...(await this.machine.search.nodePlace()) }),
    };
  }
}
