import { asArray, asObject, asString, isObject, type JsonObject } from '../base/json';
import type { Candidate } from './detect';
import type { Program } from './program';

/** One way to get an agent of the registry, read and checked. */
interface Distribution {
  program: Program;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface RegistryAgent {
  id: string;
  name: string;
  version: string;
  description: string;
  licence?: string;
  homePage?: string;
  icon?: string;
  /** By target: `linux-x86_64`... */
  binaries: ReadonlyMap<string, Distribution>;
  npx?: Distribution;
  uvx?: Distribution;
  /** What was left out of it, and why. */
  remarks: readonly string[];
}

export interface Registry {
  agents: readonly RegistryAgent[];
  problems: readonly { entry: string; reason: string }[];
}

/** What makes an entry, or a part of one, unusable. */
class Refused extends Error {}

/** Names with which an entry could take over its own process or those that it starts. */
const hijackingNames =
  /^(PATH|PATHEXT|HOME|USERPROFILE|SHELL|COMSPEC|IFS|ENV|BASH_ENV|ZDOTDIR|TMPDIR|TMP|TEMP|HTTPS?_PROXY|ALL_PROXY|NO_PROXY)$/i;
const hijackingFamilies =
  /^(NODE_|NPM_|LD_|DYLD_|PYTHON|UV_|PIP_|PERL5?|RUBY|_?JAVA_|JDK_JAVA_|ELECTRON_|VSCODE_|GIT_|GITHUB_|AWS_|AZURE_|SSH_|SSL_|CURL_CA|REQUESTS_CA)/i;

/** Whether an entry of a registry may set this variable for its process. */
export function mayBeSet(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !hijackingNames.test(name) && !hijackingFamilies.test(name);
}

const targets = ['darwin', 'linux', 'windows'].flatMap(os => [`${os}-aarch64`, `${os}-x86_64`]);

/** The registry's name of a platform and an architecture as Node writes them; undefined when it has none. */
export function targetOf(platform: string, arch: string): string | undefined {
  const os = platform === 'win32' ? 'windows' : platform;
  const cpu = { arm64: 'aarch64', x64: 'x86_64' }[arch];
  const target = `${os}-${cpu}`;
  return targets.includes(target) ? target : undefined;
}

/**
 * Reads `registry.json` entry by entry: a bad one is named among the problems and hides no other.
 * Throws nothing; a file that is no registry at all is one problem.
 */
export function parseRegistry(value: unknown): Registry {
  const entries = asArray(asObject(value)?.['agents']);
  if (!entries) return { agents: [], problems: [{ entry: '(file)', reason: 'it has no list of agents' }] };
  const agents: RegistryAgent[] = [];
  const problems: { entry: string; reason: string }[] = [];
  const seen = new Set<string>();
  for (const [index, raw] of entries.entries()) {
    const label = asString(asObject(raw)?.['id']) ?? `#${index + 1}`;
    try {
      const agent = readAgent(raw);
      if (seen.has(agent.id)) throw new Refused('the id is there twice');
      seen.add(agent.id);
      agents.push(agent);
      for (const reason of agent.remarks) problems.push({ entry: label, reason });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problems.push({ entry: label, reason: error.message });
    }
  }
  return { agents, problems };
}

function readAgent(raw: unknown): RegistryAgent {
  if (!isObject(raw)) throw new Refused('it is no object');
  const id = need(raw, 'id');
  if (!/^[a-z][a-z0-9-]*$/.test(id)) throw new Refused(`the id ${JSON.stringify(id)} is not allowed`);
  const version = need(raw, 'version');
  const offered = asObject(raw['distribution']);
  if (!offered) throw new Refused('it has no distribution');
  const remarks: string[] = [];
  const attempt = <T>(label: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      remarks.push(`${label}: ${error.message}`);
      return undefined;
    }
  };
  const binaries = new Map<string, Distribution>();
  for (const [target, part] of Object.entries(asObject(offered['binary']) ?? {})) {
    const read = targets.includes(target) ? attempt(target, () => readBinary(part, version)) : undefined;
    if (read) binaries.set(target, read);
  }
  const npx = offered['npx'] === undefined ? undefined : attempt('npx', () => readPackage('npm', offered['npx']));
  const uvx = offered['uvx'] === undefined ? undefined : attempt('uvx', () => readPackage('uv', offered['uvx']));
  if (binaries.size === 0 && !npx && !uvx) throw new Refused(['nothing in it can be installed', ...remarks].join('; '));
  return {
    id,
    name: need(raw, 'name'),
    version,
    description: asString(raw['description']) ?? '',
    ...optional('licence', asString(raw['license'])),
    ...optional('homePage', webAddress(raw['website']) ?? webAddress(raw['repository'])),
    ...optional('icon', webAddress(raw['icon'])),
    binaries,
    ...optional('npx', npx),
    ...optional('uvx', uvx),
    remarks,
  };
}

function readBinary(part: unknown, version: string): Distribution {
  if (!isObject(part)) throw new Refused('it is no object');
  const archive = webAddress(part['archive']);
  if (!archive) throw new Refused('the archive has no https address');
  if (/\.(dmg|pkg|deb|rpm|msi|appimage)$/i.test(new URL(archive).pathname)) throw new Refused('installers are not run');
  const sha256 = asString(part['sha256'])?.toLowerCase();
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw new Refused('the sha256 is none');
  const cmd = insidePath(need(part, 'cmd'));
  return { program: { kind: 'binary', archive, cmd, version, ...optional('sha256', sha256) }, ...invocation(part) };
}

/** `name@x.y.z`, and for uv `name==x.y.z` as well: an exact version, never a tag or a range. */
function readPackage(kind: 'npm' | 'uv', part: unknown): Distribution {
  if (!isObject(part)) throw new Refused('it is no object');
  const specifier = need(part, 'package');
  const exact = /^((?:@[a-z0-9~._-]+\/)?[A-Za-z0-9~._-]+)(?:@|==)(\d+(?:\.\d+)+[0-9A-Za-z.+-]*)$/.exec(specifier);
  if (!exact?.[1] || !exact[2] || (kind === 'npm' && specifier.includes('==')))
    throw new Refused(`the package ${JSON.stringify(specifier)} has no exact version`);
  const bin = asString(part['cmd']);
  if (bin !== undefined && !/^[A-Za-z0-9._-]+$/.test(bin)) throw new Refused('the cmd is no name of a program');
  return {
    program: { kind, package: exact[1], version: exact[2], ...optional('bin', bin) },
    ...invocation(part),
  };
}

function invocation(part: JsonObject): Pick<Distribution, 'args' | 'env'> {
  const args = part['args'] === undefined ? [] : asArray(part['args']);
  if (!args?.every(arg => typeof arg === 'string')) throw new Refused('the args are no list of texts');
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(asObject(part['env']) ?? {})) {
    if (typeof value !== 'string') throw new Refused(`the value of ${name} is no text`);
    if (!mayBeSet(name)) throw new Refused(`it may not set ${name}`);
    env[name] = value;
  }
  return { args, env };
}

/**
 * A `cmd` as a clean relative path with `/`: `./dist-package\\cursor-agent.cmd` -> `dist-package/cursor-agent.cmd`.
 * Throws when it leaves its folder.
 */
function insidePath(cmd: string): string {
  const parts = cmd.split(/[\\/]/).filter(part => part !== '.');
  const outside = parts.some(part => part === '..' || part === '' || part.includes(':') || part.includes('\0'));
  if (outside || parts.length === 0) throw new Refused(`the cmd ${JSON.stringify(cmd)} leaves its folder`);
  return parts.join('/');
}

function webAddress(value: unknown): string | undefined {
  const text = asString(value);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
}

function need(object: JsonObject, key: string): string {
  const text = asString(object[key]);
  if (!text) throw new Refused(`it has no ${key}`);
  return text;
}

function optional<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return (value === undefined ? {} : { [key]: value }) as Partial<Record<K, T>>;
}

/** What is there to install with, and for which target (see `targetOf`). */
export interface Choice {
  target: string | undefined;
  npm: boolean;
  uv: boolean;
}

/** The best way to get an agent here: the maker's binary, then npm, then uv; undefined when there is none. */
export function chooseDistribution(agent: RegistryAgent, { target, npm, uv }: Choice): Distribution | undefined {
  const binary = target === undefined ? undefined : agent.binaries.get(target);
  return binary ?? (npm ? agent.npx : undefined) ?? (uv ? agent.uvx : undefined);
}

/** The registry's agents that can be installed here. */
export function registryAgents(registry: Registry, choice: Choice): Candidate[] {
  return registry.agents.flatMap(agent => {
    const distribution = chooseDistribution(agent, choice);
    if (!distribution) return [];
    const from = agent.homePage;
    return [
      { id: agent.id, name: agent.name, ...distribution, state: { kind: 'notInstalled' }, ...optional('from', from) },
    ];
  });
}
