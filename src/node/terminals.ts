import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { delay } from '../base/async';
import { ExpectedError, messageOf } from '../base/errors';
import { Child } from './child';
import { childEnvironment } from './childEnvironment';
import { isInside, realPathOf, refusedName } from './paths';
import { terminalLaunch, unattended } from './terminalLaunch';
import { TerminalOutput } from './terminalOutput';

/** What an agent may have kept of its outputs, in bytes: of one, and of all together. */
const outputLimit = 4 * 1024 * 1024;
const outputLimitOfAll = 64 * 1024 * 1024;
const runningLimit = 32;
const openLimit = 200;

export interface CommandRequest {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  outputByteLimit?: number;
}

/** Runs commands for agents, each as a process tree of its own without a terminal device and without input. */
export class Terminals {
  /** In the order in which they were created. */
  private readonly open = new Set<RunningCommand>();

  /** @param roots folders in which commands may start, beside the session's own */
  constructor(
    private readonly platform: NodeJS.Platform,
    private readonly roots: () => readonly string[],
  ) {}

  /**
   * Starts a command and does not wait for its end. `env` is that of the agent. Throws `ExpectedError` when the command
   * cannot be started, or not there.
   */
  async create(sessionCwd: string, request: CommandRequest, env: NodeJS.ProcessEnv): Promise<RunningCommand> {
    this.makeRoom();
    const { platform } = this;
    const { command, args } = request;
    const cwd = await this.allowedFolder(sessionCwd, request.cwd);
    const shell = platform === 'win32' ? (env['ComSpec'] ?? env['COMSPEC']) : env['SHELL'];
    const isFile = /[\\/]/.test(command) && (await isPlainFile(path.resolve(cwd, command)));
    const launch = terminalLaunch(command, args, { platform, shell, isFile });
    const output = new TerminalOutput();
    const child = await Child.start({
      ...launch,
      cwd,
      env: childEnvironment(env, { ...unattended, ...request.env }, platform),
      platform,
      onStderr: text => output.add(text),
    }).catch((error: unknown) => {
      throw new ExpectedError('spawnFailed', `${command}: ${messageOf(error)}`);
    });
    const limit = request.outputByteLimit ?? Infinity;
    const running = new RunningCommand([command, ...args].join(' '), child, output, limit, () => {
      this.open.delete(running);
      this.share();
    });
    this.open.add(running);
    this.share();
    return running;
  }

  /** The fewer there are, the more each may keep. */
  private share(): void {
    const limit = Math.min(outputLimit, Math.floor(outputLimitOfAll / this.open.size));
    for (const one of this.open) one.keep(limit);
  }

  private makeRoom(): void {
    const all = [...this.open];
    const ended = all.filter(one => one.output().exit);
    if (all.length - ended.length >= runningLimit)
      throw new ExpectedError('tooMany', `${runningLimit} commands are running: no more can be started.`);
    // An agent that never releases must not be able to fill the memory.
    if (all.length >= openLimit) void ended[0]?.release();
  }

  private async allowedFolder(sessionCwd: string, wanted = sessionCwd): Promise<string> {
    const folder = path.resolve(sessionCwd, wanted);
    const refuse = (reason: string): ExpectedError => new ExpectedError('refused', `${wanted}: ${reason}`);
    const reason = refusedName(folder, this.platform);
    if (reason) throw refuse(reason);
    const real = await realPathOf(folder);
    const roots = [sessionCwd, ...this.roots()].map(root => realpath(root).catch(() => root));
    if (!isInside(real, await Promise.all(roots), this.platform))
      throw refuse('This folder lies outside the workspace folders.');
    const found = await stat(real).catch(() => undefined);
    if (!found?.isDirectory()) throw refuse('There is no such folder.');
    return real;
  }
}

async function isPlainFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** How much is read at once before everything else has a turn, in bytes, and for how long, in ms. */
const burst = 1024 * 1024;
const pause = 4;

/** One command, from its start until it is released. */
export class RunningCommand {
  readonly id = randomUUID();
  readonly exited: Promise<{ exitCode?: number; signal?: string }>;
  private exit: { exitCode?: number; signal?: string } | undefined;

  constructor(
    readonly title: string,
    private readonly child: Child,
    private readonly out: TerminalOutput,
    private readonly limit: number,
    private readonly onRelease: () => void,
  ) {
    child.endInput();
    this.read();
    this.exited = this.finish();
  }

  get onDidOutput() {
    return this.out.onDidAdd;
  }

  output(): { output: string; truncated: boolean; exit?: { exitCode?: number; signal?: string } } {
    const { text: output, truncated } = this.out;
    return { output, truncated, ...(this.exit ? { exit: this.exit } : {}) };
  }

  async kill(): Promise<void> {
    await Promise.all([this.child.kill(), this.exited]);
  }

  async release(): Promise<void> {
    await this.kill();
    this.onRelease();
    this.out.keep(0);
  }

  /** Keeps no more than this, and no more than the agent asked for. */
  keep(limit: number): void {
    this.out.keep(Math.min(limit, this.limit));
  }

  private read(): void {
    const { stdout } = this.child;
    const decoder = new StringDecoder('utf8');
    let size = 0;
    stdout.on('data', (chunk: Buffer) => {
      this.out.add(decoder.write(chunk));
      size += chunk.length;
      if (size < burst) return;
      size = 0;
      stdout.pause();
      setTimeout(() => stdout.resume(), pause);
    });
    stdout.on('end', () => this.out.add(decoder.end()));
    stdout.on('error', () => {});
  }

  /** Output may still be on its way when a command has ended; a process that it left may keep the pipe for good. */
  private async finish(): Promise<{ exitCode?: number; signal?: string }> {
    const { code, signal } = await this.child.exited;
    let isClosed = false;
    const closed = this.child.closed.then(() => (isClosed = true));
    for (let before = -1; !isClosed && before !== this.out.count;) {
      before = this.out.count;
      await Promise.race([closed, delay(300)]);
    }
    this.child.stdout.destroy();
    this.exit = { ...(code === null ? {} : { exitCode: code }), ...(signal === null ? {} : { signal }) };
    return this.exit;
  }
}
