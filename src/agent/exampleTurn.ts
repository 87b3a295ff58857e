import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RequestError, type AgentContext, type ClientCapabilities } from '@agentclientprotocol/sdk';
import { abortable, delay } from '../base/async';
import { asObject, asString, type JsonObject } from '../base/json';
import { pieces } from './exampleText';

export interface ExampleSession {
  id: string;
  cwd: string;
  mode: 'ask' | 'acceptEdits';
  answers: 'full' | 'brief';
  thoughts: boolean;
  introduced: boolean;
  callCount: number;
  turn?: AbortController;
}

export interface Call {
  id: string;
  title: string;
  update(fields: object): Promise<void>;
}

/** The user has stopped the turn. */
export class Cancelled extends Error {}

/** What a command may do during one turn. Everything rejects once the turn is cancelled. */
export class Turn {
  constructor(
    readonly session: ExampleSession,
    readonly signal: AbortSignal,
    private readonly client: AgentContext,
    private readonly capabilities: ClientCapabilities,
    private readonly onModeChange: (mode: ExampleSession['mode']) => Promise<void>,
  ) {}

  /** Not typed by the SDK on purpose: some commands send what the schema does not know. */
  async update(update: object): Promise<void> {
    this.signal.throwIfAborted();
    await this.client.notify<object>('session/update', { sessionId: this.session.id, update });
  }

  /** Streams a text in pieces of 20 characters, `pace` ms apart. */
  say(text: string, pace = 0): Promise<void> {
    return this.stream('agent_message_chunk', text, pace);
  }

  think(text: string): Promise<void> {
    return this.stream('agent_thought_chunk', text, 10);
  }

  private async stream(sessionUpdate: string, text: string, pace: number): Promise<void> {
    const began = performance.now();
    for (const [index, piece] of pieces(text, 20).entries()) {
      const ahead = index * pace - (performance.now() - began);
      if (ahead > 0) await delay(ahead, this.signal);
      // Lets a cancellation be read while a long text goes out as fast as it can.
      else if (index % 100 === 99) await new Promise(resolve => setImmediate(resolve));
      await this.update({ sessionUpdate, content: { type: 'text', text: piece } });
    }
  }

  async call(fields: { title?: string; status?: string; [field: string]: unknown }): Promise<Call> {
    this.session.callCount += 1;
    const id = `call-${this.session.callCount}`;
    await this.update({ sessionUpdate: 'tool_call', toolCallId: id, status: 'pending', ...fields });
    return {
      id,
      title: fields.title ?? id,
      update: change => this.update({ sessionUpdate: 'tool_call_update', toolCallId: id, ...change }),
    };
  }

  /** The id of the option that was chosen. A question is answered `cancelled` when the turn is, which may be told later. */
  async ask(call: Call, options: readonly object[]): Promise<string | undefined> {
    const { id: sessionId } = this.session;
    const request = { sessionId, toolCall: { toolCallId: call.id, title: call.title }, options };
    const answer = this.client.request<unknown, object>('session/request_permission', request);
    const outcome = asObject(asObject(await abortable(answer, this.signal))?.['outcome']);
    if (outcome?.['outcome'] === 'cancelled') throw new Cancelled();
    return asString(outcome?.['optionId']);
  }

  async mayEdit(call: Call): Promise<boolean> {
    const chosen = await this.ask(call, [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'always', name: 'Allow all edits in this session', kind: 'allow_always' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ]);
    if (chosen === 'always') await this.onModeChange('acceptEdits');
    return chosen === 'allow' || chosen === 'always';
  }

  async read(path: string): Promise<string> {
    if (!this.capabilities.fs?.readTextFile) return readFile(path, 'utf8');
    const request = this.client.request('fs/read_text_file', { sessionId: this.session.id, path });
    return (await abortable(request, this.signal)).content;
  }

  async readIfThere(path: string): Promise<string | undefined> {
    try {
      return await this.read(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === -32002) return undefined;
      throw error;
    }
  }

  /** A request about a terminal of the client; it goes on when the turn is cancelled. */
  terminal(method: string, params: object): Promise<JsonObject> {
    if (!this.capabilities.terminal) throw RequestError.methodNotFound(`terminal/${method}`);
    const request = { sessionId: this.session.id, ...params };
    return this.client.request<JsonObject, object>(`terminal/${method}`, request);
  }

  async write(path: string, content: string): Promise<void> {
    if (this.capabilities.fs?.writeTextFile) {
      const request = this.client.request('fs/write_text_file', { sessionId: this.session.id, path, content });
      await abortable(request, this.signal);
      return;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
