import { Disposable, Emitter } from '../base/lifecycle';
import { emptyConversation, reduce } from '../chat/reduce';
import type { ChatEvent, Conversation } from '../chat/state';
import { Session } from './session';
import type { SessionAgent, SessionContext } from './sessionContext';

export type SessionsContext = Omit<SessionContext, 'id' | 'agent' | 'cwd' | 'kept'>;

/** The sessions of this window. One is shown; the one before it is closed. */
export class Sessions extends Disposable {
  private shown: Session | undefined;
  private readonly closing = new Set<Promise<void>>();
  private readonly currentChanged = this.register(new Emitter<Session | undefined>());
  readonly onDidChangeCurrent = this.currentChanged.event;

  constructor(private readonly context: SessionsContext) {
    super();
  }

  get current(): Session | undefined {
    return this.shown;
  }

  /** A new, empty session, which is shown at once. Its agent starts with the first message. */
  create(agent: SessionAgent, cwd: string): Session {
    const id = crypto.randomUUID();
    const record = { id, agentId: agent.id, agentName: agent.name, cwd, createdAt: Date.now() };
    this.context.ledger?.create(record);
    return this.show(new Session({ ...this.context, id, agent, cwd }));
  }

  /** Shows the session that was kept last, unless one is shown already. A turn that was running is interrupted. */
  async restore(): Promise<void> {
    const kept = await this.context.ledger?.last();
    if (!kept) return;
    const { record, agentSessionId, memory } = kept;
    const folded = await fold(kept.events);
    if (this.shown || this.isDisposed) return;
    const interrupted: ChatEvent = { type: 'interrupted' };
    if (folded.running) this.context.ledger?.append(record.id, interrupted);
    const conversation = folded.running ? reduce(folded, interrupted) : folded;
    this.show(
      new Session({
        ...this.context,
        id: record.id,
        agent: { id: record.agentId, name: record.agentName },
        cwd: record.cwd,
        kept: { conversation, memory, ...(agentSessionId === undefined ? {} : { agentSessionId }) },
      }),
    );
  }

  /** Ends all agents at once; resolves when they have ended. */
  async closeAll(): Promise<void> {
    if (this.shown) this.close(this.shown);
    await Promise.allSettled(this.closing);
  }

  override dispose(): void {
    if (this.shown) this.close(this.shown);
    super.dispose();
  }

  private show(session: Session): Session {
    const before = this.shown;
    this.shown = session;
    this.currentChanged.fire(session);
    if (before) this.close(before);
    return session;
  }

  private close(session: Session): void {
    const closed = session.close().finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }
}

/** How long folding may hold up everything else at a time, in ms. */
const slice = 8;

async function fold(events: readonly ChatEvent[]): Promise<Conversation> {
  let conversation = emptyConversation;
  let began = performance.now();
  for (const event of events) {
    conversation = reduce(conversation, event);
    if (performance.now() - began < slice) continue;
    await new Promise(resolve => setTimeout(resolve, 0));
    began = performance.now();
  }
  return conversation;
}
