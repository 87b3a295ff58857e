import { spawn } from 'node:child_process';
import { ExpectedError } from '../base/errors';

export interface GitCall {
  cwd: string;
  /** Added to the clean environment. */
  env?: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
  signal: AbortSignal;
  /** Output beyond it ends the call with an error. */
  maxBytes?: number;
}

/** Git ended with an error of its own. */
export class GitFailed extends ExpectedError {
  constructor(
    args: readonly string[],
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    const command = args.find(arg => !arg.startsWith('-') && !arg.includes('=')) ?? '';
    super('gitFailed', `Git could not do "${command}".`, {
      details: `git ${args.slice(0, 12).join(' ')}\nexit code ${exitCode}\n${stderr}`,
      actions: ['showLog'],
    });
  }
}

const outputLimit = 256 << 20;
const stderrLimit = 16 << 10;
const noPrograms = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
];

/** The environment of every call: nothing of the user's `GIT_*`, no question, no lock taken by the way, no network. */
export function gitEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !/^(GIT_|LC_|LANGUAGE$)/i.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Runs git in the background, with bounded output. It never runs a hook or a file system monitor. */
export class Git {
  private readonly env: NodeJS.ProcessEnv;

  constructor(
    private readonly executable = 'git',
    env: NodeJS.ProcessEnv = process.env,
  ) {
    this.env = gitEnvironment(env);
  }

  /** Resolves with stdout; throws `GitFailed`, an `ExpectedError` when git is missing, or the signal's reason. */
  async run(args: readonly string[], call: GitCall): Promise<Buffer> {
    call.signal.throwIfAborted();
    const child = spawn(this.executable, [...noPrograms, ...args], {
      cwd: call.cwd,
      env: { ...this.env, ...call.env },
      windowsHide: true,
      stdio: 'pipe',
    });
    const output: Buffer[] = [];
    let size = 0;
    let stderr = '';
    const stop = (): void => void child.kill();
    child.stdout.on('data', (data: Buffer) => {
      size += data.length;
      if (size > (call.maxBytes ?? outputLimit)) stop();
      else output.push(data);
    });
    child.stderr.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(-stderrLimit)));
    // Git may end before it has read everything; its exit code tells why.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input);
    call.signal.addEventListener('abort', stop, { once: true });
    try {
      const exitCode = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', resolve);
      });
      call.signal.throwIfAborted();
      if (size > (call.maxBytes ?? outputLimit))
        throw new ExpectedError('gitOutput', 'Git answered with too much data.');
      if (exitCode !== 0) throw new GitFailed(args, exitCode, stderr);
      return Buffer.concat(output);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new ExpectedError('gitMissing', `Git was not found ("${this.executable}" in ${call.cwd}).`, {
          cause: error,
        });
      throw error;
    } finally {
      call.signal.removeEventListener('abort', stop);
    }
  }

  /** The fields of output that separates them with NUL. */
  async fields(args: readonly string[], call: GitCall): Promise<string[]> {
    return splitFields(await this.run(args, call));
  }
}

/** The strings before each NUL. Names that are not UTF-8 do not survive this. */
export function splitFields(output: Buffer): string[] {
  const fields = output.toString().split('\0');
  fields.pop();
  return fields;
}
