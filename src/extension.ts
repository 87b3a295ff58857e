import * as vscode from 'vscode';
import { TrafficLog } from './acp/traffic';
import { AgentConnector } from './host/agentConnector';
import { AgentEnvironment } from './host/agentEnvironment';
import { AgentList } from './host/agentList';
import { AgentMarks } from './host/agentMarks';
import { AgentSearch, type RegisteredAgent } from './host/agentSearch';
import { Approvals } from './host/approvals';
import { BaseDocuments } from './host/baseDocuments';
import { changeCommands } from './host/changeCommands';
import { Changes } from './host/changes';
import { ChangesView } from './host/changesView';
import { ChatMemory } from './host/chatMemory';
import { ChatView, chatViewId } from './host/chatView';
import { commandTable, registerCommands } from './host/commands';
import { ContextKeys } from './host/contextKeys';
import { Diffs } from './host/diffs';
import { Reporter } from './host/log';
import { ReviewFiles } from './host/reviewFiles';
import { SessionStarter } from './host/sessionStarter';
import { gitSetting } from './host/settings';
import { HostTerminals } from './host/terminals';
import { SignInPrompts } from './host/signInPrompts';
import { TrafficView } from './host/trafficView';
import { ViewModel } from './host/viewModel';
import { viewRequests } from './host/viewRequests';
import { VirtualDocuments } from './host/virtualDocuments';
import { CheckpointFiles } from './node/checkpointFiles';
import { Git } from './node/git';
import { defaultPruneLimits, prune } from './node/gitPrune';
import { GitCheckpointStore } from './node/gitStore';
import { openLedger } from './node/ledger';
import { Sessions } from './session/sessions';

let close: (() => Promise<void>) | undefined;

/** What other extensions can use: `vscode.extensions.getExtension('portside.portside').exports`. */
export interface Api {
  /** Offers an agent until the answer is disposed. */
  registerAgent(agent: RegisteredAgent): vscode.Disposable;
}

export function activate(context: vscode.ExtensionContext): Api | undefined {
  const log = vscode.window.createOutputChannel('Portside', { log: true });
  const reporter = new Reporter(log);
  context.subscriptions.push(log);
  try {
    const started = start(context, reporter);
    close = started.close;
    return started.api;
  } catch (error) {
    reporter.report(error, 'Starting Portside');
    return undefined;
  }
}

export async function deactivate(): Promise<void> {
  await close?.();
}

/** When everything else has started, in ms. */
const pruneDelay = 60_000;

/** Runs a task of housekeeping in a while, unless it is disposed first. */
function later(
  ms: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown, doing: string) => void,
): vscode.Disposable {
  const ended = new AbortController();
  const timer = setTimeout(() => {
    task(ended.signal).catch((error: unknown) => ended.signal.aborted || onError(error, 'Housekeeping'));
  }, ms);
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    ended.abort();
  });
}

/** Builds everything and puts it together; gives what ends it, and what others can use. */
function start(
  context: vscode.ExtensionContext,
  { log, report, logOnly }: Reporter,
): { close: () => Promise<void>; api: Api } {
  const { subscriptions, extensionUri } = context;
  const own = <T extends vscode.Disposable>(item: T): T => (subscriptions.push(item), item);

  const environment = own(new AgentEnvironment(log));
  const search: AgentSearch = own(new AgentSearch(environment, log, () => agents.commands()));
  const agents: AgentList = new AgentList(context, log, search);
  const traffic = new TrafficLog();
  // Loaded with the first agent: the protocol's SDK is not needed before.
  const launcher = () => import('./connect/connectPlan');
  const signIn = new SignInPrompts(context.secrets, (...program) => connector.programOf(...program));
  const connector: AgentConnector = new AgentConnector(
    agents,
    { environment, search, packagesFolder: vscode.Uri.joinPath(context.globalStorageUri, 'packages').fsPath },
    new HostTerminals(),
    traffic,
    log,
    String(context.extension.packageJSON.version),
    signIn,
    launcher,
  );
  const { storageUri } = context;
  const ledger = storageUri && own(openLedger(storageUri.fsPath, line => log.warn(line)));
  const sessions = own(
    new Sessions({
      connect: connector.connect,
      signIn,
      ...(ledger ? { ledger } : {}),
      beforeTurn: (sessionId, turn) => changes.beforeTurn(sessionId, turn),
      log: line => log.info(line),
    }),
  );
  const checkpoints = vscode.Uri.joinPath(context.globalStorageUri, 'checkpoints').fsPath;
  const content = new GitCheckpointStore(new Git(gitSetting()), checkpoints);
  const lists = new CheckpointFiles(checkpoints);
  const changes: Changes = own(
    new Changes(sessions, {
      content,
      lists,
      files: new ReviewFiles(),
      log: logOnly,
    }),
  );
  const restored = sessions.restore().catch((error: unknown) => report(error, 'Restoring the last session'));

  own(later(pruneDelay, signal => prune(content, lists, sessions.current?.id, defaultPruneLimits, signal), logOnly));
  const bases = own(new BaseDocuments(changes));
  own(new AgentMarks(changes, bases));
  const changesView = own(new ChangesView(changes, bases));

  const model = own(new ViewModel(sessions, agents));
  const diffs = own(new Diffs(() => sessions.current?.state.conversation.entries ?? []));
  const outputs = own(new VirtualDocuments('portside-output'));
  const starter = new SessionStarter(sessions, agents, () => chat.focus());
  const requests = viewRequests({ sessions, starter, model, diffs, outputs, changes, changesView });
  const memory = new ChatMemory(sessions, context.workspaceState);
  const chat: ChatView = own(new ChatView({ extensionUri, model, restored, requests, memory, report, logOnly }));
  own(vscode.window.registerWebviewViewProvider(chatViewId, chat));
  const approvals = own(
    new Approvals(sessions, {
      showInChat: entryId => void chat.reveal(entryId),
      showDiff: call => void diffs.openAll(call),
    }),
  );
  own(new ContextKeys(sessions, model, count => chat.setQuestions(count)));
  const traffics = own(new TrafficView(traffic));
  own(
    registerCommands(
      {
        ...commandTable({ sessions, starter, search, chat, approvals, traffic: traffics, log }),
        ...changeCommands(changes, changesView),
      },
      report,
    ),
  );

  // First what is known at once, then what the login shell adds.
  void search.refresh().then(() => environment.complete());
  const api: Api = { registerAgent: agent => search.add(agent) };
  const close = async (): Promise<void> => {
    connector.hurryUp();
    const closed = sessions.closeAll();
    ledger?.dispose();
    await closed;
  };
  return { close, api };
}
