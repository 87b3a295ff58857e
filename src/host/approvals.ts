import * as vscode from 'vscode';
import { Disposable, DisposableStore, type Disposes } from '../base/lifecycle';
import { titleOf } from '../chat/title';
import { changesOf } from '../chat/toolParts';
import type { ToolCall } from '../chat/state';
import type { PendingPermission } from '../session/permissions';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import { AcceptGuard } from './acceptGuard';
import { approvalRows, type ApprovalRow } from './approvalRows';
import { followCurrent } from './currentSession';

export interface ApprovalActions {
  showInChat(entryId: string): void;
  showDiff(call: ToolCall): void;
}

/**
 * Asks the questions of the agent in quick picks, one after the other. The question stands in the chat as well: what is
 * answered, withdrawn or cancelled there closes its pick, and a pick that is closed leaves its question in the chat.
 */
export class Approvals extends Disposable {
  private session: Session | undefined;
  private open: { requestId: string; pick: Disposes } | undefined;
  private readonly putAside = new Set<string>();

  constructor(
    sessions: Sessions,
    private readonly actions: ApprovalActions,
  ) {
    super();
    this.register(followCurrent(sessions, session => this.follow(session)));
    this.register({ dispose: () => this.close() });
  }

  /** Asks again what was put aside. */
  resume(): void {
    this.putAside.clear();
    this.refresh();
  }

  private follow(session: Session | undefined): Disposes {
    this.session = session;
    this.putAside.clear();
    this.refresh();
    const store = new DisposableStore();
    if (session) {
      store.add(session.onDidAskPermission(() => this.refresh()));
      store.add(session.onDidSettlePermission(() => this.refresh()));
    }
    return store;
  }

  private refresh(): void {
    const pending = this.session?.pendingPermissions() ?? [];
    if (pending.some(({ requestId }) => requestId === this.open?.requestId)) return;
    this.close();
    const next = pending.find(({ requestId }) => !this.putAside.has(requestId));
    if (this.session && next) this.ask(this.session, next);
  }

  private ask(session: Session, question: PendingPermission): void {
    const { requestId, entryId, call } = question;
    const done = (then?: () => void): void => {
      this.putAside.add(requestId);
      this.close();
      then?.();
      this.refresh();
    };
    const pick = showPick(session.state.agent.name, question, {
      choose: optionId => done(() => session.answerPermission(requestId, optionId)),
      showInChat: () => done(() => this.actions.showInChat(entryId)),
      showDiff: () => this.actions.showDiff(call),
      putAside: () => done(),
    });
    this.open = { requestId, pick };
  }

  private close(): void {
    const open = this.open;
    this.open = undefined;
    open?.pick.dispose();
  }
}

interface PickHandlers {
  choose(optionId: string): void;
  showInChat(): void;
  showDiff(): void;
  /** Esc, or another pick took the place. */
  putAside(): void;
}

type RowItem = vscode.QuickPickItem & { row?: ApprovalRow };

/** Shows one question. Disposing closes it without a word to the handlers. */
function showPick(agent: string, { call, requestId, options }: PendingPermission, handlers: PickHandlers): Disposes {
  const subject = call.permissions.find(permission => permission.requestId === requestId)?.subject;
  const { title, rows } = approvalRows({ agent, title: titleOf(call), options, ...(subject ? { subject } : {}) });
  const pick = vscode.window.createQuickPick<RowItem>();
  pick.title = title;
  pick.placeholder = 'Choose by arrow key or mouse. Esc leaves the question in the chat.';
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.items = [...rows.filter(isText).map(itemOf), line, ...rows.filter(row => !isText(row)).map(itemOf)];
  if (changesOf(call).length > 0) pick.buttons = [{ iconPath: new vscode.ThemeIcon('diff'), tooltip: 'Show Diff' }];
  const guard = new AcceptGuard(performance.now());
  let ended = false;
  pick.onDidChangeValue(() => guard.typed(performance.now()));
  let from: RowItem | undefined;
  pick.onDidChangeActive(active => {
    const reached = guard.moved(active.length > 0, pick.value, performance.now());
    const to = reached ? passOver(pick.items, from, active[0]) : undefined;
    from = to;
    if (to === active[0]) return;
    if (to) guard.passedOver(performance.now());
    pick.activeItems = to ? [to] : [];
  });
  pick.onDidAccept(() => {
    const row = pick.activeItems[0]?.row;
    if (!row || !guard.accepts(pick.value, performance.now())) return;
    if (row.type === 'option') handlers.choose(row.optionId);
    if (row.type === 'showInChat') handlers.showInChat();
  });
  pick.onDidTriggerButton(() => handlers.showDiff());
  pick.onDidHide(() => {
    if (!ended) handlers.putAside();
  });
  pick.show();
  pick.activeItems = [];
  return {
    dispose() {
      ended = true;
      pick.dispose();
    },
  };
}

/** Where an arrow key goes: the rows of the command are there to be read, not to be chosen. */
function passOver(items: readonly RowItem[], from: RowItem | undefined, to: RowItem | undefined): RowItem | undefined {
  if (to?.row?.type !== 'text') return to;
  const choices = items.filter(({ row }) => row && !isText(row));
  return from !== undefined && from === choices[0] ? choices.at(-1) : choices[0];
}

const line: RowItem = { label: '', kind: vscode.QuickPickItemKind.Separator };

function isText(row: ApprovalRow): boolean {
  return row.type === 'text';
}

function itemOf(row: ApprovalRow): RowItem {
  if (row.type !== 'option') return { row, label: row.label, alwaysShow: true };
  const { label, description, icon } = row;
  return { row, label, iconPath: new vscode.ThemeIcon(icon), ...(description ? { description } : {}) };
}
