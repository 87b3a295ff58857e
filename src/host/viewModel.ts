import * as vscode from 'vscode';
import { Disposable, DisposableStore, Emitter } from '../base/lifecycle';
import { projectEntry, projectHead } from '../chat/project';
import type { Conversation, Entry } from '../chat/state';
import type { ViewEntry, ViewHead, ViewState } from '../chat/view';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { AgentList } from './agentList';
import { followCurrent } from './currentSession';
import { blockedReason, folderLabel } from './folders';

/** What the view shows: the current session, or an invitation to start one. */
export class ViewModel extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sessions: Sessions,
    private readonly agents: Pick<AgentList, 'default'>,
  ) {
    super();
    const change = (): void => this.changed.fire();
    this.register(
      followCurrent(sessions, session => {
        change();
        return session?.onDidChange(change) ?? new DisposableStore();
      }),
    );
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(change));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(change));
    this.register(vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration('portside') && change()));
  }

  get state(): ViewState {
    const session = this.sessions.current;
    return session ? stateOf(session) : { head: this.emptyHead(), entries: [] };
  }

  private emptyHead(): ViewHead {
    const { id, name } = this.agents.default();
    return withBlocked({ conversationId: '', agent: { id, name }, phase: 'idle', queue: [], commands: [] });
  }
}

function stateOf(session: Session): ViewState {
  const { conversation, phase, activity, queue, agent, cwd } = session.state;
  const folder = folderLabel(cwd);
  const head = withBlocked({
    conversationId: session.id,
    agent,
    phase,
    queue,
    ...projectHead(conversation),
    ...(activity ? { activity } : {}),
    ...(folder === undefined ? {} : { folder }),
  });
  return { head, entries: projectEntries(conversation.entries, cwd) };
}

function withBlocked(head: ViewHead): ViewHead {
  const blocked = blockedReason();
  return blocked ? { ...head, blocked } : head;
}

const projections = new WeakMap<Conversation['entries'], { cwd: string; entries: readonly ViewEntry[] }>();

/** The same entries give the same list, so that a look at what has changed costs nothing when nothing has. */
function projectEntries(entries: readonly Entry[], cwd: string): readonly ViewEntry[] {
  const known = projections.get(entries);
  if (known?.cwd === cwd) return known.entries;
  const projected = entries.map(entry => projectEntry(entry, { cwd }));
  projections.set(entries, { cwd, entries: projected });
  return projected;
}
