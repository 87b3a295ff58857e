import type { ToolCall } from './state';
import { visibleShort } from './visible';

const titleLimit = 400;

const kindTitles: Record<string, string> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch the mode',
};

/** What a tool call is called: its title on one line, else its name, else its kind, else its id. Never empty, bounded. */
export function titleOf(call: Pick<ToolCall, 'title' | 'name' | 'toolKind' | 'toolCallId'>): string {
  const kind = Object.hasOwn(kindTitles, call.toolKind) ? kindTitles[call.toolKind] : undefined;
  const words = [call.title, call.name, kind, call.toolCallId].find(text => text !== undefined && text.trim() !== '');
  return visibleShort((words ?? 'Tool call').trim(), titleLimit);
}
