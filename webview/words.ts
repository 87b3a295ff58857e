import type { ErrorAction } from '../src/base/errors';
import type { PhaseName } from '../src/chat/view';

/** Everything that the view says in its own words. Accessible names among them are a contract with tests and users. */
export const words = {
  view: 'Portside',
  feed: 'Conversation',
  you: 'You',
  agent: 'Agent',
  thought: 'Thought',
  thinking: 'Thinking…',
  message: 'Message',
  placeholder: 'Ask anything, or type / for commands',
  placeholderRunning: 'Add a message to the queue',
  send: 'Send',
  stop: 'Stop',
  cancel: 'Cancel',
  jump: 'Jump to latest',
  newSession: 'New session',
  chooseAgent: 'Choose agent',
  noAgent: 'No agent yet',
  queue: 'Queued messages',
  queueHeld: 'Not sent yet. They follow the next message that you send.',
  edit: 'Edit',
  remove: 'Remove',
  save: 'Save',
  commands: 'Commands',
  mode: 'Mode',
  copy: 'Copy',
  insertAtCursor: 'Insert at cursor',
  openDiff: 'Open diff',
  showOutput: 'Show whole output',
  outputClipped: 'Earlier output is left out.',
  output: 'Output',
  raw: 'Raw input and output',
  rawInput: 'Input',
  rawOutput: 'Output',
  loading: 'Loading…',
  nothing: 'Nothing was sent.',
  plan: 'Plan',
  restore: 'Restore files to before this turn',
  newFile: 'new',
  error: 'Error',
  note: 'Note',
  details: 'Details',
  approval: 'Approval',
  approvalNeeded: 'Approval needed',
  approvalFor: 'What it asks to do',
  noOptions: 'The agent offered no answer. Stop the turn to go on.',
  withdrawn: 'The question was withdrawn.',
  emptyTitle: 'Start a conversation',
  emptyText: 'Write a message below. The agent starts with it.',
  untrusted: 'Portside starts no agent in Restricted Mode. Trust this workspace to work with an agent in it.',
  noFolder: 'An agent works in a folder. Open one to start.',
  openFolder: 'Open Folder',
  find: 'Find in conversation',
  findPrevious: 'Previous match',
  findNext: 'Next match',
  findClose: 'Close find',
  dismiss: 'Dismiss',
  noResults: 'No results',
  failedToLoadImage: 'Image could not be shown',
  waitingForApproval: 'Needs approval',
  unknownContent: 'Shown as it came',
  signedIn: 'I have signed in, try again',
  unknownMethod: 'Portside does not know this way to sign in',
} as const;

export const actionLabels: Record<ErrorAction, string> = {
  retry: 'Retry',
  showLog: 'Show log',
  openSettings: 'Open settings',
  openFolder: 'Open folder',
  continue: 'Continue',
  newSession: 'New session',
};

/** What goes on in a phase when the host gives no better words; empty when nothing does. */
export const phaseText: Record<PhaseName, string> = {
  idle: '',
  connecting: 'Starting…',
  ready: '',
  running: 'Working…',
  cancelling: 'Stopping…',
  needsAuth: '',
  disconnected: '',
};

const statuses: Record<string, string> = {
  pending: 'Waiting',
  in_progress: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  ended: 'Ended without a result',
};

export const statusText = (status: string): string => (Object.hasOwn(statuses, status) && statuses[status]) || status;

export const changesTitle = (count: number): string => (count === 1 ? '1 file changed' : `${count} files changed`);

export const skippedText = (count: number): string =>
  `${count} new files were not recorded: there are too many of them.`;

export const moreFilesText = (count: number): string => `and ${count} more`;

export const fileKindText = {
  added: 'new',
  modified: '',
  deleted: 'deleted',
  renamed: '',
} as const;

const planStatuses: Record<string, string> = { pending: 'To do', in_progress: 'In progress', completed: 'Done' };

export const planStatusText = (status: string): string =>
  (Object.hasOwn(planStatuses, status) && planStatuses[status]) || status;

const optionKinds: Record<string, string> = {
  allow_once: 'allows once',
  allow_always: 'allows from now on',
  reject_once: 'rejects once',
  reject_always: 'rejects from now on',
};

/** What an option really does, whatever the agent calls it. */
export const optionKindText = (kind: string): string =>
  (Object.hasOwn(optionKinds, kind) && optionKinds[kind]) || `unknown kind: ${kind}`;

export const seconds = (count: number): string => `${count} s`;
export const lineOf = (line: number): string => `:${line}`;
export const planProgress = (done: number, all: number): string => `${done} of ${all}`;
export const findCount = (index: number, all: number): string => `${index} of ${all}`;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `used` tokens of `size` (0: unknown) and the cost so far. */
export function usageText(usage: { used: number; size: number; cost?: { amount: number; currency: string } }): string {
  const size = usage.size > 0 ? ` of ${compact.format(usage.size)}` : '';
  const cost = usage.cost ? ` · ${usage.cost.amount.toFixed(2)} ${usage.cost.currency}` : '';
  return `${compact.format(usage.used)}${size} tokens${cost}`;
}
