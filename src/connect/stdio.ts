import { stat } from 'node:fs/promises';
import type { LaunchPlan } from '../agents/launchPlan';
import { AgentConnection } from '../acp/connection';
import type { ClientPorts, TrafficRecord } from '../acp/ports';
import { linkedAbort } from '../base/async';
import { ExpectedError } from '../base/errors';
import { Child } from '../node/child';
import { childEnvironment } from '../node/childEnvironment';
import { childLink, type ChildLink } from './childLink';
import { handshakeFailure, MissingFolder, spawnFailure } from './launchErrors';

export interface SpawnContext {
  /** Folder of the session: absolute. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The executable of the extension host. */
  hostRuntime: string;
  /** True when VS Code is closing, and waits must be short. */
  quick(): boolean;
  onStderr(text: string): void;
  onNoise(text: string): void;
}

export interface ConnectContext extends SpawnContext {
  ports: ClientPorts;
  clientVersion: string;
  /** How long `initialize` may take; 0 for no limit. */
  handshakeSeconds: number;
  onTraffic?(record: TrafficRecord): void;
  log(line: string): void;
  /** What is being waited for, for the user. */
  onActivity?(text: string): void;
}

/** Starts an agent's process. Throws `ExpectedError` `spawnFailed` as soon as it is known that it does not start. */
export async function spawnLink(plan: LaunchPlan, context: SpawnContext, signal: AbortSignal): Promise<ChildLink> {
  signal.throwIfAborted();
  const cwd = plan.cwd ?? context.cwd;
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) throw spawnFailure(plan, context, new MissingFolder(cwd));
  const child = await Child.start({
    command: plan.ownRuntime ? context.hostRuntime : plan.command,
    args: plan.args,
    cwd,
    env: childEnvironment(context.env, plan.env, context.platform, plan.ownRuntime),
    platform: context.platform,
    onStderr: text => context.onStderr(text),
  }).catch((error: unknown) => {
    throw spawnFailure(plan, context, error);
  });
  const link = childLink(plan.name, child, { quick: () => context.quick(), onNoise: text => context.onNoise(text) });
  if (signal.aborted) {
    void link.close(true);
    signal.throwIfAborted();
  }
  return link;
}

/**
 * Starts an agent and shakes hands. Throws `ExpectedError` with the command, the folder and the last lines of stderr
 * when the agent does not start, ends too early, or does not answer in time; and the signal's reason.
 */
export async function connectAgent(
  plan: LaunchPlan,
  context: ConnectContext,
  signal: AbortSignal,
): Promise<AgentConnection> {
  context.onActivity?.(`Starting ${plan.name}…`);
  const link = await spawnLink(plan, recording(context), signal);
  context.onActivity?.(`Waiting for ${plan.name} to answer…`);
  const limit = linkedAbort(signal);
  const seconds = context.handshakeSeconds;
  const late = new ExpectedError('handshakeTimeout', `${plan.name} did not answer within ${seconds} seconds.`);
  const timer = seconds > 0 ? setTimeout(() => limit.abort(late), seconds * 1000) : undefined;
  try {
    const { ports, clientVersion, onTraffic } = context;
    const options = { clientVersion, log: (line: string) => context.log(line), ...(onTraffic && { onTraffic }) };
    return await AgentConnection.open(link, ports, options, limit.signal);
  } catch (error) {
    void link.close(true);
    if (signal.aborted) throw signal.reason;
    throw handshakeFailure(plan, context, error, link.stderr);
  } finally {
    clearTimeout(timer);
    limit.dispose();
  }
}

/** What does not pass as a message is part of the traffic too. */
function recording(context: ConnectContext): SpawnContext {
  const record = (direction: 'noise' | 'stderr', text: string): void =>
    context.onTraffic?.({ at: Date.now(), direction, text });
  return {
    ...context,
    quick: () => context.quick(),
    onStderr: text => {
      record('stderr', text);
      context.onStderr(text);
    },
    onNoise: text => {
      record('noise', text);
      context.onNoise(text);
    },
  };
}
