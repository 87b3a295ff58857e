import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { readCustomAgents, type CustomAgent } from '../agents/customAgents';
import type { LaunchPlan } from '../agents/launchPlan';
import { ExpectedError } from '../base/errors';
import { commandRows, visibleShort } from '../chat/visible';
import { agentsSetting, defaultAgentSetting, entryOf } from './settings';

export interface ListedAgent {
  id: string;
  name: string;
  /** The command, for the pick. */
  detail: string;
}

/** Asks whether a command that comes from a workspace may run. */
type Confirm = (plan: LaunchPlan) => Promise<boolean>;

const exampleId = 'example';
const exampleName = 'Example agent';
const confirmedKey = 'portside.confirmedCommands';
const lastUsedKey = 'portside.lastAgent';

/** The agents that the user can choose from, and how each is started. */
export class AgentList {
  constructor(
    private readonly context: Pick<vscode.ExtensionContext, 'asAbsolutePath' | 'workspaceState' | 'globalState'>,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn' | 'info'>,
    private readonly confirm: Confirm = confirmCommand,
  ) {}

  list(): readonly ListedAgent[] {
    const custom = this.customAgents().map(({ id, name, command, args }) => ({
      id,
      name,
      detail: [command, ...args].join(' '),
    }));
    return [
      ...custom,
      { id: exampleId, name: exampleName, detail: 'Shows what an agent can do. Needs no account and no network.' },
    ];
  }

  nameOf(id: string): string {
    return this.list().find(agent => agent.id === id)?.name ?? id;
  }

  /** The agent of a first message: that of the setting, else the last used, else the Example agent. */
  default(): ListedAgent {
    const listed = this.list();
    const find = (id: string | undefined): ListedAgent | undefined => listed.find(agent => agent.id === id);
    const setting = defaultAgentSetting();
    if (setting && !find(setting)) this.log.warn(`portside.defaultAgent names no agent: ${setting}`);
    const last = this.context.globalState.get<string>(lastUsedKey);
    return find(setting) ?? find(last) ?? { id: exampleId, name: exampleName, detail: '' };
  }

  async remember(id: string): Promise<void> {
    await this.context.globalState.update(lastUsedKey, id);
  }

  /**
   * How to start an agent in a folder. Throws when there is none of this id, in an untrusted workspace, and when its
   * command comes from the workspace and the user does not confirm it.
   */
  async planFor(id: string, cwd: string): Promise<LaunchPlan> {
    if (!vscode.workspace.isTrusted)
      throw new ExpectedError('untrusted', 'No agent starts in Restricted Mode: this workspace is not trusted.');
    if (id === exampleId) return this.examplePlan();
    const folder = vscode.Uri.file(cwd);
    const agent = this.customAgents(folder).find(custom => custom.id === id);
    if (!agent)
      throw new ExpectedError('unknownAgent', `There is no agent "${id}" in the settings.`, {
        actions: ['openSettings', 'newSession'],
      });
    const plan = launchPlanOf(agent, cwd);
    if (comesFromWorkspace(id, folder)) await this.confirmOnce(plan);
    return plan;
  }

  private examplePlan(): LaunchPlan {
    const program = this.context.asAbsolutePath(path.join('dist', 'exampleAgent.js'));
    return { agentId: exampleId, name: exampleName, command: '', args: [program], env: {}, ownRuntime: true };
  }

  private customAgents(folder?: vscode.Uri): readonly CustomAgent[] {
    const { agents, problems } = readCustomAgents(agentsSetting(folder).effective, [exampleId]);
    for (const problem of problems) this.log.warn(`portside.agents: ${problem}`);
    return agents;
  }

  private async confirmOnce(plan: LaunchPlan): Promise<void> {
    const confirmed = this.context.workspaceState.get<string[]>(confirmedKey) ?? [];
    const key = contentKey(plan);
    if (confirmed.includes(key)) return;
    if (!(await this.confirm(plan)))
      throw new ExpectedError('notConfirmed', `${plan.name} was not started: its command comes from this workspace.`, {
        actions: ['retry', 'openSettings'],
      });
    await this.context.workspaceState.update(confirmedKey, [...confirmed, key]);
    this.log.info(`The command of ${plan.name}, which comes from this workspace, was confirmed.`);
  }
}

function launchPlanOf(agent: CustomAgent, cwd: string): LaunchPlan {
  const { id, name, command, args, env } = agent;
  return { agentId: id, name, command, args, env, cwd: path.resolve(cwd, agent.cwd ?? '') };
}

/** Whether the workspace has a part in what an agent's entry says: it differs from what the user wrote for all workspaces. */
function comesFromWorkspace(id: string, folder: vscode.Uri): boolean {
  const { effective, user } = agentsSetting(folder);
  return canonical(entryOf(effective, id)) !== canonical(entryOf(user, id));
}

function contentKey(plan: LaunchPlan): string {
  return createHash('sha256').update(canonical(plan)).digest('hex');
}

/** JSON whose text does not depend on the order of the fields. */
function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? '';
}

async function confirmCommand(plan: LaunchPlan): Promise<boolean> {
  const start = 'Start Agent';
  const detail = [
    ...commandRows([plan.command, ...plan.args.map(arg => JSON.stringify(arg))].join(' ')),
    ...Object.entries(plan.env).flatMap(([name, value]) => commandRows(`${name}=${value}`)),
    ...commandRows(`in ${plan.cwd ?? ''}`),
    '',
    'The command comes from the settings of this workspace, not from yours.',
  ].join('\n');
  const question = `Start the agent "${visibleShort(plan.name, 60)}"?`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, start)) === start;
}
