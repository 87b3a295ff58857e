import { asArray, asObject, asString } from '../base/json';
import { readCustomAgents } from './customAgents';
import type { Candidate } from './detect';

/** What one extension declares: `contributes.acpAgents`, or what it registered. */
export interface Contribution {
  extension: string;
  /** Folder of the extension; commands that begin with `./` lie in it. */
  folder: string;
  agents: unknown;
}

export interface Contributed {
  agents: readonly Candidate[];
  /** One sentence for each part that cannot be used. */
  problems: readonly string[];
}

/**
 * The agents of other extensions, in the shape of `portside.agents` with an `id` each. An id is known outside as
 * `extension/id`, so that no extension stands in for another's, or the user's, agent. Never throws: what is malformed is
 * named, and hides no other.
 */
export function contributedAgents(contributions: readonly Contribution[]): Contributed {
  const agents: Candidate[] = [];
  const problems: string[] = [];
  for (const { extension, folder, agents: value } of contributions) {
    const note = (problem: string): unknown => problems.push(`${extension}: ${problem}`);
    const entries = asArray(value);
    if (!entries) {
      note('acpAgents is no list.');
      continue;
    }
    const ids = new Set<string>();
    for (const entry of entries) {
      const id = asString(asObject(entry)?.['id'])?.trim();
      if (!id || ids.has(id)) {
        note(id ? `the id "${id}" is there twice.` : 'an agent has no id.');
        continue;
      }
      ids.add(id);
      const read = readCustomAgents({ [id]: entry });
      read.problems.forEach(note);
      for (const { command, ...agent } of read.agents)
        agents.push({
          ...agent,
          id: `${extension}/${id}`,
          program: { kind: 'command', command: command.startsWith('./') ? folder + command.slice(1) : command },
          state: { kind: 'ready' },
          from: extension,
        });
    }
  }
  return { agents, problems };
}
