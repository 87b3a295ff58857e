import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk';
import { asNumber, asObject, asString, cutDeep, isObject, type JsonObject, type JsonValue } from '../base/json';
import { errorCodes } from './errors';
import type { Link } from './ports';

/** No honest message is nested deeper, and everything that walks through one, here and later, can do so safely. */
const mostLevels = 200;

/** A `session/request_permission` that the tap took. It is answered once; later answers are dropped. */
export interface Question {
  sessionId: string;
  /** Unique while the request is open. */
  requestId: string;
  params: JsonObject;
  /** Aborts when the agent withdraws the question, or when nobody can answer it any more. */
  signal: AbortSignal;
  answer(outcome: JsonObject): void;
  refuse(code: number, message: string): void;
}

export interface TapListener {
  /** Called in the order of arrival, before anything that came later is looked at. */
  onUpdate(sessionId: string, update: JsonValue | undefined): void;
  onQuestion(question: Question): void;
  onMessage(direction: 'toAgent' | 'fromAgent', message: AnyMessage): void;
  log(line: string): void;
}

/**
 * Sits between the link and the SDK. The SDK drops updates that it does not know and may deliver a response before the
 * updates that came ahead of it; so the tap takes `session/update` and `session/request_permission` for itself, in
 * exact order, and hands everything else to the SDK, repaired where the SDK would refuse what is plain enough.
 */
export class Tap {
  /** The SDK's end. */
  readonly stream: Stream;
  private readonly toSdk: ReadableStreamDefaultController<AnyMessage>;
  private readonly writer: WritableStreamDefaultWriter<AnyMessage>;
  /** Our requests that wait for an answer. */
  private readonly sent = new Set<JsonRpcId>();
  /** Requests of the agent that wait for ours; with a controller when the tap took it. */
  private readonly open = new Map<JsonRpcId, AbortController | 'sdk'>();

  constructor(
    private readonly link: Link,
    private readonly listener: TapListener,
  ) {
    this.writer = link.writable.getWriter();
    let controller: ReadableStreamDefaultController<AnyMessage> | undefined;
    const readable = new ReadableStream<AnyMessage>({ start: own => void (controller = own) });
    if (!controller) throw new Error('A stream did not start.');
    this.toSdk = controller;
    this.stream = { readable, writable: new WritableStream({ write: message => this.writeForSdk(message) }) };
  }

  /** Reads until the link has nothing more to give. Never rejects. */
  async run(): Promise<void> {
    const reader = this.link.readable.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const settles = this.take(next.value);
        // What waits for a response runs before the next message is looked at.
        if (settles) await new Promise(resolve => setTimeout(resolve, 0));
      }
    } catch (error) {
      this.listener.log(`Reading from the agent failed: ${String(error)}`);
    } finally {
      this.close();
    }
  }

  /** Sorts one message; true when it was a response. */
  private take(message: AnyMessage): boolean {
    const wire = cutDeep(message, mostLevels);
    this.listener.onMessage('fromAgent', wire as AnyMessage);
    if (!isObject(wire)) return this.ignore('something that is no object');
    const method = asString(wire['method']);
    if (method !== undefined) this.takeCall(wire, method);
    else if ('id' in wire && ('result' in wire || 'error' in wire)) return this.takeResponse(wire);
    else this.ignore(`an object that is no message, with the fields ${Object.keys(wire).slice(0, 10).join(', ')}`);
    return false;
  }

  private takeCall(wire: JsonObject, method: string): void {
    const params = asObject(wire['params']) ?? {};
    if (!('id' in wire)) {
      if (method === 'session/update') this.takeUpdate(params);
      else if (method !== '$/cancel_request' || !this.withdraw(params['requestId'])) this.forward(wire);
      return;
    }
    const id = wire['id'];
    if (!isId(id)) {
      this.respond(null, { error: { code: errorCodes.invalidRequest, message: 'Invalid request id' } });
    } else if (this.open.has(id)) {
      this.respond(id, { error: { code: errorCodes.invalidRequest, message: 'A request with this id is still open' } });
    } else if (method === 'session/request_permission') {
      this.takeQuestion(id, params);
    } else {
      this.open.set(id, 'sdk');
      this.forward(wire);
    }
  }

  private takeUpdate(params: JsonObject): void {
    const sessionId = asString(params['sessionId']);
    if (sessionId === undefined) this.ignore('an update without a session id');
    else this.listener.onUpdate(sessionId, params['update']);
  }

  private takeQuestion(id: JsonRpcId, params: JsonObject): void {
    const controller = new AbortController();
    this.open.set(id, controller);
    const settle = (payload: Payload): void => {
      if (this.open.get(id) !== controller) return;
      this.open.delete(id);
      this.respond(id, payload);
    };
    this.listener.onQuestion({
      sessionId: asString(params['sessionId']) ?? '',
      requestId: typeof id === 'string' ? `"${id}"` : String(id),
      params,
      signal: controller.signal,
      answer: outcome => settle({ result: { outcome } }),
      refuse: (code, message) => settle({ error: { code, message } }),
    });
  }

  /** `$/cancel_request` for a question that the tap took; false when it is not ours. */
  private withdraw(id: JsonValue | undefined): boolean {
    const controller = isId(id) ? this.open.get(id) : undefined;
    if (!isId(id) || controller === undefined || controller === 'sdk') return false;
    this.open.delete(id);
    this.respond(id, { error: { code: errorCodes.requestCancelled, message: 'Request cancelled' } });
    controller.abort();
    return true;
  }

  private takeResponse(wire: JsonObject): boolean {
    const id = this.sentIdOf(wire['id']);
    if (id === undefined) return this.ignore(`an answer to no request, with the id ${JSON.stringify(wire['id'])}`);
    this.sent.delete(id);
    this.forward({ id, ...readPayload(wire) });
    return true;
  }

  /** Our ids are numbers; some libraries give them back as strings. */
  private sentIdOf(id: JsonValue | undefined): JsonRpcId | undefined {
    if (isId(id) && this.sent.has(id)) return id;
    const number = typeof id === 'string' && id !== '' ? Number(id) : NaN;
    return this.sent.has(number) ? number : undefined;
  }

  private forward(wire: JsonObject): void {
    this.toSdk.enqueue({ ...wire, jsonrpc: '2.0' } as AnyMessage);
  }

  private respond(id: JsonRpcId, payload: Payload): void {
    void this.write({ jsonrpc: '2.0', id, ...payload });
  }

  private writeForSdk(message: AnyMessage): Promise<void> {
    if ('method' in message && 'id' in message) this.sent.add(message.id);
    else if ('id' in message) this.open.delete(message.id);
    return this.write(message);
  }

  /** The one way out. A pipe that is broken is noticed by the link's end, which also knows the reason. */
  private async write(message: AnyMessage): Promise<void> {
    this.listener.onMessage('toAgent', message);
    try {
      await this.writer.write(message);
    } catch (error) {
      this.listener.log(`Writing to the agent failed: ${String(error)}`);
    }
  }

  private ignore(what: string): false {
    this.listener.log(`The agent sent ${what}.`);
    return false;
  }

  private close(): void {
    for (const controller of this.open.values()) if (controller !== 'sdk') controller.abort();
    this.open.clear();
    this.toSdk.close();
  }
}

type Payload = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

/** Some libraries send `result` and `error` always, with `null` in one; some have codes of their own kind. */
function readPayload(wire: JsonObject): JsonObject {
  const error = wire['error'];
  if (error == null) return { result: wire['result'] ?? null };
  const code = asNumber(asObject(error)?.['code']);
  const message = asString(asObject(error)?.['message']) ?? asString(error) ?? JSON.stringify(error);
  const data = asObject(error)?.['data'];
  const known = code !== undefined && Number.isInteger(code) ? code : errorCodes.internal;
  return { error: { code: known, message, ...(data === undefined ? {} : { data }) } };
}

function isId(value: unknown): value is JsonRpcId {
  return value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
