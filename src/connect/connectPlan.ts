import type { AgentConnection } from '../acp/connection';
import type { LaunchPlan } from '../agents/launchPlan';
import { startPackage, type PackageContext } from './npx';
import { connectAgent, type ConnectContext } from './stdio';

export interface PlanContext extends ConnectContext {
  /** Where packages of npm are installed, and with what; asked only for an agent that is one. */
  packages(): Promise<Pick<PackageContext, 'root' | 'npm' | 'nodes'>>;
}

/**
 * Starts an agent and shakes hands; one that is a package of npm is installed first, for which no clock runs.
 * Throws what `connectAgent` and `startPackage` throw.
 */
export async function connectPlan(
  plan: LaunchPlan,
  context: PlanContext,
  signal: AbortSignal,
): Promise<AgentConnection> {
  return startPlan(plan, context, start => connectAgent(start, context, signal), signal);
}

/** The plan for the program that really runs: that of a package of npm, which is installed first if need be. */
export function resolvePlan(plan: LaunchPlan, context: PlanContext, signal: AbortSignal): Promise<LaunchPlan> {
  return startPlan(plan, context, start => Promise.resolve(start), signal);
}

async function startPlan<T>(
  plan: LaunchPlan,
  context: PlanContext,
  start: (plan: LaunchPlan) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { npm } = plan;
  if (!npm) return start(plan);
  const place: PackageContext = {
    ...(await context.packages()),
    env: context.env,
    platform: context.platform,
    onProgress: text => context.onActivity?.(text),
    log: line => context.log(line),
  };
  return startPackage({ ...plan, npm }, place, start, signal);
}
