import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentConnection, OpenedSession } from '../../src/acp/connection';
import type { ClientPorts, SessionSink, Terminal, TrafficRecord } from '../../src/acp/ports';
import type { LaunchPlan } from '../../src/agents/launchPlan';
import type { FileWrite } from '../../src/chat/state';
import type { PermissionOutcome, PermissionRequest, Update } from '../../src/chat/update';
import { connectAgent, type ConnectContext } from '../../src/connect/stdio';

export type Step = Record<string, unknown>;

/** What a test knows about one agent that it started. */
export interface Rig {
  plan: LaunchPlan;
  context: ConnectContext;
  noise: string[];
  log: string[];
  stderr: string[];
  traffic: TrafficRecord[];
  /** Bytes that the scripted agent read so far. */
  received(): string;
  /** Messages in them. */
  messages(): Record<string, unknown>[];
  events(): string[];
  connect(signal?: AbortSignal): Promise<AgentConnection>;
}

const folders: string[] = [];
const connections: AgentConnection[] = [];

/** A folder that `cleanUp` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portside-test-'));
  folders.push(folder);
  return folder;
}

/** Ends every agent and removes every folder of the test: call it in `afterEach`. */
export async function cleanUp(): Promise<void> {
  await Promise.all(connections.splice(0).map(connection => connection.dispose()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** An agent that follows a script: see `scriptedAgent.mjs`. */
export function scripted(steps: readonly Step[], more: Partial<ConnectContext> = {}): Rig {
  const folder = temporaryFolder();
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify(steps));
  const record = join(folder, 'record');
  return rig([resolve('test/fakes/scriptedAgent.mjs'), script, record], folder, record, more);
}

/** An agent that plays a trace: see `replayAgent.mjs`. */
export function replayed(trace: string, more: Partial<ConnectContext> = {}): Rig {
  const folder = temporaryFolder();
  return rig([resolve('test/fakes/replayAgent.mjs'), resolve(trace)], folder, join(folder, 'none'), more);
}

/** The Example agent as it is built. */
export function example(more: Partial<ConnectContext> = {}): Rig {
  const folder = temporaryFolder();
  const own = rig([resolve('dist/exampleAgent.js')], folder, join(folder, 'none'), more);
  own.plan = { ...own.plan, name: 'Example agent', ownRuntime: true };
  return own;
}

function rig(args: string[], cwd: string, record: string, more: Partial<ConnectContext>): Rig {
  const [noise, log, stderr, traffic]: [string[], string[], string[], TrafficRecord[]] = [[], [], [], []];
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const plan: LaunchPlan = { agentId: 'fake', name: 'Fake', command: process.execPath, args, env: {} };
  const context: ConnectContext = {
    cwd,
    env: process.env,
    platform: process.platform,
    hostRuntime: process.execPath,
    quick: () => true,
    onStderr: text => stderr.push(text),
    onNoise: text => noise.push(text),
    ports: {},
    clientVersion: '1.2.3',
    handshakeSeconds: 20,
    onTraffic: traffic.push.bind(traffic),
    log: line => log.push(line),
    ...more,
  };
  const own: Rig = {
    plan,
    context,
    noise,
    log,
    stderr,
    traffic,
    received: () => read(record),
    messages: () =>
      read(record)
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as Record<string, unknown>),
    events: () => read(`${record}.events`).split('\n').filter(Boolean),
    async connect(signal = new AbortController().signal) {
      const connection = await connectAgent(own.plan, own.context, signal);
      connections.push(connection);
      return connection;
    },
  };
  return own;
}

/** Remembers what a session was told, and answers questions as `answer` says. */
export class RecordingSink implements SessionSink {
  readonly updates: Update[] = [];
  readonly questions: { request: PermissionRequest; signal: AbortSignal }[] = [];
  readonly writes: FileWrite[] = [];
  readonly terminals: Terminal[] = [];

  constructor(
    private readonly answer: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionOutcome> = () =>
      new Promise(() => {}),
  ) {}

  update(update: Update): void {
    this.updates.push(update);
  }

  requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    this.questions.push({ request, signal });
    return this.answer(request, signal);
  }

  fileWritten(write: FileWrite): void {
    this.writes.push(write);
  }

  terminalCreated(terminal: Terminal): void {
    this.terminals.push(terminal);
  }

  /** The texts of all agent messages, in a row. */
  get text(): string {
    return this.updates
      .map(update => (update.type === 'agentChunk' && update.content.type === 'text' ? update.content.text : ''))
      .join('');
  }
}

/** Opens a session the usual way. */
export async function openSession(
  connection: AgentConnection,
  sink: SessionSink = new RecordingSink(),
  cwd = temporaryFolder(),
): Promise<OpenedSession> {
  return connection.newSession({ cwd }, sink, new AbortController().signal);
}

export const textPrompt = (text: string) => [{ type: 'text' as const, text }];

/** A `session/update` of session "s1". */
export function updateOf(update: object, sessionId = 's1'): object {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } };
}

export function chunkOf(text: string, sessionId = 's1'): object {
  return updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, sessionId);
}

/** Waits until something is true; gives up after long, so that a test that fails leaves nothing running. */
export async function until(condition: () => boolean, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`It did not become true: ${String(condition)}`);
    await new Promise(done => setTimeout(done, 5));
  }
}

/** A process that has ended but was not waited for yet counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync('/proc') || (existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z '));
}

export const filePorts = (files: Partial<NonNullable<ClientPorts['files']>>): ClientPorts => ({
  files: { read: () => Promise.resolve(''), write: () => Promise.resolve({}), ...files },
});
