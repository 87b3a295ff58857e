import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExpectedError, type ErrorAction } from '../base/errors';
import { findInConversation } from '../chat/find';
import type { Entry } from '../chat/state';
import { outputOf } from '../chat/toolParts';
import type { RequestHandlers } from '../contract/channel';
import type { HostRequests } from '../contract/messages';
import { isInside, realPathOf } from '../node/paths';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { Changes } from './changes';
import type { ChangesView } from './changesView';
import type { Diffs } from './diffs';
import { diskFolders } from './folders';
import { readLink } from './links';
import { generalActions } from './log';
import type { SessionStarter } from './sessionStarter';
import type { ViewModel } from './viewModel';
import type { VirtualDocuments } from './virtualDocuments';

export interface ViewRequestContext {
  sessions: Sessions;
  starter: SessionStarter;
  model: ViewModel;
  diffs: Diffs;
  outputs: VirtualDocuments;
  changes: Changes;
  changesView: ChangesView;
}

const done: Record<string, never> = {};

/** What the webview may ask for, each answered in a few lines. */
export function viewRequests(context: ViewRequestContext): Omit<RequestHandlers<HostRequests>, 'ready'> {
  const { sessions, starter, model, diffs, outputs, changes, changesView } = context;
  const session = (): Session => {
    if (!sessions.current) throw new ExpectedError('noSession', 'There is no session.');
    return sessions.current;
  };
  const entry = (id: string): Entry => {
    const found = session().state.conversation.entries.find(candidate => candidate.id === id);
    if (!found) throw new ExpectedError('noEntry', 'This part of the conversation is no longer there.');
    return found;
  };
  /** Answers with nothing when the work is done. */
  const doing =
    <P>(work: (params: P) => unknown) =>
    async (params: P): Promise<Record<string, never>> => {
      await work(params);
      return done;
    };
  return {
    prompt: doing(({ text, conversationId }) => {
      // The view is a moment behind: what was written in one conversation is not said in another.
      if (conversationId !== '' && conversationId !== sessions.current?.id)
        throw new ExpectedError('otherConversation', 'Another conversation is shown now. Send the message again.');
      return starter.prompt(text);
    }),
    stop: doing(() => sessions.current?.stop()),
    newSession: doing(() => starter.chooseAgent()),
    chooseAgent: doing(() => starter.chooseAgent()),
    answerPermission: doing(({ requestId, optionId }) => session().answerPermission(requestId, optionId)),
    editQueued: doing(({ id, text }) => session().editQueued(id, text)),
    removeQueued: doing(({ id }) => session().removeQueued(id)),
    setMode: doing(({ modeId }) => session().setMode(modeId)),
    setConfigOption: doing(({ configId, value }) => session().setConfigOption(configId, value)),
    act: doing(({ action }) => act(action, session)),
    signIn: doing(({ methodId }) => session().signIn(methodId)),
    openLocation: doing(({ path: file, line }) => openFile(path.resolve(session().state.cwd, file), line)),
    openDiff: doing(({ entryId, index }) => diffs.open(entry(entryId), index)),
    openChange: doing(({ entryId, index }) => changesView.openOfTurn(entry(entryId).turn, index)),
    restoreTurn: doing(({ entryId }) => changes.restoreTurn(entry(entryId).turn)),
    openLink: doing(({ href }) => openLink(href, sessions.current?.state.cwd ?? diskFolders()[0]?.uri.fsPath ?? '/')),
    rawDetails: ({ entryId }) => rawDetails(entry(entryId)),
    openOutput: doing(({ entryId, index }) => openOutput(entry(entryId), index, outputs)),
    copyText: doing(({ text }) => vscode.env.clipboard.writeText(text)),
    insertAtCursor: doing(({ text }) => insertAtCursor(text)),
    find: ({ query }) => ({ matches: findInConversation(model.state.entries, query) }),
  };
}

/** Not all of it needs a session: *Open Folder* is offered where there can be none. */
function act(action: ErrorAction, session: () => Session): unknown {
  if (action === 'retry') return session().retry();
  if (action === 'continue') return session().continueInterrupted();
  const general = generalActions[action];
  return general && vscode.commands.executeCommand(general.command);
}

async function openLink(href: string, cwd: string): Promise<void> {
  const target = readLink(href, cwd);
  if (target?.kind === 'web') await vscode.env.openExternal(vscode.Uri.parse(target.address, true));
  else if (target) await openFile(target.path, target.line);
  else throw new ExpectedError('linkRefused', 'Only web addresses and files of the workspace can be opened.');
}

/** Only files of the workspace, whatever an agent calls a location: opening some paths has effects. */
async function openFile(file: string, line?: number): Promise<void> {
  const roots = await Promise.all(diskFolders().map(folder => realPathOf(folder.uri.fsPath)));
  const real = await realPathOf(file);
  if (!isInside(real, roots, process.platform))
    throw new ExpectedError('outside', `This file lies outside the workspace: ${file}`);
  const found = await stat(real).catch(() => undefined);
  if (found?.isDirectory()) return void vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(file));
  if (!found?.isFile()) throw new ExpectedError('noFile', `There is no such file: ${file}`);
  const start = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = line === undefined ? {} : { selection: new vscode.Range(start, start) };
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: true, ...selection });
}

function rawDetails(entry: Entry): { input?: string; output?: string } {
  if (entry.kind !== 'tool') return {};
  const { rawInput, rawOutput } = entry;
  return {
    ...(rawInput === undefined ? {} : { input: JSON.stringify(rawInput, null, 2) }),
    ...(rawOutput === undefined ? {} : { output: JSON.stringify(rawOutput, null, 2) }),
  };
}

async function openOutput(entry: Entry, index: number, outputs: VirtualDocuments): Promise<void> {
  const text = outputOf(entry, index);
  if (text === undefined) return;
  const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)/g;
  const uri = outputs.add('/Output.log', text.replace(escapes, ''), entry.id);
  await vscode.window.showTextDocument(uri, { preview: true });
}

/** In place of what is selected in the editor that had the focus last. */
async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new ExpectedError('noEditor', 'Open a file in an editor first.');
  await editor.edit(edit => editor.selections.forEach(selection => edit.replace(selection, text)));
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}
