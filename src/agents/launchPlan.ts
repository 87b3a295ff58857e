import type { NpmProgram } from './program';

/** How to start an agent, as a value. */
export interface LaunchPlan {
  agentId: string;
  /** What the user calls it. */
  name: string;
  command: string;
  args: readonly string[];
  /** Added to the environment of the extension host. */
  env: Readonly<Record<string, string>>;
  /** Absolute folder of the process; the session's folder when absent. */
  cwd?: string;
  /** Run `args` with the extension host's own runtime instead of `command` (for agents that ship inside). */
  ownRuntime?: boolean;
  /** Run `args` with a program of this package, which is installed first if need be; `command` is then for show. */
  npm?: NpmProgram;
}
