import { identify } from './catalogue';

/** In what an agent differs from the rest, as far as a client has to know. All absent: nothing special. */
export interface Quirks {
  /** What a read of a missing file answers in place of an error. */
  missingFileAnswer?: '';
  /** Mode in which it asks before it acts. */
  askingMode?: string;
  /** Mode in which it asks nothing. */
  autoApproveMode?: string;
  /** What it does with MCP servers of kind stdio that the client names. */
  stdioMcp?: 'refused' | 'ignored';
  /** It offers `session/load`, and the call loses the session. */
  loadBroken?: true;
  /** How it leaves after the end of its input. */
  leaving?: 'slowly' | 'onTerminate' | 'onKill';
  /** `terminal/create` holds a whole shell line in `command`. */
  shellLineCommand?: true;
  /** Sends `fs/write_text_file` although nothing was offered. */
  writesUnasked?: true;
  /** Says a change of mode as message text with this beginning. */
  modeUpdateText?: string;
  /** An empty prompt wedges the session for ever. */
  emptyPromptWedges?: true;
  /** A later `tool_call` may set a finished status back. */
  statusGoesBack?: true;
  /** A line that is no JSON on its input ends it. */
  diesOnNoise?: true;
}

const table: Readonly<Record<string, Quirks>> = {
  claude: { askingMode: 'default', autoApproveMode: 'bypassPermissions' },
  codex: { askingMode: 'read-only', autoApproveMode: 'agent-full-access', leaving: 'slowly' },
  gemini: {
    missingFileAnswer: '',
    askingMode: 'default',
    autoApproveMode: 'yolo',
    loadBroken: true,
    leaving: 'onKill',
    modeUpdateText: '[MODE_UPDATE] ',
    emptyPromptWedges: true,
  },
  qwen: { askingMode: 'default', autoApproveMode: 'yolo' },
  opencode: { writesUnasked: true },
  kilo: { writesUnasked: true },
  copilot: { stdioMcp: 'refused' },
  cline: { stdioMcp: 'ignored', statusGoesBack: true, leaving: 'slowly' },
  pi: { stdioMcp: 'ignored' },
  nanocoder: { stdioMcp: 'ignored', diesOnNoise: true, autoApproveMode: 'auto-accept' },
  droid: { stdioMcp: 'ignored', shellLineCommand: true },
  qoder: { leaving: 'onKill' },
};

/**
 * The quirks of the agent behind a launch: by its id in the catalogue or the registry, else by its command or package,
 * so that an agent of the user's own making under another name has them too. An empty object for a stranger.
 */
export function quirksOf(launch: { agentId?: string; command?: string; args?: readonly string[] }): Quirks {
  const agent = identify(launch);
  return (agent && table[agent.id]) ?? {};
}
