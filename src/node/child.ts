import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import spawn from 'cross-spawn';
import { Deferred, delay } from '../base/async';
import { closingPlan, type ClosingPace, type ClosingStep } from './closingPlan';
import { killTreeNow, processTable, signalProcess, taskkill, treeBelow, type ProcessInfo } from './processTree';

export interface ChildOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  platform: NodeJS.Platform;
  /** Windows: the arguments are a command line already. */
  verbatim?: boolean;
  onStderr(text: string): void;
}

export interface ChildExit {
  code: number | null;
  signal: string | null;
}

/**
 * A child process that is the head of its own tree. Its stderr is always read. When it ends, by itself or because it
 * is closed, what it left in its tree is ended too.
 */
export class Child {
  /** Resolves when the process itself has ended. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when it has ended and all of its output was read, which whoever holds its pipes too may put off. */
  readonly closed: Promise<void>;
  readonly stdout: Readable;
  private readonly tail = new TextTail(8000);
  private readonly gone = new Deferred<void>();
  private readonly known = new Map<string, ProcessInfo>();
  private timers: NodeJS.Timeout[] = [];
  private closing: ClosingPace | undefined;

  /** Starts a process. Rejects with the error of the system (`code` is `ENOENT`, `EACCES`...). */
  static start(options: ChildOptions): Promise<Child> {
    return new Promise((resolve, reject) => {
      const posix = options.platform !== 'win32';
      const { cwd, env } = options;
      const handle = spawn(options.command, options.args, {
        cwd,
        env,
        stdio: 'pipe',
        detached: posix,
        windowsHide: true,
        windowsVerbatimArguments: options.verbatim ?? false,
      });
      handle.once('error', reject);
      handle.once('spawn', () => resolve(new Child(handle, options)));
    });
  }

  private constructor(
    private readonly handle: ChildProcess,
    private readonly options: ChildOptions,
  ) {
    const { stdout, stderr, stdin } = handle;
    if (!stdout || !stderr || !stdin) throw new Error('The process has no pipes.');
    this.stdout = stdout;
    // A closed pipe is noticed by `exited` or by the callback of `write`.
    stdin.on('error', () => {});
    this.drain(stderr);
    alive.add(this);
    this.closed = new Promise(resolve => handle.once('close', () => resolve()));
    this.exited = new Promise(resolve => {
      handle.once('exit', (code, signal) => resolve({ code, signal }));
      // On Windows a shell that did not find its command is reported as an error instead of an exit.
      handle.on('error', () => resolve({ code: handle.exitCode, signal: handle.signalCode }));
    });
    void this.exited.then(() => this.afterExit());
  }

  get pid(): number {
    return this.handle.pid ?? 0;
  }

  get platform(): NodeJS.Platform {
    return this.options.platform;
  }

  /** The last lines of stderr. */
  get stderr(): string {
    return this.tail.text;
  }

  /** Resolves when the text has been taken over by the pipe; rejects when the child reads no more. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.handle.stdin?.write(text, error => (error ? reject(error) : resolve()));
    });
  }

  endInput(): void {
    this.handle.stdin?.end();
  }

  /**
   * Ends the child by its plan of closing, and resolves when nothing of its tree is left. May be called again with
   * `quick`, which shortens a plan that has already begun.
   */
  close(quick: boolean): Promise<void> {
    return this.end(quick ? 'quick' : 'patient');
  }

  /** Ends the child at once, with a moment for its last words. */
  kill(): Promise<void> {
    return this.end('now');
  }

  private end(pace: ClosingPace): Promise<void> {
    const isFaster = !this.closing || paces.indexOf(pace) > paces.indexOf(this.closing);
    if (isFaster && !this.gone.isSettled) {
      this.closing = pace;
      this.timers.forEach(clearTimeout);
      this.timers = closingPlan(this.platform, pace).map(step => setTimeout(() => void this.take(step), step.at));
    }
    return this.gone.promise;
  }

  private async take(step: ClosingStep): Promise<void> {
    switch (step.do) {
      case 'endInput':
        // Before: an agent that ends at once would leave children that nobody can tell from strangers.
        await this.learnTree();
        return this.endInput();
      case 'signalTree':
        return this.signalTree(step.signal);
      case 'killTreeByTaskkill':
        return taskkill(this.pid);
    }
  }

  private async signalTree(signal: NodeJS.Signals): Promise<void> {
    const rest = await this.learnTree();
    if (alive.has(this)) signalProcess(-this.pid, signal);
    for (const { pid } of rest) signalProcess(pid, signal);
  }

  /**
   * Looks up what is below the process now, and what was there before and still runs: once a parent is gone, its
   * children cannot be told from strangers.
   */
  private async learnTree(): Promise<ProcessInfo[]> {
    if (this.platform === 'win32') return [];
    const table = await processTable(this.platform);
    for (const process of treeBelow(table, this.pid)) this.known.set(keyOf(process), process);
    return table.filter(process => this.known.has(keyOf(process)));
  }

  private async afterExit(): Promise<void> {
    this.timers.forEach(clearTimeout);
    let left = await this.learnTree();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const { pid } of left) signalProcess(pid, signal);
      for (let round = 0; round < 20 && left.length > 0; round += 1) {
        await delay(50);
        left = await this.learnTree();
      }
    }
    alive.delete(this);
    this.gone.resolve();
  }

  private drain(stderr: Readable): void {
    const decoder = new StringDecoder('utf8');
    stderr.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk);
      this.tail.add(text);
      this.options.onStderr(text);
    });
    stderr.on('error', () => {});
  }
}

/** From slow to fast. */
const paces: readonly ClosingPace[] = ['patient', 'quick', 'now'];

/** Keeps the end of a text. */
class TextTail {
  text = '';

  constructor(private readonly limit: number) {}

  add(text: string): void {
    this.text = (this.text + text).slice(-this.limit);
  }
}

function keyOf(process: ProcessInfo): string {
  return `${process.pid} ${process.started}`;
}

/** The last resort: whatever still runs when this process exits ends with it. */
const alive = new Set<Child>();
process.on('exit', () => {
  for (const child of alive) killTreeNow(child.pid, child.platform);
});
