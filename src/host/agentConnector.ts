import type * as vscode from 'vscode';
import type { AgentConnection } from '../acp/connection';
import type { ClientPorts, TrafficRecord } from '../acp/ports';
import type { TrafficLog } from '../acp/traffic';
import type { LaunchPlan } from '../agents/launchPlan';
import { proxyEnvironment } from '../agents/proxyEnvironment';
import { linkedAbort } from '../base/async';
import { maskText } from '../acp/secrets';
import { visibleShort } from '../chat/visible';
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
  onActivity?(text: string): void;
}

type Connect = (plan: LaunchPlan, context: ConnectContext, signal: AbortSignal) => Promise<AgentConnection>;

/** Starts agents with what the editor has for them, and ends all of them when VS Code closes. */
export class AgentConnector {
  private readonly closing = new AbortController();
  private readonly starting = new Set<Promise<AgentConnection>>();
  private readonly connections = new Set<AgentConnection>();

  constructor(
    private readonly agents: AgentList,
    private readonly traffic: TrafficLog,
    private readonly log: vscode.LogOutputChannel,
    private readonly clientVersion: string,
    private readonly connectAgent: Connect,
  ) {}

  readonly connect = async (
    agentId: string,
    cwd: string,
    signal: AbortSignal,
    onActivity?: (text: string) => void,
  ): Promise<AgentConnection> => {
    const plan = await this.agents.planFor(agentId, cwd);
    const abort = linkedAbort(signal, this.closing.signal);
    const starting = this.connectAgent(plan, this.contextFor(plan, cwd, onActivity), abort.signal);
    this.starting.add(starting);
    try {
      const connection = await starting;
      this.keep(connection);
      return connection;
    } finally {
      this.starting.delete(starting);
      abort.dispose();
    }
  };

  /** All agents at once, with short waits: VS Code ends the extension host after five seconds. */
  async closeAll(): Promise<void> {
    this.closing.abort(new Error('VS Code is closing.'));
    await Promise.allSettled([...this.starting, ...[...this.connections].map(connection => connection.dispose())]);
  }

  private keep(connection: AgentConnection): void {
    this.connections.add(connection);
    void connection.ended.then(() => this.connections.delete(connection));
    if (this.closing.signal.aborted) void connection.dispose();
  }

  private contextFor(plan: LaunchPlan, cwd: string, onActivity?: (text: string) => void): ConnectContext {
    const log = (line: string): void =>
      this.log.info(`${plan.name}: ${visibleShort(maskText(line.trimEnd()), 2000, '\n')}`);
    return {
      cwd,
      env: { ...process.env, ...proxyEnvironment({ ...process.env, ...plan.env }, proxySettings()) },
      platform: process.platform,
      hostRuntime: process.execPath,
      quick: () => this.closing.signal.aborted,
      onStderr: text => log(`stderr: ${text}`),
      onNoise: text => log(`stdout: ${text}`),
      ports: { files: new WorkspaceFiles() },
      clientVersion: this.clientVersion,
      handshakeSeconds: handshakeSecondsSetting(),
      onTraffic: record => this.traffic.add(record),
      log,
      ...(onActivity ? { onActivity } : {}),
    };
  }
}
