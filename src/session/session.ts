import type { OpenedSession } from '../acp/connection';
import { ConnectionEnded, errorCodes, RequestFailed } from '../acp/errors';
import type { LinkEnd, SessionSink } from '../acp/ports';
import { Disposable, Emitter } from '../base/lifecycle';
import type { ChangedFile, ChatEvent } from '../chat/state';
import type { PermissionRequest } from '../chat/update';
import type { PhaseName } from '../chat/view';
import { Activity } from './activity';
import { AgentLine } from './agentLine';
import { AgentSettings } from './agentSettings';
import { authFailure, connectFailure, endFailure, promptFailure, wantsSignIn, withoutSecrets } from './failures';
import { pendingPermissions, Permissions, type PendingPermission } from './permissions';
import { nextPhase, type PhaseSignal } from './phase';
import type { SessionMemory } from './ports';
import { PromptQueue } from './queue';
import { defaultTiming, type SessionContext, type SessionState, type SessionTiming } from './sessionContext';
import { SignIn, usesConnection, type FirstStep } from './signIn';
import { feedTerminal } from './terminalFeed';
import { Transcript } from './transcript';

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
  private firstStep: FirstStep | undefined;

  private readonly timing: SessionTiming;
  private readonly transcript: Transcript;
  private readonly queue: PromptQueue;
  private readonly permissions: Permissions;
  private readonly activity: Activity;
  private readonly settings: AgentSettings;
  private readonly signing: SignIn;
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
    this.signing = new SignIn({
      agent: { ...agent, cwd: context.cwd },
      port: context.signIn,
      activity: this.activity,
      connection: () => this.line?.connection,
      letGo: () => this.dropLine(),
      record: event => this.record(event),
      proceed: first => {
        this.firstStep = first;
        this.retry();
      },
    });
  }

  /** The agent offers to sign out. */
  get canSignOut(): boolean {
    return this.line?.facts?.logout ?? false;
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
    if (this.phase !== 'needsAuth') this.failed = undefined;
    this.queue.add(text);
    if (!this.signing.isWaiting) this.proceed();
  }

  /** Connects if need be, sends what failed once more, and then the queue. */
  retry(): void {
    this.proceed();
    if (nextPhase(this.phase, 'connect')) this.connect();
  }

  /** Signs in by one of the methods that the agent offers; what it refused is then sent again. */
  signIn(methodId: string): void {
    if (this.phase === 'needsAuth' || nextPhase(this.phase, 'connect')) this.signing.choose(methodId);
  }

  signOut(): Promise<void> {
    return this.signing.signOut();
  }

  continueInterrupted(): void {
    this.failed = undefined;
    this.queue.addFirst(goOn);
    this.proceed();
  }

  /**
   * Stops the start of the agent, the wait for a sign-in, or the turn: once, with the protocol's cancel. When the agent does not answer that,
   * stopping again ends it.
   */
  stop(): void {
    if (this.phase === 'connecting') this.stopConnecting();
    else if (this.phase === 'running') this.cancelTurn();
    else if (this.phase === 'needsAuth') this.signing.cancel();
    else if (this.phase === 'cancelling' && this.activity.stopUnanswered) this.endUnanswering();
  }

  pendingPermissions(): readonly PendingPermission[] {
    return pendingPermissions(this.transcript.conversation, this.permissions.requestIds);
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
    this.signing.cancel();
    this.dropLine();
    super.dispose();
  }

  private proceed(): void {
    // The agent runs and has its session: only a prompt was refused.
    if (this.phase === 'needsAuth' && this.line?.open) this.move('opened');
    this.resend = this.failed !== undefined;
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
    const line = this.line ?? new AgentLine();
    this.line = line;
    this.move('connect');
    this.activity.starting();
    this.ending = Promise.allSettled([this.ending, this.openLine(line)]);
  }

  private async openLine(line: AgentLine): Promise<void> {
    const { agent, cwd, connect, log } = this.context;
    const { firstStep } = this;
    this.firstStep = undefined;
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
      ...(firstStep && { firstStep }),
    };
    try {
      const { opened, isNew } = await line.start(context, this.sinkOf(line));
      if (this.line === line) this.opened(line, opened, isNew);
    } catch (error) {
      if (this.line === line) this.connectFailed(line, error);
      if (this.line !== line) await line.end();
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
    void line.connection?.ended.then(end => this.lost(line, end));
    this.signing.cancel();
    this.activity.none();
    this.move('opened');
    this.pump();
  }

  private connectFailed(line: AgentLine, error: unknown): void {
    if (wantsSignIn(error)) return this.needSignIn(line, error);
    this.dropLine();
    const failure = connectFailure(this.context.agent.name, error);
    if (failure.code === 'internal') this.logBug(error);
    this.record(failure);
    this.move('connectFailed');
  }

  /** The agent lives on where the sign-in needs it; the prompt that was refused waits. */
  private needSignIn(line: AgentLine, error: RequestFailed): void {
    const methods = line.facts?.authMethods ?? [];
    this.queue.hold();
    this.activity.none();
    this.record(authFailure(this.context.agent.name, methods, error));
    this.move('authRequired');
    if (!usesConnection(methods)) this.dropLine();
    else void line.connection?.ended.then(end => this.lost(line, end));
    this.signing.offer(methods);
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
    this.signing.cancel();
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
    if (wantsSignIn(error)) return this.needSignIn(line, error);
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
    // While it opens a session the request itself tells.
    if (this.line !== line || this.phase === 'connecting') return;
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
    } else if (phase === 'needsAuth' || end.exit?.code !== 0) this.record(endFailure(name, end));
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
    const [pending] = pendingPermissions(this.transcript.conversation, [requestId]);
    if (pending) this.tell(this.asked, pending);
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
