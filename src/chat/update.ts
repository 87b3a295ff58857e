import type { JsonValue } from '../base/json';

// What an agent tells about a conversation, as data. `acp/lenient` reads the wire into these shapes; enums stay open
// (plain strings), and what is not understood is carried as `unknown`, so that nothing that an agent sends is lost.

export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string; uri?: string }
  | { type: 'audio'; data: string; mimeType: string }
  | {
      type: 'resourceLink';
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      size?: number;
    }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string; blob?: string }
  | { type: 'unknown'; label: string; raw: JsonValue };

export type ToolContent =
  | { type: 'content'; block: ContentBlock }
  /** `oldText` is absent for a new file. */
  | { type: 'diff'; path: string; oldText?: string; newText: string }
  | { type: 'terminal'; terminalId: string }
  | { type: 'unknown'; label: string; raw: JsonValue };

/** `line` is 1-based. */
export interface ToolLocation {
  path: string;
  line?: number;
}

/** Output of a terminal that only the agent knows, told in `_meta` of a tool call. */
export interface TerminalPiece {
  terminalId: string;
  /** Text to add; with `replace`, the whole text. */
  data?: string;
  replace?: boolean;
  exit?: { exitCode?: number; signal?: string };
}

/** Absent fields keep the old value; `content` and `locations`, when present, replace all. */
export interface ToolCallPatch {
  toolCallId: string;
  title?: string;
  name?: string;
  kind?: string;
  status?: string;
  content?: readonly ToolContent[];
  locations?: readonly ToolLocation[];
  rawInput?: JsonValue;
  rawOutput?: JsonValue;
  terminal?: readonly TerminalPiece[];
}

export interface PlanEntry {
  content: string;
  /** `high`, `medium`, `low` or unknown. */
  priority: string;
  /** `pending`, `in_progress`, `completed` or unknown. */
  status: string;
}

export interface AgentCommand {
  name: string;
  description: string;
  hint?: string;
}

export interface SessionModes {
  currentModeId: string;
  availableModes: readonly { id: string; name: string; description?: string }[];
}

export interface ConfigChoice {
  value: string;
  name: string;
  description?: string;
  group?: string;
}

export type ConfigOption = { id: string; name: string; description?: string; category?: string } & (
  { type: 'select'; value: string; choices: readonly ConfigChoice[] } | { type: 'boolean'; value: boolean }
);

export interface Usage {
  /** Tokens in the context window. */
  used: number;
  /** Tokens that the context window holds; 0 when unknown. */
  size: number;
  cost?: { amount: number; currency: string };
}

export type Update =
  | { type: 'userChunk' | 'agentChunk' | 'thoughtChunk'; messageId?: string; content: ContentBlock }
  /** `isNew` tells `tool_call` from `tool_call_update`; both create what is missing and update what is known. */
  | { type: 'toolCall'; isNew: boolean; call: ToolCallPatch }
  | { type: 'plan'; planId: string; entries: readonly PlanEntry[] }
  | { type: 'planRemoved'; planId: string }
  | { type: 'commands'; commands: readonly AgentCommand[] }
  | { type: 'mode'; modeId: string }
  | { type: 'configOptions'; options: readonly ConfigOption[] }
  /** Absent keeps, `null` clears. */
  | { type: 'sessionInfo'; title?: string | null }
  | { type: 'usage'; usage: Usage }
  | { type: 'notice'; severity: string; title: string; description?: string }
  | { type: 'compaction'; compactionId: string; status: string; summary?: string; append?: boolean; error?: string }
  /** `label` is the agent's own name for it. */
  | { type: 'unknown'; label: string; raw: JsonValue };

export interface PermissionOption {
  optionId: string;
  name: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always` or unknown. */
  kind: string;
}

export interface PermissionRequest {
  call: ToolCallPatch;
  /** Verbatim, in the agent's order; may be empty. */
  options: readonly PermissionOption[];
}

export type PermissionOutcome = { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };
