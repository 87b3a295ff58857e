import type { AnyMessage } from '@agentclientprotocol/sdk';
import type { Link, LinkEnd } from '../../src/acp/ports';
import { Deferred } from '../../src/base/async';
import { until } from './agents';

type Wire = Record<string, unknown>;

/** An agent inside the test: what it says arrives at once, all that is said in one go in one read. */
export class MemoryAgent {
  readonly received: Wire[] = [];
  readonly link: Link;
  private readonly end = new Deferred<LinkEnd>();
  private controller: ReadableStreamDefaultController<AnyMessage> | undefined;

  constructor() {
    this.link = {
      readable: new ReadableStream<AnyMessage>({ start: controller => void (this.controller = controller) }),
      writable: new WritableStream<AnyMessage>({
        write: message => void this.received.push(structuredClone(message) as Wire),
      }),
      ended: this.end.promise,
      close: () => {
        this.die('closed');
        return Promise.resolve();
      },
    };
  }

  /** Messages of any shape: what is wrong with them is the point. */
  say(...messages: unknown[]): void {
    for (const message of messages) this.controller?.enqueue(message as AnyMessage);
  }

  /** The next message of the client for a method that was not looked at yet. */
  async next(method: string): Promise<Wire> {
    let index = -1;
    await until(() => (index = this.received.findIndex(message => message['method'] === method)) >= 0);
    return this.received.splice(index, 1)[0] ?? {};
  }

  /** The client's answer to a request of the agent. */
  async answerTo(id: unknown): Promise<Wire> {
    const fits = (message: Wire): boolean => message['method'] === undefined && message['id'] === id;
    await until(() => this.received.some(fits));
    return this.received.find(fits) ?? {};
  }

  async reply(method: string, result: unknown, ...after: unknown[]): Promise<void> {
    const { id } = await this.next(method);
    this.say({ jsonrpc: '2.0', id, result }, ...after);
  }

  /** Answers `initialize`. */
  initialize(result: object = {}): Promise<void> {
    return this.reply('initialize', { protocolVersion: 1, ...result });
  }

  die(reason: LinkEnd['reason'] = 'exited', message = 'Fake ended with exit code 7.'): void {
    if (this.end.isSettled) return;
    this.controller?.close();
    this.end.resolve({ reason, message });
  }
}
