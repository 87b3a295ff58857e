import type { AgentFacts, OpenedSession } from '../../../src/acp/connection';
import { ConnectionEnded } from '../../../src/acp/errors';
import type { LinkEnd, SessionSink } from '../../../src/acp/ports';
import { Deferred } from '../../../src/base/async';
import type { JsonObject } from '../../../src/base/json';
import type { ContentBlock, PermissionOutcome, PermissionRequest, Update } from '../../../src/chat/update';
import type { Connector, KeptSession, LedgerPort, SessionConnection } from '../../../src/session/ports';
import type { SessionTiming } from '../../../src/session/sessionContext';

/** Waits until something is so; the test's own time limit is the only one. */
export async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 1));
}

/** Lets everything that is ready to run, run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve));
}

export const quickTiming: SessionTiming = { stopWait: 5, silence: 60_000, replay: { wait: 20, quiet: 10 } };

const noFacts: AgentFacts = {
  version: '1.2.3',
  loadSession: false,
  resume: false,
  close: false,
  list: false,
  additionalDirectories: false,
  image: false,
  audio: false,
  embeddedContext: false,
  mcpHttp: false,
  mcpSse: false,
  logout: false,
  authMethods: [],
};

/** A connection whose other side is the test. */
export class FakeConnection implements SessionConnection {
  private readonly end = new Deferred<LinkEnd>();
  readonly ended = this.end.promise;
  /** What was asked of the agent, in order. */
  readonly calls: string[] = [];
  readonly turns: { text: string; answer: Deferred<{ stopReason: string }> }[] = [];
  sink: SessionSink | undefined;
  disposed = false;
  /** What the next request to open a session does in place of succeeding, by method. */
  readonly refuses: Partial<Record<'newSession' | 'loadSession' | 'resumeSession' | 'setMode', unknown>>;

  constructor(
    readonly facts: AgentFacts,
    refuses: FakeConnection['refuses'],
    private readonly opened: Partial<OpenedSession>,
    private readonly onLoad: (sink: SessionSink) => void,
  ) {
    this.refuses = refuses;
  }

  newSession(_params: { cwd: string }, sink: SessionSink): Promise<OpenedSession> {
    return this.openAs('newSession', `new-${++sessions}`, sink);
  }

  loadSession(params: { sessionId: string; cwd: string }, sink: SessionSink): Promise<OpenedSession> {
    return this.openAs('loadSession', params.sessionId, sink);
  }

  resumeSession(params: { sessionId: string; cwd: string }, sink: SessionSink): Promise<OpenedSession> {
    return this.openAs('resumeSession', params.sessionId, sink);
  }

  prompt(_sessionId: string, content: readonly ContentBlock[]): Promise<{ stopReason: string }> {
    const text = content.map(block => (block.type === 'text' ? block.text : `<${block.type}>`)).join('');
    const answer = new Deferred<{ stopReason: string }>();
    this.calls.push(`prompt ${text}`);
    this.turns.push({ text, answer });
    return answer.promise;
  }

  cancel(): void {
    this.calls.push('cancel');
  }

  async setMode(_sessionId: string, modeId: string): Promise<void> {
    this.calls.push(`setMode ${modeId}`);
    if (this.refuses.setMode !== undefined) throw this.refuses.setMode;
  }

  async setConfigOption(_sessionId: string, configId: string, value: string | boolean) {
    this.calls.push(`setConfigOption ${configId} ${value}`);
    return [{ id: configId, name: configId, type: 'boolean' as const, value: value === true }];
  }

  /** Settled by the test, by method. */
  readonly signIns = new Map<string, Deferred<void>>();

  async authenticate(methodId: string, meta: JsonObject | undefined, signal: AbortSignal): Promise<void> {
    this.calls.push(`authenticate ${methodId}${meta ? ` ${JSON.stringify(meta)}` : ''}`);
    const answer = new Deferred<void>();
    this.signIns.set(methodId, answer);
    signal.addEventListener('abort', () => {
      this.calls.push(`cancel ${methodId}`);
      answer.reject(signal.reason);
    });
    await answer.promise;
  }

  async logout(): Promise<void> {
    this.calls.push('logout');
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    this.die({ reason: 'closed', message: 'closed' });
  }

  /** The process ends. */
  die(end: LinkEnd): void {
    this.end.resolve(end);
    for (const { answer } of this.turns) answer.reject(new ConnectionEnded(end));
    for (const answer of this.signIns.values()) answer.reject(new ConnectionEnded(end));
  }

  tell(update: Update): void {
    this.sink?.update(update);
  }

  says(text: string): void {
    this.tell({ type: 'agentChunk', content: { type: 'text', text } });
  }

  ask(request: Partial<PermissionRequest> = {}, signal = new AbortController().signal): Promise<PermissionOutcome> {
    if (!this.sink) throw new Error('no session');
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    return this.sink.requestPermission({ call: { toolCallId: 't', title: 'T' }, options, ...request }, signal);
  }

  /** Answers the prompt that waits. */
  answer(stopReason = 'end_turn'): void {
    this.turns.at(-1)?.answer.resolve({ stopReason });
  }

  fail(error: unknown): void {
    this.turns.at(-1)?.answer.reject(error);
  }

  private async openAs(
    method: 'newSession' | 'loadSession' | 'resumeSession',
    sessionId: string,
    sink: SessionSink,
  ): Promise<OpenedSession> {
    this.calls.push(method === 'newSession' ? method : `${method} ${sessionId}`);
    if (this.refuses[method] !== undefined) throw this.refuses[method];
    this.sink = sink;
    if (method === 'loadSession') this.onLoad(sink);
    return { ...this.opened, sessionId };
  }
}

let sessions = 0;

/** An agent that can be started any number of times. What is set here holds for the next start. */
export class FakeAgent {
  readonly connections: FakeConnection[] = [];
  facts: Partial<AgentFacts> = {};
  refuses: FakeConnection['refuses'] = {};
  opened: Partial<OpenedSession> = {};
  onLoad: (sink: SessionSink) => void = () => {};
  /** Where set, the next start waits for it, and fails when it rejects. */
  gate: Promise<unknown> | undefined;
  starts = 0;

  readonly connect: Connector = async (_agentId, _cwd, signal, onActivity) => {
    this.starts += 1;
    onActivity('Waking up…');
    await this.gate;
    signal.throwIfAborted();
    const connection = new FakeConnection({ ...noFacts, ...this.facts }, this.refuses, this.opened, this.onLoad);
    this.connections.push(connection);
    return connection;
  };

  get last(): FakeConnection {
    const connection = this.connections.at(-1);
    if (!connection) throw new Error('the agent was not started');
    return connection;
  }
}

/** A ledger in memory that holds one session after the other. */
export class FakeLedger implements LedgerPort {
  readonly kept: KeptSession[] = [];

  create(record: KeptSession['record']): void {
    this.kept.push({ record, events: [], memory: {} });
  }

  append(sessionId: string, event: KeptSession['events'][number]): void {
    this.of(sessionId)?.events.push(event);
  }

  setAgentSession(sessionId: string, agentSessionId: string): void {
    const kept = this.of(sessionId);
    if (kept) kept.agentSessionId = agentSessionId;
  }

  setMemory(sessionId: string, memory: KeptSession['memory']): void {
    const kept = this.of(sessionId);
    if (kept) kept.memory = { ...kept.memory, ...memory };
  }

  /** As from disk: nothing is shared with what was given. */
  last(): Promise<KeptSession | undefined> {
    const last = this.kept.at(-1);
    return Promise.resolve(last && (JSON.parse(JSON.stringify(last)) as KeptSession));
  }

  flush(): void {}

  dispose(): void {}

  private of(sessionId: string): KeptSession | undefined {
    return this.kept.find(one => one.record.id === sessionId);
  }
}
