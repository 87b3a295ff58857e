import type { SignInPort } from '../acp/ports';
import type { Conversation } from '../chat/state';
import type { PhaseName, QueuedPrompt, ViewHead } from '../chat/view';
import type { ActivityTiming } from './activity';
import type { Connector, LedgerPort } from './ports';
import type { KeptTranscript } from './transcript';

export interface SessionAgent {
  id: string;
  name: string;
}

export interface SessionTiming extends ActivityTiming {
  /** How long a replay may begin late, and how long nothing comes when it is over, in ms. */
  replay: { wait: number; quiet: number };
}

export const defaultTiming: SessionTiming = { stopWait: 5_000, silence: 180_000, replay: { wait: 1_000, quiet: 300 } };

/** What a session tells of itself. */
export interface SessionState {
  conversation: Conversation;
  phase: PhaseName;
  activity?: NonNullable<ViewHead['activity']>;
  queue: readonly QueuedPrompt[];
  agent: SessionAgent & { version?: string };
  cwd: string;
}

/** What a session gets when it is made. */
export interface SessionContext {
  id: string;
  agent: SessionAgent;
  cwd: string;
  connect: Connector;
  signIn?: SignInPort;
  ledger?: LedgerPort;
  /** The prompt of a turn waits for it; what it throws is logged and does not stop the turn. */
  beforeTurn?(sessionId: string, turn: number): Promise<void>;
  log(line: string): void;
  timing?: SessionTiming;
  kept?: KeptTranscript;
}
