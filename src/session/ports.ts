import type { AgentConnection } from '../acp/connection';
import type { ChatEvent } from '../chat/state';
import type { QueuedPrompt } from '../chat/view';

/** What a session needs of a connection to its agent. */
export type SessionConnection = Pick<
  AgentConnection,
  | 'facts'
  | 'ended'
  | 'newSession'
  | 'loadSession'
  | 'resumeSession'
  | 'prompt'
  | 'cancel'
  | 'setMode'
  | 'setConfigOption'
  | 'authenticate'
  | 'logout'
  | 'dispose'
>;

/** Starts an agent and shakes hands with it. `onActivity` is told in words what is being waited for. */
export type Connector = (
  agentId: string,
  cwd: string,
  signal: AbortSignal,
  onActivity: (text: string) => void,
) => Promise<SessionConnection>;

/** A session as it is kept. */
export interface SessionRecord {
  id: string;
  agentId: string;
  agentName: string;
  cwd: string;
  /** Epoch ms. */
  createdAt: number;
}

/** What is kept beside the events. `scroll` is the view's own affair. */
export interface SessionMemory {
  draft?: string;
  scroll?: unknown;
  queue?: readonly QueuedPrompt[];
}

export interface KeptSession {
  record: SessionRecord;
  /** The agent's own id for the session it had open last. */
  agentSessionId?: string;
  events: ChatEvent[];
  memory: SessionMemory;
}

/** Where conversations are kept. Nothing here throws; what cannot be kept is logged. */
export interface LedgerPort {
  create(record: SessionRecord): void;
  append(sessionId: string, event: ChatEvent): void;
  setAgentSession(sessionId: string, agentSessionId: string): void;
  /** Fields that are absent stay as they are. */
  setMemory(sessionId: string, memory: SessionMemory): void;
  /** The session that was created last. */
  last(): Promise<KeptSession | undefined>;
  flush(): void;
  dispose(): void;
}
