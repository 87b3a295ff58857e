import { packageName, programName } from './catalogue';

/** A package of npm, at an exact version. */
export interface NpmProgram {
  kind: 'npm';
  package: string;
  version: string;
  /** Which of the package's programs; the one named like the package when absent. */
  bin?: string;
  /** Packages (`name@version`) installed beside it. */
  with?: readonly string[];
  /** Installed size, about. */
  megabytes?: number;
}

/** What stands behind an agent: what is started, or what has to be there first. */
export type Program =
  /** Ships inside. */
  | { kind: 'own' }
  /** A command; `realPath` is the file behind it, links resolved, when it was looked up. */
  | { kind: 'command'; command: string; realPath?: string }
  | NpmProgram
  | { kind: 'uv'; package: string; version: string; bin?: string }
  /** An archive of the registry for this platform; `cmd` is relative to the unpacked folder. */
  | { kind: 'binary'; archive: string; cmd: string; version: string; sha256?: string }
  | { kind: 'instructions'; url: string }
  | { kind: 'remote'; url: string };

const npxFlags = new Set(['-y', '--yes', '-q', '--quiet', '--prefer-offline', '--prefer-online', '--offline', '--']);

/** The npm package behind `npx [flags] name[@version] [args]`, whatever its version; undefined for other commands. */
export function npxPackage(command: string, args: readonly string[]): { package: string; args: string[] } | undefined {
  if (programName(command) !== 'npx') return undefined;
  const at = args.findIndex(arg => !npxFlags.has(arg));
  const specifier = args[at];
  return specifier === undefined || specifier.startsWith('-')
    ? undefined
    : { package: packageName(specifier), args: args.slice(at + 1) };
}

/** Equal for two ways that run the same program with the same arguments, whatever version and environment. */
export function programKey(program: Program, args: readonly string[]): string {
  const key = (...parts: readonly string[]): string => JSON.stringify(parts);
  switch (program.kind) {
    case 'own':
      return key('own', ...args);
    case 'command': {
      const npx = npxPackage(program.command, args);
      return npx ? key('npm', npx.package, ...npx.args) : key('command', program.realPath ?? program.command, ...args);
    }
    case 'npm':
    case 'uv':
      return key(program.kind, program.package, ...args);
    case 'binary':
      return key('binary', program.archive, program.cmd, ...args);
    case 'instructions':
    case 'remote':
      return key(program.kind, program.url);
  }
}
