import * as vscode from 'vscode';
import { DisposableStore, type Disposes } from '../base/lifecycle';
import { conversationToMarkdown } from '../chat/markdown';
import type { Sessions } from '../session/sessions';
import type { AgentSearch } from './agentSearch';
import type { Approvals } from './approvals';
import type { ChatView } from './chatView';
import type { SessionStarter } from './sessionStarter';
import type { TrafficView } from './trafficView';

export interface CommandContext {
  sessions: Sessions;
  starter: SessionStarter;
  search: AgentSearch;
  chat: ChatView;
  approvals: Approvals;
  traffic: TrafficView;
  log: vscode.LogOutputChannel;
}

/** What a command does. VS Code gives it arguments where it stands in a menu. */
export type Command = (...args: never[]) => unknown;

/** The commands of the conversation: their ids, and what they do. */
export function commandTable({
  sessions,
  starter,
  search,
  chat,
  approvals,
  traffic,
  log,
}: CommandContext): Record<string, Command> {
  return {
    'portside.newSession': () => starter.chooseAgent(),
    'portside.refreshAgents': () =>
      vscode.window.withProgress({ location: { viewId: 'portside.chat' } }, () => search.refreshAll()),
    'portside.focusChat': () => chat.focus(),
    'portside.stop': () => sessions.current?.stop(),
    'portside.signOut': () => sessions.current?.signOut(),
    'portside.answerPermission': () => approvals.resume(),
    'portside.find': () => chat.openFind(),
    'portside.copyConversation': () =>
      sessions.current && vscode.env.clipboard.writeText(conversationToMarkdown(sessions.current.state.conversation)),
    'portside.showTraffic': () => traffic.show(),
    'portside.saveTraffic': () => traffic.save(),
    'portside.showLog': () => log.show(),
    'portside.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:portside.portside'),
  };
}

export function registerCommands(
  commands: Record<string, Command>,
  report: (error: unknown, doing: string) => void,
): Disposes {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commands)) {
    const handler = async (...args: never[]): Promise<void> => {
      try {
        await run(...args);
      } catch (error) {
        report(error, id);
      }
    };
    store.add(vscode.commands.registerCommand(id, handler));
  }
  return store;
}
