import type { OpenedSession } from '../acp/connection';
import type { SessionSink } from '../acp/ports';
import { messageOf } from '../base/errors';
import { waitingForSignIn } from './activity';
import { openAgentSession } from './openAgentSession';
import type { Connector, SessionConnection } from './ports';
import { ReplayGate } from './replayGate';
import type { FirstStep } from './signIn';

export interface LineContext {
  agentId: string;
  cwd: string;
  connect: Connector;
  /** The agent's own id of the session to go on with. */
  earlier: string | undefined;
  /** The transcript is at hand and is not to be told again. */
  hasTranscript: boolean;
  replay: { wait: number; quiet: number };
  onActivity(text: string): void;
  /** Called as soon as the agent has answered: what it tells from then on is newer, also while a replay is waited for. */
  onOpened(opened: OpenedSession): void;
  /** Done once the agent runs. That it fails is logged: whether it had to succeed shows when a session is opened. */
  firstStep?: FirstStep;
  log(line: string): void;
}

/** The way to one process of the agent and its session, from the start of the process to its end. */
export class AgentLine {
  private readonly abort = new AbortController();
  private started: SessionConnection | undefined;
  private sessionId = '';
  private isReady = false;

  get facts(): SessionConnection['facts'] | undefined {
    return this.started?.facts;
  }

  /** There from when the agent has shaken hands. */
  get connection(): SessionConnection | undefined {
    return this.started;
  }

  /** The connection and the agent's id of the session, once it is open. */
  get open(): { connection: SessionConnection; sessionId: string } | undefined {
    return this.isReady && this.started ? { connection: this.started, sessionId: this.sessionId } : undefined;
  }

  /** Starts the agent unless it runs, and opens a session. Throws what the connector and the connection throw, and when it is ended. */
  async start(context: LineContext, sink: SessionSink): Promise<{ opened: OpenedSession; isNew: boolean }> {
    const { agentId, cwd, connect, onActivity, firstStep } = context;
    const { signal } = this.abort;
    const connection = this.started ?? (await connect(agentId, cwd, signal, onActivity));
    this.started = connection;
    signal.throwIfAborted();
    if (firstStep) {
      onActivity(waitingForSignIn);
      await firstStep(connection, signal).catch((error: unknown) => context.log(`Signing in: ${messageOf(error)}`));
      signal.throwIfAborted();
    }
    const gate = new ReplayGate();
    const gated: SessionSink = {
      update: update => gate.passes(update) && sink.update(update),
      fileWritten: write => sink.fileWritten(write),
      terminalCreated: terminal => sink.terminalCreated(terminal),
      requestPermission: (request, question) => sink.requestPermission(request, question),
    };
    const result = await openAgentSession(connection, { ...context, sink: gated, gate, signal });
    signal.throwIfAborted();
    this.sessionId = result.opened.sessionId;
    this.isReady = true;
    return result;
  }

  /** Ends the agent, also while it starts. Resolves when it has ended; never rejects. */
  async end(): Promise<void> {
    this.abort.abort(new Error('The session has let go of the agent.'));
    await this.started?.dispose().catch(() => {});
  }
}
