import type * as vscode from 'vscode';
import type { AgentConnection } from '../acp/connection';
import type { ClientPorts, TrafficRecord } from '../acp/ports';
import type { TrafficLog } from '../acp/traffic';
import type { LaunchPlan } from '../agents/launchPlan';
import { proxyEnvironment } from '../agents/proxyEnvironment';
import { maskText } from '../acp/secrets';
import { visibleShort } from '../chat/visible';
import type { Connector } from '../session/ports';
import type { AgentList } from './agentList';
import { WorkspaceFiles } from './files';
import { handshakeSecondsSetting, proxySettings } from './settings';

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
}

type Connect = (plan: LaunchPlan, context: ConnectContext, signal: AbortSignal) => Promise<AgentConnection>;

/** Starts agents with what the editor has for them. */
export class AgentConnector {
  private hurry = false;

  constructor(
    private readonly agents: AgentList,
    private readonly traffic: TrafficLog,
    private readonly log: vscode.LogOutputChannel,
    private readonly clientVersion: string,
    private readonly connectAgent: Connect,
  ) {}

  readonly connect: Connector = async (agentId, cwd, signal, onActivity) => {
    const plan = await this.agents.planFor(agentId, cwd);
    return this.connectAgent(plan, this.contextFor(plan, cwd, onActivity), signal);
  };

  /** From now on agents end with short waits: VS Code ends the extension host after five seconds. */
  hurryUp(): void {
    this.hurry = true;
  }

  private contextFor(plan: LaunchPlan, cwd: string, onActivity: (text: string) => void): ConnectContext {
    const log = (line: string): void =>
      this.log.info(`${plan.name}: ${visibleShort(maskText(line.trimEnd()), 2000, '\n')}`);
    return {
      cwd,
      env: { ...process.env, ...proxyEnvironment({ ...process.env, ...plan.env }, proxySettings()) },
      platform: process.platform,
      hostRuntime: process.execPath,
      quick: () => this.hurry,
      onStderr: text => log(`stderr: ${text}`),
      onNoise: text => log(`stdout: ${text}`),
      ports: { files: new WorkspaceFiles() },
      clientVersion: this.clientVersion,
      handshakeSeconds: handshakeSecondsSetting(),
      onTraffic: record => this.traffic.add(record),
      log,
      onActivity,
    };
  }
}
