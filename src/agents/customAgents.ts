import { asArray, asObject, asString, isObject } from '../base/json';

/** An agent as the user wrote it into the settings: the shape that other editors use for custom agents. */
export interface CustomAgent {
  id: string;
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

export interface CustomAgents {
  agents: readonly CustomAgent[];
  /** One sentence for each entry that cannot be used, or each part of one that is left out. */
  problems: readonly string[];
}

/**
 * Reads the setting `portside.agents`, an object of id -> entry. A malformed entry is named in `problems` and hides no
 * other; fields that are not known are ignored. Never throws.
 */
export function readCustomAgents(value: unknown, reservedIds: readonly string[] = []): CustomAgents {
  if (value === undefined || value === null) return { agents: [], problems: [] };
  if (!isObject(value)) return { agents: [], problems: ['The setting is not an object of id → agent.'] };
  const agents: CustomAgent[] = [];
  const problems: string[] = [];
  for (const [id, entry] of Object.entries(value)) {
    const note = (problem: string): unknown => problems.push(`Agent "${id}": ${problem}`);
    if (reservedIds.includes(id)) note('this id belongs to an agent of Portside.');
    else {
      const agent = readAgent(id, entry, note);
      if (agent) agents.push(agent);
    }
  }
  return { agents, problems };
}

function readAgent(id: string, value: unknown, note: (problem: string) => unknown): CustomAgent | undefined {
  const entry = asObject(value);
  const command = asString(entry?.command)?.trim();
  if (!entry || !command) return void note('"command" is missing or no text.');
  const args = entry.args === undefined ? [] : asArray(entry.args);
  if (!args?.every(arg => typeof arg === 'string')) return void note('"args" is no list of texts.');
  const env = readEnv(entry.env, note);
  const cwd = asString(entry.cwd);
  return { id, name: asString(entry.name)?.trim() || id, command, args, env, ...(cwd ? { cwd } : {}) };
}

function readEnv(value: unknown, note: (problem: string) => unknown): Record<string, string> {
  const env: Record<string, string> = {};
  if (value === undefined || value === null) return env;
  if (!isObject(value)) note('"env" is no object and is left out.');
  for (const [name, text] of Object.entries(asObject(value) ?? {})) {
    if (typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean') env[name] = String(text);
    else note(`the variable "${name}" is no text and is left out.`);
  }
  return env;
}
