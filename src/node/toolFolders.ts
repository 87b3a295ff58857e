import path from 'node:path';
import { compareVersions, readVersion } from '../base/versions';

/** What the folders of tools depend on. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  exists(folder: string): boolean;
  /** Names in a folder; empty when it cannot be read. */
  list(folder: string): readonly string[];
}

/**
 * Folders in which people's tools lie although PATH may not name them: an editor that was started from the desktop has
 * not run the user's shell. Only those that exist, the most specific first.
 */
export function toolFolders(machine: Machine): string[] {
  const folders = machine.platform === 'win32' ? windowsFolders(machine) : posixFolders(machine);
  return [...new Set(folders)].filter(folder => machine.exists(folder));
}

function posixFolders(machine: Machine): string[] {
  const { env, home, platform } = machine;
  const { join } = path.posix;
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local/share');
  const mac = platform === 'darwin';
  const fnm = [env['FNM_DIR'], join(data, 'fnm'), join(home, '.fnm'), ...(mac ? [macSupport(home, 'fnm')] : [])];
  const nvm = env['NVM_DIR'] ?? join(home, '.nvm');
  const mise = env['MISE_DATA_DIR'] ?? join(data, 'mise');
  const asdf = env['ASDF_DATA_DIR'] ?? join(home, '.asdf');
  const volta = env['VOLTA_HOME'] ?? join(home, '.volta');
  const proto = env['PROTO_HOME'] ?? join(home, '.proto');
  const inHome = [
    '.local/bin',
    '.bun/bin',
    '.cargo/bin',
    'go/bin',
    '.deno/bin',
    '.npm-global/bin',
    '.opencode/bin',
    '.claude/local',
    '.yarn/bin',
    'bin',
  ];
  return [
    ...inHome.map(folder => join(home, folder)),
    env['PNPM_HOME'] ?? (mac ? join(home, 'Library/pnpm') : join(data, 'pnpm')),
    join(volta, 'bin'),
    join(proto, 'shims'),
    join(proto, 'bin'),
    join(mise, 'shims'),
    join(asdf, 'shims'),
    ...present(fnm).map(folder => join(folder, 'aliases/default/bin')),
    ...versions(machine, join(nvm, 'versions/node'), 'bin'),
    ...present(fnm).flatMap(folder => versions(machine, join(folder, 'node-versions'), 'installation/bin')),
    ...versions(machine, join(mise, 'installs/node'), 'bin'),
    ...versions(machine, join(asdf, 'installs/nodejs'), 'bin'),
    ...(mac ? ['/opt/homebrew/bin', '/opt/local/bin'] : ['/home/linuxbrew/.linuxbrew/bin', '/snap/bin']),
    '/usr/local/bin',
    join(home, '.nix-profile/bin'),
    '/run/current-system/sw/bin',
  ];
}

function windowsFolders(machine: Machine): string[] {
  const { home } = machine;
  const { join } = path.win32;
  const env = (name: string): string | undefined =>
    Object.entries(machine.env).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1] || undefined;
  const roaming = env('APPDATA') ?? join(home, 'AppData\\Roaming');
  const local = env('LOCALAPPDATA') ?? join(home, 'AppData\\Local');
  const programs = env('ProgramFiles') ?? 'C:\\Program Files';
  const programs32 = env('ProgramFiles(x86)') ?? 'C:\\Program Files (x86)';
  const nvm = env('NVM_HOME') ?? join(roaming, 'nvm');
  const fnm = present([env('FNM_DIR'), join(roaming, 'fnm')]);
  const git = [programs, programs32].flatMap(folder =>
    ['cmd', 'bin', 'usr\\bin'].map(part => join(folder, 'Git', part)),
  );
  return [
    join(home, '.local\\bin'),
    join(home, '.bun\\bin'),
    join(home, '.cargo\\bin'),
    join(home, 'go\\bin'),
    join(home, '.deno\\bin'),
    join(roaming, 'npm'),
    env('PNPM_HOME') ?? join(local, 'pnpm'),
    join(home, '.volta\\bin'),
    join(local, 'Volta\\bin'),
    join(home, '.proto\\shims'),
    join(local, 'mise\\shims'),
    join(env('SCOOP') ?? join(home, 'scoop'), 'shims'),
    env('NVM_SYMLINK') ?? join(programs, 'nodejs'),
    join(programs, 'nodejs'),
    nvm,
    ...versions(machine, nvm, ''),
    ...fnm.map(folder => join(folder, 'aliases\\default')),
    ...fnm.flatMap(folder => versions(machine, join(folder, 'node-versions'), 'installation')),
    join(local, 'fnm_multishells'),
    join(env('ChocolateyInstall') ?? 'C:\\ProgramData\\chocolatey', 'bin'),
    join(local, 'Microsoft\\WinGet\\Links'),
    join(local, 'Microsoft\\WindowsApps'),
    ...git,
    'C:\\cygwin64\\bin',
    'C:\\cygwin\\bin',
  ];
}

/** The folders of a version manager's versions, newest first. */
function versions({ platform, list }: Machine, folder: string, below: string): string[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const known = list(folder).flatMap(name => {
    const version = /^v?\d/.test(name) ? readVersion(name) : undefined;
    return version ? [{ name, version }] : [];
  });
  return known.sort((a, b) => compareVersions(b.version, a.version)).map(({ name }) => join(folder, name, below));
}

function macSupport(home: string, name: string): string {
  return path.posix.join(home, 'Library/Application Support', name);
}

function present(folders: readonly (string | undefined)[]): string[] {
  return folders.filter(folder => folder !== undefined);
}
