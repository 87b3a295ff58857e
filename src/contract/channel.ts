import { Deferred } from '../base/async';
import { messageOf } from '../base/errors';
import type { Disposes } from '../base/lifecycle';
import { isObject } from '../base/json';

/** Name -> [params, result]. */
type Requests = { [K: string]: [unknown, unknown] } | object;
export type Params<R, K extends keyof R> = R[K] extends [infer P, unknown] ? P : never;
export type Result<R, K extends keyof R> = R[K] extends [unknown, infer V] ? V : never;

export type RequestHandlers<R> = { [K in keyof R]: (params: Params<R, K>) => Result<R, K> | Promise<Result<R, K>> };
export type EventHandlers<E> = { [K in keyof E]: (data: E[K]) => void };

type Wire =
  | { type: 'request'; id: number; name: string; params: unknown }
  | { type: 'answer'; id: number; ok: true; value: unknown }
  | { type: 'answer'; id: number; ok: false; message: string }
  | { type: 'event'; name: string; data: unknown };

export interface ChannelPort {
  post(message: unknown): void;
}

/**
 * Requests and events over a pair of message ports. `receive` is fed with what comes in. Every request settles: with
 * the answer, with an error, or, when the channel is disposed, with a rejection.
 */
export class Channel<
  OutRequests extends Requests,
  OutEvents,
  InRequests extends Requests,
  InEvents,
> implements Disposes {
  private nextId = 1;
  private readonly waiting = new Map<number, Deferred<unknown>>();
  private ended = false;

  constructor(
    private readonly port: ChannelPort,
    private readonly requests: RequestHandlers<InRequests>,
    private readonly events: EventHandlers<InEvents>,
    private readonly onError: (error: unknown) => void,
  ) {}

  request<K extends keyof OutRequests & string>(
    name: K,
    params: Params<OutRequests, K>,
  ): Promise<Result<OutRequests, K>> {
    if (this.ended) return Promise.reject(new Error('The channel is closed.'));
    const id = this.nextId++;
    const answer = new Deferred<unknown>();
    this.waiting.set(id, answer);
    this.post({ type: 'request', id, name, params });
    return answer.promise as Promise<Result<OutRequests, K>>;
  }

  send<K extends keyof OutEvents & string>(name: K, data: OutEvents[K]): void {
    if (!this.ended) this.post({ type: 'event', name, data });
  }

  receive(message: unknown): void {
    if (this.ended || !isObject(message)) return;
    const wire = message as unknown as Wire;
    switch (wire.type) {
      case 'request':
        void this.answer(wire.id, wire.name, wire.params);
        return;
      case 'answer': {
        const waiting = this.waiting.get(wire.id);
        this.waiting.delete(wire.id);
        if (wire.ok) waiting?.resolve(wire.value);
        else waiting?.reject(new Error(wire.message));
        return;
      }
      case 'event': {
        const handler = own(this.events, wire.name) as ((data: unknown) => void) | undefined;
        try {
          handler?.(wire.data);
        } catch (error) {
          this.onError(error);
        }
        return;
      }
    }
  }

  dispose(): void {
    this.ended = true;
    for (const waiting of this.waiting.values()) waiting.reject(new Error('The channel is closed.'));
    this.waiting.clear();
  }

  private async answer(id: number, name: string, params: unknown): Promise<void> {
    try {
      const handler = own(this.requests, name) as ((params: unknown) => unknown) | undefined;
      if (!handler) throw new Error(`Unknown request: ${name}`);
      const value = await handler(params);
      if (!this.ended) this.post({ type: 'answer', id, ok: true, value });
    } catch (error) {
      this.onError(error);
      if (!this.ended) this.post({ type: 'answer', id, ok: false, message: messageOf(error) });
    }
  }

  private post(message: Wire): void {
    this.port.post(message);
  }
}

function own(handlers: object, name: string): unknown {
  return Object.hasOwn(handlers, name) ? (handlers as Record<string, unknown>)[name] : undefined;
}
