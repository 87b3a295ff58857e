import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { Link, LinkEnd } from '../acp/ports';
import { Deferred, delay } from '../base/async';
import { messageOf } from '../base/errors';
import type { Child } from '../node/child';
import { LineSplitter, NoiseReport, readFrame } from '../node/lines';

export interface ChildLink extends Link {
  /** The last lines of stderr so far. */
  readonly stderr: string;
  /** With `quick`, or when VS Code is closing, the process is given less time. May be called again to hurry. */
  close(quick?: boolean): Promise<void>;
}

export interface ChildLinkOptions {
  quick(): boolean;
  onNoise(text: string): void;
  /** Limit of one message, in bytes. */
  lineLimit?: number;
}

/** A child process as a link: messages are lines of JSON on its stdin and stdout. `name` is for sentences. */
export function childLink(name: string, child: Child, options: ChildLinkOptions): ChildLink {
  const end = new Deferred<LinkEnd>();
  const stdout = new Stdout(child, options);
  let closed = false;

  const close = (quick = options.quick()): Promise<void> => {
    closed = true;
    return child.close(quick);
  };
  const finish = (last: LinkEnd): void => {
    if (end.isSettled) return;
    end.resolve({ ...last, ...(child.stderr && { stderr: child.stderr }) });
    void child.close(true);
  };

  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        try {
          const message = await stdout.next();
          if (message) return controller.enqueue(message);
        } catch (error) {
          finish({ reason: 'failed', message: `Reading from ${name} failed: ${messageOf(error)}` });
        }
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({ write: message => child.write(`${JSON.stringify(message)}\n`) });

  void child.exited.then(async exit => {
    await stdout.drained();
    const how = exit.signal ? `was ended by ${exit.signal}` : `ended with exit code ${exit.code}`;
    if (closed) finish({ reason: 'closed', message: `${name} was closed.`, exit });
    else finish({ reason: 'exited', message: `${name} ${how}.`, exit });
  });
  void stdout.ended.then(async () => {
    const exit = await Promise.race([child.exited, delay(1000)]);
    if (!exit) finish({ reason: 'failed', message: `${name} closed its output.` });
  });

  return {
    readable,
    writable,
    ended: end.promise,
    close,
    get stderr() {
      return child.stderr;
    },
  };
}

/** How long the extension host may be busy with messages at a time, in ms. */
const slice = 4;

/** Messages of a child's stdout, one at a time, with a pause for everything else after each slice of time. */
class Stdout {
  /** Resolves when nothing more will come. */
  readonly ended: Promise<void>;
  private readonly messages: AsyncGenerator<AnyMessage, void>;
  private readonly noise: NoiseReport;
  private readonly done = new Deferred<void>();
  private chunks = 0;
  /** Everything that came was handed on, and the pipe is empty. */
  private idle = true;

  constructor(
    private readonly child: Child,
    private readonly options: ChildLinkOptions,
  ) {
    this.noise = new NoiseReport(text => options.onNoise(text));
    this.messages = this.read();
    this.ended = this.done.promise;
  }

  async next(): Promise<AnyMessage | undefined> {
    const { value } = await this.messages.next();
    return value ?? undefined;
  }

  /** Once the child has ended: resolves when its output was read, or when only a process it left keeps the pipe open. */
  async drained(): Promise<void> {
    for (let before = -1; !this.done.isSettled && !(this.idle && before === this.chunks);) {
      before = this.chunks;
      await Promise.race([this.ended, delay(300)]);
    }
    if (!this.done.isSettled) this.child.stdout.destroy();
  }

  private async *read(): AsyncGenerator<AnyMessage, void> {
    const splitter = new LineSplitter(this.options.lineLimit);
    let began = performance.now();
    try {
      for await (const chunk of this.child.stdout) {
        this.idle = false;
        this.chunks += 1;
        for (const line of splitter.push(chunk as Uint8Array)) {
          const message = this.parse(line);
          if (message) yield message;
          if (performance.now() - began > slice) {
            await new Promise(resolve => setImmediate(resolve));
            began = performance.now();
          }
        }
        this.idle = true;
      }
      const last = splitter.end();
      const message = last === undefined ? undefined : this.parse(last);
      if (message) yield message;
    } catch (error) {
      if (!isPrematureClose(error)) throw error;
    } finally {
      this.done.resolve();
    }
  }

  private parse(line: string): AnyMessage | undefined {
    const frame = readFrame(line);
    if (frame.kind === 'noise') this.noise.add(frame.text);
    return frame.kind === 'message' ? (frame.message as unknown as AnyMessage) : undefined;
  }
}

/** What reading a pipe throws that was destroyed because its process is gone. */
function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
