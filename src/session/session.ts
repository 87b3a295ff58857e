import type { OpenedSession } from '../acp/connection';
import { ConnectionEnded, errorCodes, RequestFailed } from '../acp/errors';
import type { LinkEnd, SessionSink } from '../acp/ports';
import { Disposable, Emitter } from '../base/lifecycle';
import type { ChangedFile, ChatEvent, Conversation, ToolCall } from '../chat/state';
import { callsOfPermissions } from '../chat/toolCalls';
import type { PermissionOption, PermissionRequest } from '../chat/update';
import type { PhaseName, QueuedPrompt, ViewHead } from '../chat/view';
import { Activity, type ActivityTiming } from './activity';
import { AgentLine } from './agentLine';
import { AgentSettings } from './agentSettings';
import { authFailure, connectFailure, endFailure, promptFailure, wantsSignIn, withoutSecrets } from './failures';
import { Permissions } from './permissions';
import { nextPhase, type PhaseSignal } from './phase';
import type { Connector, LedgerPort, SessionMemory } from './ports';
import { PromptQueue } from './queue';
import { feedTerminal } from './terminalFeed';
import { Transcript, type KeptTranscript } from './transcript';

export interface SessionAgent {
  id: string;
  name: string;
}

export interface SessionState {
  conversation: Conversation;
  phase: PhaseName;
  activity?: NonNullable<ViewHead['activity']>;
  queue: readonly QueuedPrompt[];
  agent: SessionAgent & { version?: string };
  cwd: string;
}

/** A question that waits for the user. `call` is what is known of the tool call now. */
export interface PendingPermission {
  requestId: string;
  entryId: string;
  call: ToolCall;
  options: readonly PermissionOption[];
}

export interface SessionTiming extends ActivityTiming {
  /** How long a replay may begin late, and how long nothing comes when it is over, in ms. */
  replay: { wait: number; quiet: number };
}

const defaultTiming: SessionTiming = { stopWait: 5_000, silence: 180_000, replay: { wait: 1_000, quiet: 300 } };

export interface SessionContext {
  id: string;
  agent: SessionAgent;
  cwd: string;
  connect: Connector;
  ledger?: LedgerPort;
  /** The prompt of a turn waits for it; what it throws is logged and does not stop the turn. */
  beforeTurn?(sessionId: string, turn: number): Promise<void>;
  log(line: string): void;
  timing?: SessionTiming;
  kept?: KeptTranscript;
}

const goOn = 'Continue from where you were interrupted.';

/** One conversation with one agent. It outlives the agent's process; what it is told is never lost with it. */
export class Session extends Disposable {
  private phase: PhaseName = 'idle';
  private version: string | undefined;
  /** What an earlier line still brings does not count any more. */
  private line: AgentLine | undefined;
  private ending: Promise<unknown> = Promise.resolve();
  /** The prompt of the turn that runs, and the one that failed: it is sent again only at the user's word. */
  private sent: string | undefined;
  private failed: string | undefined;
  private resend = false;

  private readonly timing: SessionTiming;
  private readonly transcript: Transcript;
  private readonly queue: PromptQueue;
  private readonly permissions: Permissions;
  private readonly activity: Activity;
  private readonly settings: AgentSettings;
  private readonly changed = this.register(new Emitter<void>());
  private readonly asked = this.register(new Emitter<PendingPermission>());
  private readonly settled = this.register(new Emitter<string>());

  readonly onDidChange = this.changed.event;
  readonly onDidAskPermission = this.asked.event;
  /** With the id of the request. */
  readonly onDidSettlePermission = this.settled.event;

  constructor(private readonly context: SessionContext) {
    super();
    const { id, agent, ledger, kept, timing = defaultTiming } = context;
    this.timing = timing;
    this.transcript = new Transcript(id, ledger, kept, () => this.change());
    this.queue = new PromptQueue(kept?.memory.queue ?? [], queue => {
      this.transcript.remember({ queue });
      this.change();
    });
    this.settings = new AgentSettings(
      () => this.line,
      event => this.record(event),
    );
    this.permissions = new Permissions({
      asked: (requestId, request) => this.showQuestion(requestId, request),
      settled: (requestId, optionId) => {
        this.record({ type: 'permissionSettled', requestId, ...(optionId === undefined ? {} : { optionId }) });
        this.tell(this.settled, requestId);
      },
    });
    const isWaiting = (): boolean => this.permissions.requestIds.length === 0;
    this.activity = this.register(new Activity(agent.name, timing, isWaiting, () => this.change()));
  }

  get id(): string {
    return this.context.id;
  }

  get state(): SessionState {
    const { agent, cwd } = this.context;
    return {
      conversation: this.transcript.conversation,
      phase: this.phase,
      queue: this.queue.prompts,
      agent: { ...agent, ...(this.version === undefined ? {} : { version: this.version }) },
      cwd,
      ...(this.activity.current ? { activity: this.activity.current } : {}),
    };
  }

  /** What is kept for the view: the draft and where it is scrolled to. */
  get memory(): SessionMemory {
    return this.transcript.memory;
  }

  remember(memory: Pick<SessionMemory, 'draft' | 'scroll'>): void {
    this.transcript.remember(memory);
  }

  /** Sends a message, or puts it into the queue while something else is going on. */
  prompt(text: string): void {
    if (text.trim() === '') return;
    this.failed = undefined;
    this.queue.add(text);
    this.proceed();
  }

  /** Connects if need be, sends what failed once more, and then the queue. */
  retry(): void {
    this.resend = this.failed !== undefined;
    this.proceed();
    if (nextPhase(this.phase, 'connect')) this.connect();
  }

  continueInterrupted(): void {
    this.failed = undefined;
    this.queue.addFirst(goOn);
    this.proceed();
  }

  /**
   * Stops the start of the agent, or the turn: once, with the protocol's cancel. When the agent does not answer that,
   * stopping again ends it.
   */
  stop(): void {
    if (this.phase === 'connecting') this.stopConnecting();
    else if (this.phase === 'running') this.cancelTurn();
    else if (this.phase === 'cancelling' && this.activity.stopUnanswered) this.endUnanswering();
  }

  pendingPermissions(): readonly PendingPermission[] {
    return this.questions(this.permissions.requestIds);
  }

  /** False when there is no such open question, or it did not offer this option. */
  answerPermission(requestId: string, optionId: string): boolean {
    return this.permissions.answer(requestId, optionId);
  }

  /** What a turn changed on disk, as it is seen from outside. */
  tellChanges(turn: number, files: readonly ChangedFile[], skipped: number): void {
    this.record({ type: 'changes', turn, files, skipped });
  }

  editQueued(id: string, text: string): void {
    this.queue.edit(id, text);
  }

  removeQueued(id: string): void {
    this.queue.remove(id);
  }

  setMode(modeId: string): void {
    this.settings.setMode(modeId);
  }

  setConfigOption(configId: string, value: string | boolean): void {
    this.settings.setConfigOption(configId, value);
  }

  /** Ends the session and its agent; resolves when the agent has ended. The transcript stays in the ledger. */
  async close(): Promise<void> {
    this.dispose();
    await this.ending;
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.dropLine();
    super.dispose();
  }

  private proceed(): void {
    this.queue.release();
    this.change();
    this.pump();
  }

  /** Sends the next prompt if it is time; starts the agent first where none runs. */
  private pump(): void {
    if (this.isDisposed || this.queue.held || (this.queue.isEmpty && !this.resend)) return;
    if (nextPhase(this.phase, 'connect')) this.connect();
    else if (this.phase === 'ready') this.sendNext();
  }

  private sendNext(): void {
    const again = this.resend ? this.failed : undefined;
    this.resend = false;
    const text = again ?? this.queue.takeFirst();
    if (text !== undefined) void this.runTurn(text, again !== undefined);
  }

  private connect(): void {
    const line = new AgentLine();
    this.line = line;
    this.move('connect');
    this.activity.starting();
    this.ending = Promise.allSettled([this.ending, this.openLine(line)]);
  }

  private async openLine(line: AgentLine): Promise<void> {
    const { agent, cwd, connect, log } = this.context;
    const context = {
      agentId: agent.id,
      cwd,
      connect,
      log,
      earlier: this.transcript.agentSessionId,
      hasTranscript: this.transcript.conversation.entries.length > 0,
      replay: this.timing.replay,
      onActivity: (text: string) => this.line === line && this.activity.starting(text),
      onOpened: ({ modes, configOptions }: OpenedSession) =>
        this.line === line &&
        this.record({ type: 'sessionOpened', ...(modes && { modes }), ...(configOptions && { configOptions }) }),
    };
    try {
      const { opened, isNew } = await line.start(context, this.sinkOf(line));
      if (this.line === line) this.opened(line, opened, isNew);
    } catch (error) {
      if (this.line === line) this.connectFailed(line, error);
      await line.end();
    }
  }

  private opened(line: AgentLine, { sessionId }: OpenedSession, isNew: boolean): void {
    const { agent } = this.context;
    this.version = line.facts?.version;
    this.transcript.agentSessionId = sessionId;
    if (isNew && this.transcript.conversation.entries.some(entry => entry.kind === 'agent' || entry.kind === 'tool')) {
      const text = `This is a new session: ${agent.name} does not remember the conversation above`;
      this.record({ type: 'note', severity: 'warning', text });
    }
    void line.open?.connection.ended.then(end => this.lost(line, end));
    this.activity.none();
    this.move('opened');
    this.pump();
  }

  private connectFailed(line: AgentLine, error: unknown): void {
    const { name } = this.context.agent;
    this.dropLine();
    if (wantsSignIn(error)) {
      this.record(authFailure(name, line.facts));
      return this.move('authRequired');
    }
    const failure = connectFailure(name, error);
    if (failure.code === 'internal') this.logBug(error);
    this.record(failure);
    this.move('connectFailed');
  }

  private async runTurn(text: string, again: boolean): Promise<void> {
    const { line } = this;
    const link = line?.open;
    if (!line || !link) return;
    const content = [{ type: 'text' as const, text }];
    this.sent = text;
    this.failed = undefined;
    this.record({ type: 'prompt', content, ...(again ? { again } : {}) });
    this.move('promptSent');
    this.activity.running();
    try {
      if (this.context.beforeTurn) {
        await this.context
          .beforeTurn(this.id, this.transcript.conversation.turn)
          .catch((error: unknown) => this.logBug(error));
        if (this.line !== line) return;
        if (this.phase === 'cancelling') return this.turnOver('cancelled');
      }
      const { stopReason } = await link.connection.prompt(link.sessionId, content);
      if (this.line === line) this.turnOver(stopReason);
    } catch (error) {
      if (this.line === line) this.turnFailed(line, error);
    }
  }

  private turnOver(stopReason: string): void {
    this.endTurn({ type: 'turnEnded', stopReason });
    this.move('turnOver');
    this.pump();
  }

  private turnFailed(line: AgentLine, error: unknown): void {
    if (error instanceof ConnectionEnded) return this.lost(line, error.end);
    // After a cancel every end is the end that was asked for.
    const isCancelled = error instanceof RequestFailed && error.code === errorCodes.requestCancelled;
    if (this.phase === 'cancelling' || isCancelled) return this.turnOver('cancelled');
    const { sent } = this;
    this.endTurn({ type: 'turnFailed' });
    this.failed = sent;
    if (wantsSignIn(error)) {
      this.dropLine();
      this.record(authFailure(this.context.agent.name, line.facts));
      return this.move('authRequired');
    }
    if (!(error instanceof RequestFailed)) this.logBug(error);
    this.queue.hold();
    this.record(promptFailure(error));
    this.move('turnOver');
  }

  private cancelTurn(): void {
    const link = this.line?.open;
    this.record({ type: 'cancelling' });
    this.move('cancel');
    this.activity.stopping();
    link?.connection.cancel(link.sessionId);
    this.permissions.cancelAll();
  }

  private stopConnecting(): void {
    this.dropLine();
    this.move('connectStopped');
  }

  private endUnanswering(): void {
    this.dropLine();
    this.endTurn({ type: 'turnEnded', stopReason: 'cancelled' });
    const text = `${this.context.agent.name} was ended: it did not answer Stop`;
    this.record({ type: 'note', severity: 'warning', text });
    this.move('lost');
  }

  /** The one place where it is noticed that an agent has ended by itself. */
  private lost(line: AgentLine, end: LinkEnd): void {
    if (this.line !== line) return;
    const { phase, sent } = this;
    const { name } = this.context.agent;
    this.dropLine();
    if (phase === 'cancelling') {
      this.endTurn({ type: 'turnEnded', stopReason: 'cancelled' });
      this.record({ type: 'note', severity: 'info', text: end.message || `${name} has ended` });
    } else if (phase === 'running') {
      this.endTurn({ type: 'turnFailed' });
      this.failed = sent;
      this.record(endFailure(name, end));
    } else if (end.exit?.code !== 0) this.record(endFailure(name, end));
    this.move('lost');
  }

  private endTurn(event: ChatEvent): void {
    this.activity.none();
    this.sent = undefined;
    this.record(event);
  }

  /** Lets go of the agent: its questions are withdrawn, and the queue waits for the user. */
  private dropLine(): void {
    const { line } = this;
    this.line = undefined;
    this.resend = false;
    this.queue.hold();
    this.activity.none();
    this.permissions.cancelAll();
    if (line) this.ending = Promise.allSettled([this.ending, line.end()]);
  }

  private sinkOf(line: AgentLine): SessionSink {
    const isCurrent = (): boolean => {
      if (this.line !== line) return false;
      this.activity.heard();
      return true;
    };
    return {
      update: update => isCurrent() && this.record({ type: 'update', update }),
      fileWritten: write => isCurrent() && this.record({ type: 'fileWritten', write }),
      // How a command ends is told also when its agent has gone before it.
      terminalCreated: terminal =>
        feedTerminal(terminal, event => {
          isCurrent();
          this.record(event);
        }),
      requestPermission: async (request, signal) =>
        isCurrent() && this.phase !== 'cancelling' ? this.permissions.ask(request, signal) : { outcome: 'cancelled' },
    };
  }

  private showQuestion(requestId: string, { call, options }: PermissionRequest): void {
    this.record({ type: 'permissionAsked', requestId, call, options });
    const [pending] = this.questions([requestId]);
    if (pending) this.tell(this.asked, pending);
  }

  private questions(requestIds: readonly string[]): PendingPermission[] {
    const calls = callsOfPermissions(this.transcript.conversation, requestIds);
    return requestIds.flatMap(requestId => {
      const call = calls.get(requestId);
      const options = call?.permissions.find(one => one.requestId === requestId)?.options;
      return call && options ? [{ requestId, entryId: call.id, call, options }] : [];
    });
  }

  private record(event: ChatEvent): void {
    if (!this.isDisposed) this.transcript.record(withoutSecrets(event));
  }

  private move(signal: PhaseSignal): void {
    const next = nextPhase(this.phase, signal);
    if (!next) throw new Error(`No way from ${this.phase} by ${signal}`);
    this.phase = next;
    this.change();
  }

  private change(): void {
    this.tell(this.changed, undefined);
  }

  /** A listener that fails must not stop the conversation. */
  private tell<T>(emitter: Emitter<T>, value: T): void {
    try {
      emitter.fire(value);
    } catch (error) {
      this.logBug(error);
    }
  }

  private logBug(error: unknown): void {
    this.context.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
