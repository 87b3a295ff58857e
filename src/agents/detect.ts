import { catalogue, identify, type CatalogueAgent } from './catalogue';
import type { CustomAgent } from './customAgents';
import { programKey, type Program } from './program';

/** Where agents come from, in the order in which they are shown and win. */
export const sources = ['builtIn', 'user', 'detected', 'contributed', 'remote', 'registry'] as const;
export type Source = (typeof sources)[number];

export type AgentState =
  | { kind: 'ready' }
  /** A program of that name is there; whether it is this agent was not checked. */
  | { kind: 'unsure'; why: string }
  | { kind: 'needsSignIn' }
  | { kind: 'notInstalled' }
  | { kind: 'broken'; why: string };

/** An agent as one source knows it. */
export interface Candidate {
  id: string;
  name: string;
  program: Program;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  state: AgentState;
  /** Where in the source: a file, an extension, an address. */
  from?: string;
}

/** What a source gave: agents, or the reason why it has none. */
export type SourceResult = { source: Source; agents: readonly Candidate[] } | { source: Source; failed: string };

export interface Origin {
  source: Source;
  candidate: Candidate;
}

/** One row of the list. Its own fields are those of the origin that would be started. */
export interface AgentEntry extends Candidate {
  origins: readonly [Origin, ...Origin[]];
}

export interface MergedAgents {
  agents: readonly AgentEntry[];
  failed: readonly { source: Source; reason: string }[];
}

/** Names under which two candidates count as one agent. */
function identities(source: Source, candidate: Candidate): string[] {
  const known = source === 'registry' ? identify({ agentId: candidate.id })?.id : undefined;
  return [`id ${known ?? candidate.id}`, programKey(candidate.program, candidate.args)];
}

/**
 * One list out of all sources, in their order. The same id, or the same program with the same arguments, is one row with
 * all its origins; the first origin serves, unless it still has to be installed and a later one is there.
 * A source that failed is named and hides nobody.
 */
export function mergeSources(results: readonly SourceResult[]): MergedAgents {
  const rows: { names: Set<string>; origins: [Origin, ...Origin[]] }[] = [];
  const inOrder = [...results].sort((a, b) => sources.indexOf(a.source) - sources.indexOf(b.source));
  for (const result of inOrder) {
    if ('failed' in result) continue;
    for (const candidate of result.agents) {
      const origin: Origin = { source: result.source, candidate };
      const names = identities(result.source, candidate);
      const row = rows.find(known => names.some(name => known.names.has(name)));
      if (row) {
        row.origins.push(origin);
        for (const name of names) row.names.add(name);
      } else rows.push({ names: new Set(names), origins: [origin] });
    }
  }
  return {
    agents: rows.map(({ origins }) => ({ ...serving(origins), origins })),
    failed: inOrder.flatMap(result => ('failed' in result ? [{ source: result.source, reason: result.failed }] : [])),
  };
}

function serving(origins: readonly [Origin, ...Origin[]]): Candidate {
  const first = origins[0].candidate;
  if (first.state.kind !== 'notInstalled') return first;
  return origins.find(({ candidate }) => candidate.state.kind !== 'notInstalled')?.candidate ?? first;
}

/** A command that was found: where, and the file behind it. */
export interface FoundCommand {
  path: string;
  realPath?: string;
}

/** What an installation can be made with on this machine. */
export interface Installers {
  npm: boolean;
  uv: boolean;
}

/**
 * The agents of the catalogue whose command is on the machine. An agent that needs an adapter is there when its own CLI
 * is: that npx exists is no sign of it.
 */
export function detectedAgents(found: ReadonlyMap<string, FoundCommand>, installers: Installers): Candidate[] {
  return catalogue.flatMap(agent => {
    const name = agent.commands.find(command => found.has(command));
    const at = name === undefined ? undefined : found.get(name);
    if (name !== undefined && at) return [fromCommand(agent, name, at)];
    const companion = agent.companions?.map(command => found.get(command)).find(command => command !== undefined);
    return companion ? [fromAdapter(agent, companion, installers)] : [];
  });
}

function fromCommand(agent: CatalogueAgent, name: string, at: FoundCommand): Candidate {
  const unsure = agent.ambiguous?.includes(name);
  return {
    ...common(agent),
    program: { kind: 'command', command: at.path, ...(at.realPath ? { realPath: at.realPath } : {}) },
    state: unsure ? { kind: 'unsure', why: `other programs are called ${name} as well` } : { kind: 'ready' },
    from: at.path,
  };
}

function fromAdapter(agent: CatalogueAgent, companion: FoundCommand, installers: Installers): Candidate {
  const program = installProgram(agent);
  const missing = program.kind === 'npm' && !installers.npm ? 'npm' : undefined;
  return {
    ...common(agent),
    program,
    state: missing
      ? { kind: 'broken', why: `${companion.path} needs an adapter, and ${missing} to install it is missing` }
      : { kind: 'ready' },
    from: companion.path,
  };
}

/**
 * The user's own agents. What they run is theirs to know; only a plain name that is nowhere on the search path is called
 * broken. `found` is absent until the search has ended.
 */
export function userAgents(
  agents: readonly CustomAgent[],
  found: ReadonlyMap<string, FoundCommand> | undefined,
): Candidate[] {
  return agents.map(({ command, ...agent }) => {
    const file = found?.get(command);
    const missing = found !== undefined && file === undefined && !/[\\/]/.test(command);
    return {
      ...agent,
      program: { kind: 'command', command, ...(file?.realPath ? { realPath: file.realPath } : {}) },
      state: missing ? { kind: 'broken', why: `the command ${command} is not on the search path` } : { kind: 'ready' },
    };
  });
}

/** Every agent of the catalogue as one that can be installed; what is there already merges with it. */
export function installableAgents(installers: Installers): Candidate[] {
  return catalogue.flatMap(agent => {
    const program = installProgram(agent);
    const possible =
      (program.kind === 'npm' && installers.npm) ||
      (program.kind === 'uv' && installers.uv) ||
      program.kind === 'instructions';
    return possible
      ? [{ ...common(agent), program, state: { kind: 'notInstalled' } as const, from: agent.homePage }]
      : [];
  });
}

function installProgram({ install, homePage }: CatalogueAgent): Program {
  return install.kind === 'binary' ? { kind: 'instructions', url: homePage } : install;
}

function common(agent: CatalogueAgent): Pick<Candidate, 'id' | 'name' | 'args' | 'env'> {
  return { id: agent.id, name: agent.name, args: agent.args, ...(agent.env ? { env: agent.env } : {}) };
}
