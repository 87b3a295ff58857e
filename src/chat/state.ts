import type { ErrorAction } from '../base/errors';
import type { JsonValue } from '../base/json';
import type {
  AgentCommand,
  ConfigOption,
  ContentBlock,
  PermissionOption,
  PlanEntry,
  SessionModes,
  TerminalPiece,
  ToolCallPatch,
  ToolContent,
  ToolLocation,
  Update,
  Usage,
} from './update';

/** A question of the agent about one tool call. `requestId` is unique in the conversation. */
export interface Permission {
  requestId: string;
  options: readonly PermissionOption[];
  state: 'pending' | 'answered' | 'cancelled';
  /** The option that was chosen. */
  optionId?: string;
  /** What it is about, verbatim and fixed when it was asked: the whole command, the paths, or the input. */
  subject?: string;
}

interface EntryBase {
  /** Unique in the conversation and stable. */
  readonly id: string;
  /** Number of the turn in which it came; 0 before the first prompt. */
  readonly turn: number;
}

export interface UserMessage extends EntryBase {
  readonly kind: 'user';
  readonly messageId?: string;
  /** The agent told it (a replay, words from elsewhere): it was not typed here. */
  readonly fromAgent?: boolean;
  readonly content: readonly ContentBlock[];
}

/** Adjacent text blocks are joined into one, so a message that only streams text has one block that grows. */
export interface AgentMessage extends EntryBase {
  readonly kind: 'agent' | 'thought';
  readonly messageId?: string;
  readonly content: readonly ContentBlock[];
  /** False once the turn has ended or something else followed; a late chunk may still add to it. */
  readonly open: boolean;
}

export interface ToolCall extends EntryBase {
  readonly kind: 'tool';
  readonly toolCallId: string;
  /** May be empty: `titleOf` in `title.ts` gives what is shown. */
  readonly title: string;
  readonly name?: string;
  readonly toolKind: string;
  /** The agent's word, or one of our own: `cancelled` (stopped by the user), `ended` (the turn ended without a result). */
  readonly status: string;
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolLocation[];
  readonly rawInput?: JsonValue;
  readonly rawOutput?: JsonValue;
  readonly terminals: readonly TerminalText[];
  readonly permissions: readonly Permission[];
  /** Only a question of the agent has named this call so far. */
  readonly onlyAsked?: boolean;
  /** What was written through the client's file methods while this call ran, for paths that the call names. */
  readonly writes: readonly FileWrite[];
}

/** What a terminal has put out, bounded, and how it ended. */
export interface TerminalText {
  readonly terminalId: string;
  readonly text: string;
  readonly exit?: { exitCode?: number; signal?: string };
}

/** A file written through `fs/write_text_file`; `before` is absent for a new file and fixed at the time of the write. */
export interface FileWrite {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

export interface WriteEntry extends EntryBase, FileWrite {
  readonly kind: 'write';
}

export interface PlanEntryBlock extends EntryBase {
  readonly kind: 'plan';
  readonly planId: string;
  readonly entries: readonly PlanEntry[];
}

/** A way to sign in that an agent offers. */
export interface SignInChoice {
  readonly id: string;
  readonly name: string;
  /** Whether it can be done. */
  readonly understood: boolean;
}

export interface ErrorEntry extends EntryBase {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly details?: string;
  readonly actions: readonly ErrorAction[];
  /** The agent waits for a sign-in. */
  readonly methods?: readonly SignInChoice[];
}

/** A line about the conversation itself: an unusual stop reason, an interrupted turn, a notice, a compaction. */
export interface NoteEntry extends EntryBase {
  readonly kind: 'note';
  readonly severity: 'info' | 'warning';
  readonly text: string;
  readonly details?: string;
  readonly actions: readonly ErrorAction[];
  readonly compactionId?: string;
}

/** Something that we have no better way to show. */
export interface UnknownEntry extends EntryBase {
  readonly kind: 'unknown';
  readonly label: string;
  readonly raw: JsonValue;
}

/** A file that differs between the start and the end of a turn. Paths are absolute. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Only when renamed. */
  readonly oldPath?: string;
  /** Lines; absent for binary content. */
  readonly added?: number;
  readonly removed?: number;
}

/** What a turn changed on disk, whoever wrote it. */
export interface ChangesEntry extends EntryBase {
  readonly kind: 'changes';
  readonly files: readonly ChangedFile[];
  /** Number of new files that were not looked at, because there are too many of them. */
  readonly skipped: number;
}

export type Entry =
  | ChangesEntry
  | UserMessage
  | AgentMessage
  | ToolCall
  | WriteEntry
  | PlanEntryBlock
  | ErrorEntry
  | NoteEntry
  | UnknownEntry;

/**
 * One conversation. Immutable: a change makes a new object in which only what was touched has a new identity.
 */
export interface Conversation {
  readonly entries: readonly Entry[];
  readonly turn: number;
  /** True between the start and the end of a turn. */
  readonly running: boolean;
  readonly title?: string;
  readonly commands: readonly AgentCommand[];
  readonly modes?: SessionModes;
  readonly configOptions?: readonly ConfigOption[];
  readonly usage?: Usage;
  /** Output of the client's terminals that no tool call has named yet. */
  readonly terminals: readonly TerminalText[];
  /** How many entries were ever made: their ids are never used twice. */
  readonly made: number;
  /** How many characters of the running prompt the agent has echoed. */
  readonly echoed: number;
}

/**
 * Everything that can happen to a conversation. JSON throughout: a list of these is what the ledger keeps, and
 * folding `reduce` over it gives the conversation again.
 */
export type ChatEvent =
  | { type: 'update'; update: Update }
  /** `again`: the last prompt is sent once more, its message stands already. */
  | { type: 'prompt'; content: readonly ContentBlock[]; again?: boolean }
  | { type: 'turnEnded'; stopReason: string }
  /** The turn ended because of an error; the error itself comes as an `error` event. */
  | { type: 'turnFailed' }
  /** Stop was pressed: unfinished tool calls look cancelled at once. */
  | { type: 'cancelling' }
  /** The host went away during the turn (reload, crash). */
  | { type: 'interrupted' }
  | { type: 'permissionAsked'; requestId: string; call: ToolCallPatch; options: readonly PermissionOption[] }
  | { type: 'permissionSettled'; requestId: string; optionId?: string }
  | { type: 'fileWritten'; write: FileWrite }
  /** Output of a terminal of the client. `live`: it is told again, and not kept until then. */
  | { type: 'terminal'; piece: TerminalPiece; live?: boolean }
  /** Replaces what was told of this turn before. */
  | { type: 'changes'; turn: number; files: readonly ChangedFile[]; skipped: number }
  /** What `session/new`, `load` or `resume` answered; replaces. */
  | { type: 'sessionOpened'; modes?: SessionModes; configOptions?: readonly ConfigOption[] }
  | {
      type: 'error';
      code: string;
      message: string;
      details?: string;
      actions: readonly ErrorAction[];
      /** Replaces the choice that is open. */
      methods?: readonly SignInChoice[];
    }
  | { type: 'note'; severity: 'info' | 'warning'; text: string; details?: string; actions?: readonly ErrorAction[] };
