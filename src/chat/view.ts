import type { ErrorAction } from '../base/errors';
import type { Permission, SignInChoice } from './state';
import type { AgentCommand, ConfigOption, PlanEntry, SessionModes, ToolLocation, Usage } from './update';

// What the webview is told of a conversation: the same entries, with what is heavy left in the host and asked for on
// demand (raw input and output, whole diffs, output beyond a limit).

export type ViewBlock =
  /** Markdown. */
  | { type: 'text'; text: string }
  /** `src` is a `data:` address. */
  | { type: 'image'; src: string; alt: string }
  /** A file or an address that can be opened; `path` is absolute. */
  | { type: 'link'; label: string; path?: string; href?: string }
  /** Something with a name that is not drawn. */
  | { type: 'placeholder'; label: string };

export interface ViewDiff {
  /** Which diff of the entry: what `openDiff` is asked with. */
  index: number;
  path: string;
  /** Relative to the session's folder where it lies inside. */
  label: string;
  isNew: boolean;
  added: number;
  removed: number;
  /** Some changed lines with their sign (`+`, `-` or space); at most 40. */
  preview: readonly string[];
  /** True when the preview or the counts are not complete. */
  partial: boolean;
}

export type ViewToolContent =
  | { type: 'block'; block: ViewBlock }
  | { type: 'diff'; diff: ViewDiff }
  /** Plain text with ANSI colours. `clipped`: the beginning is only in the host. */
  | { type: 'output'; text: string; clipped: boolean; exit?: string };

export interface ViewLocation extends ToolLocation {
  label: string;
}

export interface ViewPermission extends Permission {
  /** The whole command or the paths, as plain text, control characters made visible. */
  subject?: string;
}

export interface ViewChangedFile {
  kind: 'added' | 'modified' | 'deleted' | 'renamed';
  path: string;
  label: string;
  /** Only when renamed. */
  oldLabel?: string;
  added?: number;
  removed?: number;
}

interface ViewEntryBase {
  readonly id: string;
  readonly turn: number;
}

export type ViewEntry = ViewEntryBase &
  (
    | { kind: 'user'; blocks: readonly ViewBlock[] }
    | { kind: 'agent' | 'thought'; blocks: readonly ViewBlock[]; open: boolean }
    | {
        kind: 'tool';
        title: string;
        toolKind: string;
        status: string;
        content: readonly ViewToolContent[];
        locations: readonly ViewLocation[];
        permissions: readonly ViewPermission[];
        hasRaw: boolean;
      }
    | { kind: 'write'; diff: ViewDiff }
    /** `more`: how many files are not listed. */
    | { kind: 'changes'; files: readonly ViewChangedFile[]; more: number; skipped: number }
    | { kind: 'plan'; entries: readonly PlanEntry[] }
    | {
        kind: 'error';
        code: string;
        message: string;
        details?: string;
        actions: readonly ErrorAction[];
        methods?: readonly SignInChoice[];
      }
    | { kind: 'note'; severity: 'info' | 'warning'; text: string; details?: string; actions: readonly ErrorAction[] }
    | { kind: 'unknown'; label: string; raw: string }
  );

export type PhaseName =
  /** No agent process; the first message starts it. */
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'running'
  | 'cancelling'
  | 'needsAuth'
  /** The agent failed to start or has ended; a message or *Retry* starts it again. */
  | 'disconnected';

export interface QueuedPrompt {
  id: string;
  text: string;
  /** It waits for the user: sending it failed, or the window was reloaded meanwhile. */
  held?: boolean;
}

/** Everything in the view but the entries; small, sent by field. */
export interface ViewHead {
  /** Changes when another conversation is shown. */
  conversationId: string;
  agent?: { id: string; name: string; version?: string };
  /** Shown when the conversation may run in several folders. */
  folder?: string;
  phase: PhaseName;
  /** What is being waited for, in words ("Starting Gemini CLI…"), with seconds counted by the view from `since` (epoch ms). */
  activity?: { text: string; since: number; cancellable: boolean };
  title?: string;
  queue: readonly QueuedPrompt[];
  commands: readonly AgentCommand[];
  modes?: SessionModes;
  configOptions?: readonly ConfigOption[];
  usage?: Usage;
  /** Why nothing can start here, if so. */
  blocked?: 'untrusted' | 'noFolder';
}

export interface ViewState {
  head: ViewHead;
  entries: readonly ViewEntry[];
}

export type PatchOp =
  /** The fields named replace those of the head; `null` removes one. */
  | { op: 'head'; head: { [K in keyof ViewHead]?: ViewHead[K] | null } }
  /** New entries before position `at` (at the end: the number of entries). */
  | { op: 'insert'; at: number; entries: readonly ViewEntry[] }
  | { op: 'set'; entry: ViewEntry }
  /** Text added to the text block at `block` of a message, or to the output at `block` of a tool call's content. */
  | { op: 'append'; id: string; block: number; text: string }
  | { op: 'remove'; id: string };

/** `seq` grows by one with each patch after the snapshot; a gap means: ask for a snapshot. */
export interface Patch {
  seq: number;
  ops: readonly PatchOp[];
}

export interface Snapshot {
  seq: number;
  state: ViewState;
}
