import type { AgentEntry, Candidate, Source } from './detect';

const sourceNames: Readonly<Record<Source, string>> = {
  builtIn: 'built in',
  user: 'settings',
  detected: 'found on this machine',
  contributed: 'extension',
  remote: 'remote',
  registry: 'can be installed',
};

/** What stands behind an agent, in one line. */
export function describeProgram({ program, args }: Candidate): string {
  switch (program.kind) {
    case 'own':
      return '';
    case 'command':
      return [program.command, ...args].join(' ');
    case 'npm':
      return [`npm ${program.package} ${program.version}`, ...args].join(' ');
    case 'uv':
      return [`uvx ${program.package}==${program.version}`, ...args].join(' ');
    case 'binary':
      return program.archive;
    case 'instructions':
    case 'remote':
      return program.url;
  }
}

/** Where an agent was found, every source of it once; and what is wrong with it. */
export function describeOrigins({ origins, state }: AgentEntry): string {
  const there = origins.filter(({ candidate }) => candidate.state.kind !== 'notInstalled');
  const named = (there.length > 0 ? there : origins).map(({ source, candidate }) =>
    source === 'contributed' && candidate.from ? `extension ${candidate.from}` : sourceNames[source],
  );
  const trouble = state.kind === 'broken' || state.kind === 'unsure' ? [state.why] : [];
  return [...new Set(named), ...trouble].join(' · ');
}
