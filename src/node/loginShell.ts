import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import path from 'node:path';
import { asObject, asString } from '../base/json';
import { childEnvironment } from './childEnvironment';
import { killTreeNow } from './processTree';

export type LoginShell =
  | { kind: 'read'; shell: string; env: Record<string, string>; milliseconds: number }
  | { kind: 'skipped'; why: string }
  | { kind: 'failed'; shell: string; why: string; milliseconds: number };

export interface LoginShellOptions {
  platform: NodeJS.Platform;
  /** That of the extension host. */
  env: NodeJS.ProcessEnv;
  /** An executable that is, or with `ELECTRON_RUN_AS_NODE` becomes, Node: it prints the environment. */
  runtime: string;
  signal: AbortSignal;
  /** Instead of the one in the user database. */
  shell?: string;
  limitMs?: number;
}

/**
 * The environment that the user's login shell makes. Runs the shell in a session of its own, without input, and ends it
 * with all that it started after the limit. Never rejects, but when `signal` aborts.
 */
export async function readLoginShell(options: LoginShellOptions): Promise<LoginShell> {
  const why = reasonToSkip(options.platform, options.env);
  if (why) return { kind: 'skipped', why };
  const started = Date.now();
  const shell = options.shell ?? (await shellOfUser(options.platform, options.env));
  const result = await runShell(shell, options);
  options.signal.throwIfAborted();
  const milliseconds = Date.now() - started;
  return typeof result === 'string'
    ? { kind: 'failed', shell, why: result, milliseconds }
    : { kind: 'read', shell, env: result, milliseconds };
}

/** Why the login shell has nothing to add, or undefined. */
export function reasonToSkip(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'win32') return 'Windows has no login shell';
  if (env['VSCODE_CLI'] === '1') return 'VS Code was started from a terminal and has its environment';
  return undefined;
}

/** The user's shell: from the user database, else as the environment says, else the usual one of the platform. */
async function shellOfUser(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<string> {
  const { username, uid } = userInfo();
  const entry =
    platform === 'darwin'
      ? readDscl(await output('dscl', ['.', '-read', `/Users/${username}`, 'UserShell']))
      : readPasswd(await output('getent', ['passwd', String(uid)]));
  return entry ?? env['SHELL'] ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/bash');
}

/** The shell in a line of `getent passwd`. */
export function readPasswd(line: string): string | undefined {
  return usableShell(line.trim().split(':')[6]);
}

/** The shell in the output of `dscl`: `UserShell: /bin/zsh`. */
export function readDscl(text: string): string | undefined {
  return usableShell(/^UserShell:\s*(\S.*)$/m.exec(text)?.[1]?.trim());
}

function usableShell(shell: string | undefined): string | undefined {
  return shell && path.posix.isAbsolute(shell) && !/\/(false|nologin|sync)$/.test(shell) ? shell : undefined;
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise(resolve =>
    execFile(command, args, { timeout: 1000 }, (error, stdout) => resolve(error ? '' : stdout)),
  );
}

/**
 * The arguments that make a shell read what it reads at login and for a person, and then run a program that prints the
 * environment between two marks.
 */
export function shellArguments(shell: string, runtime: string, mark: string): string[] {
  const print = `process.stdout.write('${mark}'+JSON.stringify(process.env)+'${mark}')`;
  const name = path.posix.basename(shell);
  switch (name) {
    case 'nu':
      return ['--interactive', '--login', '--commands', `^${quoteDouble(runtime)} -e ${quoteDouble(print)}`];
    case 'fish':
      return ['-i', '-l', '-c', `${quoteFish(runtime)} -e ${quoteFish(print)}`];
    case 'pwsh':
      return ['-Login', '-Command', `& ${quotePowerShell(runtime)} -e ${quotePowerShell(print)}`];
    case 'csh':
    case 'tcsh':
      // `-l` counts only as the sole flag.
      return ['-ic', `${quotePosix(runtime)} -e ${quotePosix(print)}`];
    default:
      return ['-i', '-l', '-c', `${quotePosix(runtime)} -e ${quotePosix(print)}`];
  }
}

const quotePosix = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const quoteFish = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
const quotePowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoteDouble = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** What lies between the marks, or undefined. What banners and prompts print around it does not matter. */
export function readMarked(text: string, mark: string): Record<string, string> | undefined {
  const from = text.indexOf(mark);
  const to = text.lastIndexOf(mark);
  if (from < 0 || to <= from) return undefined;
  try {
    const object = asObject(JSON.parse(text.slice(from + mark.length, to)));
    return object && Object.fromEntries(Object.entries(object).map(([name, value]) => [name, asString(value) ?? '']));
  } catch {
    return undefined;
  }
}

function runShell(shell: string, options: LoginShellOptions): Promise<Record<string, string> | string> {
  const { env, runtime, signal, platform, limitMs = 5000 } = options;
  const mark = `portside-${randomUUID()}`;
  return new Promise(resolve => {
    const child = spawn(shell, shellArguments(shell, runtime, mark), {
      env: { ...childEnvironment(env, quiet, platform, true), PORTSIDE_RESOLVING_ENVIRONMENT: '1' },
      cwd: env['HOME'] ?? '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      // A session of its own: a shell for a person would take the terminal, or be stopped for trying.
      detached: true,
    });
    let text = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      // A shell may wait for a job of the user's start-up files: what was asked for is all here.
      if (text.indexOf(mark) !== text.lastIndexOf(mark)) finish(readMarked(text, mark) ?? 'its answer is damaged');
      else if (text.length > 10_000_000) finish('it prints without end');
    });
    const finish = (result: Record<string, string> | string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      child.stdout.destroy();
      if (child.pid !== undefined) killTreeNow(child.pid, platform);
      resolve(typeof result === 'string' ? result : withoutMarks(result, env));
    };
    const stop = (): void => finish('it was stopped');
    const timer = setTimeout(() => finish(`it did not answer within ${limitMs / 1000} s`), limitMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('error', error => finish(error.message));
    child.once('close', code => finish(readMarked(text, mark) ?? `it ended with code ${code} and no answer`));
  });
}

/** Keeps well-known start-up files from updating themselves or opening a multiplexer. */
const quiet = {
  TERM: 'dumb',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
  ZSH_TMUX_AUTOSTARTED: 'true',
};

/** Takes out what this run itself put in. */
function withoutMarks(read: Record<string, string>, host: NodeJS.ProcessEnv): Record<string, string> {
  const ours = [...Object.keys(quiet), 'ELECTRON_RUN_AS_NODE', 'PORTSIDE_RESOLVING_ENVIRONMENT'];
  return Object.fromEntries(Object.entries(read).filter(([name]) => !ours.includes(name) || host[name] === read[name]));
}
