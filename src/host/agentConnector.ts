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
import type { NodeRuntime } from '../node/nodeRuntimes';
import type { Connector } from '../session/ports';
import type { AgentEnvironment } from './agentEnvironment';
import type { AgentList } from './agentList';
import type { AgentSearch } from './agentSearch';
import { WorkspaceFiles } from './files';
import { answeringMissing } from './missingFiles';
import { handshakeSecondsSetting, proxySettings } from './settings';
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

type Connect = (plan: LaunchPlan, context: ConnectContext, signal: AbortSignal) => Promise<AgentConnection>;

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
    private readonly connectAgent: Connect,
  ) {}

  readonly connect: Connector = async (agentId, cwd, signal, onActivity) => {
    const planned = await this.agents.planFor(agentId, cwd);
    // The login shell may know the keys of an agent, and where its program is.
    if (!planned.ownRuntime) await abortable(this.machine.environment.complete(), signal);
    const plan = { ...planned, env: { ...this.machine.environment.userVariables, ...planned.env } };
    return this.connectAgent(plan, this.contextFor(plan, cwd, onActivity), signal);
  };

  /** From now on agents end with short waits: VS Code ends the extension host after five seconds. */
  hurryUp(): void {
    this.hurry = true;
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
