import type { Candidate } from './detect';
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

/** How to start an agent that was found; undefined when it has to be installed by hand, or is not a program of its own. */
export function planOf({ id, name, program, args, env = {}, cwd }: Candidate): LaunchPlan | undefined {
  const common = { agentId: id, name, env, ...(cwd === undefined ? {} : { cwd }) };
  switch (program.kind) {
    case 'command':
      return { ...common, command: program.command, args };
    case 'npm':
      return { ...common, command: 'npx', args, npm: program };
    case 'uv': {
      const specifier = `${program.package}==${program.version}`;
      const call = program.bin === undefined ? [specifier] : ['--from', specifier, program.bin];
      return { ...common, command: 'uvx', args: [...call, ...args] };
    }
    case 'own':
    case 'binary':
    case 'instructions':
    case 'remote':
      return undefined;
  }
}
