import path from 'node:path';
import { childEnvironment } from './childEnvironment';
import { pathFolders } from './which';

/** Where a folder of PATH comes from, in the order in which they are searched. */
export type PathOrigin = 'process' | 'loginShell' | 'tools' | 'user';

export interface PathEntry {
  folder: string;
  origin: PathOrigin;
}

type Variables = Readonly<Record<string, string | undefined>>;

export interface EnvironmentSources {
  platform: NodeJS.Platform;
  /** That of the extension host. */
  process: Variables;
  /** What the user's login shell has set; absent until it was read. */
  loginShell?: Variables;
  /** Known folders of tools. */
  tools: readonly string[];
  /** The user's setting: `null` removes a variable; `PATH` is appended to. */
  user?: Readonly<Record<string, string | null>>;
  exists(folder: string): boolean;
}

export interface ResolvedEnvironment {
  env: Record<string, string>;
  path: readonly PathEntry[];
}

/** What a shell sets for itself alone. */
const ofTheShell = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'TERM', 'TERM_PROGRAM', 'COLUMNS', 'LINES', 'PS1']);

/**
 * The environment of agents and of the search for them. The login shell only adds: what the extension host has wins.
 * PATH is searched in the order process, login shell, known folders, user; folders that do not exist, or come a second
 * time, are left out.
 */
export function resolveEnvironment(sources: EnvironmentSources): ResolvedEnvironment {
  const { platform, loginShell = {}, user = {} } = sources;
  const added = Object.entries(loginShell).filter(([name]) => !ofTheShell.has(name));
  const inherited = childEnvironment({ ...Object.fromEntries(added), ...sources.process }, {}, platform);
  const set = Object.entries(user).filter((entry): entry is [string, string] => entry[1] !== null);
  const env = childEnvironment(inherited, Object.fromEntries(set), platform);
  const same = (a: string, b: string): boolean =>
    platform === 'win32' ? a.toUpperCase() === b.toUpperCase() : a === b;
  for (const [name, value] of Object.entries(user))
    if (value === null) for (const key of Object.keys(env)) if (same(key, name)) delete env[key];
  const entries = mergePath(sources);
  const key = Object.keys(env).find(name => same(name, 'PATH')) ?? 'PATH';
  env[key] = entries.map(({ folder }) => folder).join(platform === 'win32' ? ';' : ':');
  return { env, path: entries };
}

function mergePath(sources: EnvironmentSources): PathEntry[] {
  const { platform, exists } = sources;
  const of = (variables: Variables | Readonly<Record<string, string | null>> | undefined): string[] =>
    pathFolders(pathOf(variables ?? {}, platform), platform);
  const all: PathEntry[] = [
    ...of(sources.process).map(folder => ({ folder, origin: 'process' as const })),
    ...of(sources.loginShell).map(folder => ({ folder, origin: 'loginShell' as const })),
    ...sources.tools.map(folder => ({ folder, origin: 'tools' as const })),
    ...of(sources.user).map(folder => ({ folder, origin: 'user' as const })),
  ];
  const seen = new Set<string>();
  return all.filter(({ folder }) => {
    const key = folderKey(folder, platform);
    if (seen.has(key) || !exists(folder)) return false;
    seen.add(key);
    return true;
  });
}

/** The value of PATH, however Windows spells its name. */
export function pathOf(
  variables: Readonly<Record<string, string | null | undefined>>,
  platform: NodeJS.Platform,
): string {
  const name = platform === 'win32' ? Object.keys(variables).find(key => key.toUpperCase() === 'PATH') : 'PATH';
  return (name === undefined ? undefined : variables[name]) ?? '';
}

function folderKey(folder: string, platform: NodeJS.Platform): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const plain = paths.normalize(folder).replace(/(?<=[^:\\/])[\\/]+$/, '');
  return platform === 'win32' ? plain.toUpperCase() : plain;
}
