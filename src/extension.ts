import * as vscode from 'vscode';
import { TrafficLog } from './acp/traffic';
import { AgentConnector } from './host/agentConnector';
import { AgentList } from './host/agentList';
import { Approvals } from './host/approvals';
import { ChatMemory } from './host/chatMemory';
import { ChatView } from './host/chatView';
import { registerCommands } from './host/commands';
import { ContextKeys } from './host/contextKeys';
import { Diffs } from './host/diffs';
import { Reporter } from './host/log';
import { SessionStarter } from './host/sessionStarter';
import { TrafficView } from './host/trafficView';
import { ViewModel } from './host/viewModel';
import { viewRequests } from './host/viewRequests';
import { VirtualDocuments } from './host/virtualDocuments';
import { openLedger } from './node/ledger';
import { Sessions } from './session/sessions';

let close: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Portside', { log: true });
  const reporter = new Reporter(log);
  context.subscriptions.push(log);
  try {
    close = start(context, reporter);
  } catch (error) {
    reporter.report(error, 'Starting Portside');
  }
}

export async function deactivate(): Promise<void> {
  await close?.();
}

/** Builds everything and puts it together; gives what ends it. */
function start(context: vscode.ExtensionContext, { log, report, logOnly }: Reporter): () => Promise<void> {
  const { subscriptions, extensionUri } = context;
  const own = <T extends vscode.Disposable>(item: T): T => (subscriptions.push(item), item);

  const agents = new AgentList(context, log);
  const traffic = new TrafficLog();
  // Loaded with the first agent: the protocol's SDK is not needed before.
  const connectAgent: ConstructorParameters<typeof AgentConnector>[4] = async (...start) =>
    (await import('./connect/stdio')).connectAgent(...start);
  const connector = new AgentConnector(
    agents,
    traffic,
    log,
    String(context.extension.packageJSON.version),
    connectAgent,
  );
  const { storageUri } = context;
  const ledger = storageUri && own(openLedger(storageUri.fsPath, line => log.warn(line)));
  const sessions = own(
    new Sessions({ connect: connector.connect, ...(ledger ? { ledger } : {}), log: line => log.info(line) }),
  );
  const restored = sessions.restore().catch((error: unknown) => report(error, 'Restoring the last session'));

  const model = own(new ViewModel(sessions, agents));
  const diffs = own(new Diffs(() => sessions.current?.state.conversation.entries ?? []));
  const outputs = own(new VirtualDocuments('portside-output'));
  const starter = new SessionStarter(sessions, agents, () => chat.focus());
  const requests = viewRequests({ sessions, starter, model, diffs, outputs });
  const memory = new ChatMemory(sessions, context.workspaceState);
  const chat: ChatView = own(new ChatView({ extensionUri, model, restored, requests, memory, report, logOnly }));
  const approvals = own(
    new Approvals(sessions, {
      showInChat: entryId => void chat.reveal(entryId),
      showDiff: call => void diffs.openAll(call),
    }),
  );
  own(new ContextKeys(sessions, model, count => chat.setQuestions(count)));
  own(registerCommands({ sessions, starter, chat, approvals, traffic: own(new TrafficView(traffic)), log }, report));

  return async () => {
    connector.hurryUp();
    const closed = sessions.closeAll();
    ledger?.dispose();
    await closed;
  };
}
