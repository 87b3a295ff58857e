import type { ErrorAction } from '../base/errors';
import type { Patch, Snapshot } from '../chat/view';

// What the host and the webview say to each other. Requests are answered (value or error) through `channel`;
// events are not.

/**
 * Where the transcript is scrolled to: at the bottom and following, or held at an entry. `offset` is that of the entry, or
 * of one of the blocks of its text, from the top of the view.
 */
export type ScrollPosition = { at: 'bottom' } | { at: 'entry'; id: string; block?: number; offset: number };

export interface ViewMemory {
  draft: string;
  scroll: ScrollPosition;
}

export interface Opening extends Snapshot {
  memory: ViewMemory;
  /** Platform of the keyboard, for shortcuts in hints. */
  mac: boolean;
}

export interface FindMatch {
  entryId: string;
  /** Number of hits in this entry. */
  count: number;
}

/** Requests of the webview to the host: name -> [params, result]. */
export interface HostRequests {
  /** The view is there (again): gives the whole state. */
  ready: [Record<string, never>, Opening];
  /** Refused when another conversation than the one that was shown (`''`: none) has become the current one. */
  prompt: [{ text: string; conversationId: string }, Record<string, never>];
  stop: [Record<string, never>, Record<string, never>];
  newSession: [Record<string, never>, Record<string, never>];
  chooseAgent: [Record<string, never>, Record<string, never>];
  answerPermission: [{ requestId: string; optionId: string }, Record<string, never>];
  editQueued: [{ id: string; text: string }, Record<string, never>];
  removeQueued: [{ id: string }, Record<string, never>];
  setMode: [{ modeId: string }, Record<string, never>];
  setConfigOption: [{ configId: string; value: string | boolean }, Record<string, never>];
  /** An action of an error or note entry. */
  act: [{ entryId: string; action: ErrorAction }, Record<string, never>];
  /** Signs in by one of the methods that an error entry offers. */
  signIn: [{ methodId: string }, Record<string, never>];
  openLocation: [{ path: string; line?: number }, Record<string, never>];
  openDiff: [{ entryId: string; index: number }, Record<string, never>];
  /** The difference that a turn made to one of the files of its list. */
  openChange: [{ entryId: string; index: number }, Record<string, never>];
  /** Files become what they were before the turn of an entry. */
  restoreTurn: [{ entryId: string }, Record<string, never>];
  /** `http(s)` goes to the browser, a workspace file to the editor, everything else is refused. */
  openLink: [{ href: string }, Record<string, never>];
  /** Raw input and output of a tool call, as indented JSON. */
  rawDetails: [{ entryId: string }, { input?: string; output?: string }];
  /** Opens the whole text of a clipped output in an editor. */
  openOutput: [{ entryId: string; index: number }, Record<string, never>];
  copyText: [{ text: string }, Record<string, never>];
  insertAtCursor: [{ text: string }, Record<string, never>];
  /** Searches the whole conversation, drawn or not. Matching is case-insensitive and literal. */
  find: [{ query: string }, { matches: readonly FindMatch[] }];
}

/** Events of the webview to the host: name -> data. */
export interface HostEvents {
  remember: ViewMemory;
  /** The keyboard came into the page, or left it: VS Code does not know it of a webview view. */
  focus: { focused: boolean };
  /** A script error in the webview, for the log. */
  failed: { message: string };
}

/** Events of the host to the webview: name -> data. */
export interface ViewEvents {
  /** Another conversation, or a resync. */
  snapshot: Snapshot;
  patch: Patch;
  /** Put the cursor into the message box, with text added if given. */
  focusComposer: { insert?: string };
  /** Open (or focus) the find box. */
  openFind: Record<string, never>;
  /** Scroll to an entry and show it, e.g. a question that is waiting. */
  reveal: { entryId: string };
}
