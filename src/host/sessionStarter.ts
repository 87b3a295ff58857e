import * as vscode from 'vscode';
import { ExpectedError } from '../base/errors';
import type { Session } from '../session/session';
import type { Sessions } from '../session/sessions';
import type { AgentList, ListedAgent } from './agentList';
import { blockedReason, chooseFolder } from './folders';
import { saveBeforePrompt } from './saveBeforePrompt';

interface AgentItem extends vscode.QuickPickItem {
  agent?: ListedAgent;
  /** Opens the setting instead. */
  add?: boolean;
}

/** Starts sessions: with the first message, or with an agent that the user picks. */
export class SessionStarter {
  constructor(
    private readonly sessions: Sessions,
    private readonly agents: AgentList,
    private readonly focusChat: () => Promise<void>,
  ) {}

  /** Sends a message, in a new session when there is none. Throws when it was not sent. */
  async prompt(text: string): Promise<void> {
    if (blockedReason() === 'untrusted')
      throw new ExpectedError('untrusted', 'No agent starts in Restricted Mode: this workspace is not trusted.');
    const session = this.sessions.current;
    const start = session ? undefined : { agent: this.agents.default(), cwd: await chooseFolder() };
    await saveBeforePrompt();
    const target = this.sessions.current ?? (start ? this.start(start.agent, start.cwd) : undefined);
    target?.prompt(text);
  }

  /** Asks for an agent and opens a new session with it; the agent itself starts with the first message. */
  async chooseAgent(): Promise<void> {
    const agent = await this.pickAgent();
    if (!agent) return;
    const cwd = await chooseFolder();
    if (!(await this.mayLeave())) return;
    this.start(agent, cwd);
    await this.focusChat();
  }

  private start(agent: ListedAgent, cwd: string): Session {
    void this.agents.remember(agent.id);
    return this.sessions.create({ id: agent.id, name: agent.name }, cwd);
  }

  private async pickAgent(): Promise<ListedAgent | undefined> {
    const chosen = await vscode.window.showQuickPick<AgentItem>(
      this.agents.refreshed().then(agents => this.agentItems(agents)),
      {
        title: 'New Session',
        placeHolder: 'Select an agent',
        matchOnDetail: true,
      },
    );
    if (chosen?.add) await vscode.commands.executeCommand('portside.openSettings');
    if (!chosen?.agent?.page) return chosen?.agent;
    await vscode.env.openExternal(vscode.Uri.parse(chosen.agent.page));
    return undefined;
  }

  private agentItems(agents: readonly ListedAgent[]): AgentItem[] {
    const current = this.sessions.current?.state.agent.id;
    const item = (agent: ListedAgent): AgentItem => ({
      label: agent.page ? `${agent.name} $(link-external)` : agent.name,
      description: [...(agent.id === current ? ['current'] : []), agent.origin].join(' · '),
      detail: agent.detail,
      agent,
    });
    const installable = agents.filter(({ ready }) => !ready);
    const separator = { label: 'Not installed', kind: vscode.QuickPickItemKind.Separator };
    return [
      ...agents.filter(({ ready }) => ready).map(item),
      { label: '$(add) Add Agent…', detail: 'Opens the setting with the agents.', add: true },
      ...(installable.length > 0 ? [separator, ...installable.map(item)] : []),
    ];
  }

  private async mayLeave(): Promise<boolean> {
    const phase = this.sessions.current?.state.phase;
    if (phase !== 'running' && phase !== 'cancelling' && phase !== 'connecting') return true;
    const start = 'Stop and Start New';
    const message = `${this.sessions.current?.state.agent.name ?? 'The agent'} is still working. Stop it and start a new session?`;
    return (await vscode.window.showWarningMessage(message, { modal: true }, start)) === start;
  }
}
