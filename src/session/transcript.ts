import { emptyConversation, reduce } from '../chat/reduce';
import type { ChatEvent, Conversation } from '../chat/state';
import type { LedgerPort, SessionMemory } from './ports';

/** What was kept of a session. */
export interface KeptTranscript {
  conversation: Conversation;
  agentSessionId?: string;
  memory: SessionMemory;
}

/** The conversation, what the view remembers and the agent's id of the session: all that is kept of a session. */
export class Transcript {
  private current: Conversation;
  private agentId: string | undefined;
  private remembered: SessionMemory;

  constructor(
    private readonly id: string,
    private readonly ledger: LedgerPort | undefined,
    kept: KeptTranscript | undefined,
    private readonly onChange: () => void,
  ) {
    this.current = kept?.conversation ?? emptyConversation;
    this.agentId = kept?.agentSessionId;
    this.remembered = kept?.memory ?? {};
  }

  get conversation(): Conversation {
    return this.current;
  }

  get memory(): SessionMemory {
    return this.remembered;
  }

  /** The agent's own id of the session it had open last. */
  get agentSessionId(): string | undefined {
    return this.agentId;
  }

  set agentSessionId(id: string) {
    this.agentId = id;
    this.ledger?.setAgentSession(this.id, id);
  }

  record(event: ChatEvent): void {
    this.current = reduce(this.current, event);
    if (!isLive(event)) this.ledger?.append(this.id, event);
    this.onChange();
  }

  remember(memory: SessionMemory): void {
    this.remembered = { ...this.remembered, ...memory };
    this.ledger?.setMemory(this.id, memory);
  }
}

/** Notices are never kept. */
function isLive(event: ChatEvent): boolean {
  return event.type === 'terminal' ? event.live === true : event.type === 'update' && event.update.type === 'notice';
}
