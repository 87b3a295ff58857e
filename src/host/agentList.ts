import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { identify } from '../agents/catalogue';
import { readCustomAgents, type CustomAgent } from '../agents/customAgents';
import { describeOrigins, describeProgram } from '../agents/describe';
import { mergeSources, userAgents, type AgentEntry, type Candidate } from '../agents/detect';
import { planOf, type LaunchPlan } from '../agents/launchPlan';
import type { NpmProgram } from '../agents/program';
import { ExpectedError } from '../base/errors';
import { commandRows, visibleShort } from '../chat/visible';
import type { AgentSearch } from './agentSearch';
import { agentsSetting, defaultAgentSetting, entryOf } from './settings';

export interface ListedAgent {
  id: string;
  name: string;
  /** The command, for the pick. */
  detail: string;
  /** Where it comes from, and what is wrong with it. */
  origin: string;
  /** It can be started as it is, or after an installation by Portside, or only after one by hand: then with this page. */
  ready: boolean;
  page?: string;
}

/** Asks whether a command that comes from a workspace may run, and whether a package may be installed. */
type Confirm = (plan: LaunchPlan) => Promise<boolean>;

const exampleId = 'example';
const exampleName = 'Example agent';
const example: Candidate = {
  id: exampleId,
  name: exampleName,
  program: { kind: 'own' },
  args: [],
  state: { kind: 'ready' },
};
const installKey = 'portside.confirmedPackages';
const confirmedKey = 'portside.confirmedCommands';
const lastUsedKey = 'portside.lastAgent';

/** The agents that the user can choose from, and how each is started. */
export class AgentList {
  constructor(
    private readonly context: Pick<vscode.ExtensionContext, 'asAbsolutePath' | 'workspaceState' | 'globalState'>,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn' | 'info'>,
    private readonly search: Pick<AgentSearch, 'results' | 'found' | 'refresh'>,
    private readonly confirm: Confirm = confirmCommand,
    private readonly confirmInstall: Confirm = confirmPackage,
  ) {}

  list(): readonly ListedAgent[] {
    return this.merged().map(listedAgent);
  }

  /** The same after another look at the machine. */
  async refreshed(): Promise<readonly ListedAgent[]> {
    await this.search.refresh();
    return this.list();
  }

  /** Commands of the user's agents. */
  commands(): readonly string[] {
    return this.customAgents().map(({ command }) => command);
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
    return find(setting) ?? find(last) ?? listedAgent(soleEntry(example));
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
    if (!agent) return this.planForFound(id);
    const plan = launchPlanOf(agent, cwd);
    if (comesFromWorkspace(id, folder)) await this.confirmOnce(plan);
    return plan;
  }

  private async planForFound(id: string): Promise<LaunchPlan> {
    if (this.search.results.length === 0) await this.search.refresh();
    const candidates = this.merged().flatMap(entry => [entry, ...entry.origins.map(({ candidate }) => candidate)]);
    const found = candidates.find(candidate => candidate.id === id);
    if (!found)
      throw new ExpectedError('unknownAgent', `There is no agent "${id}" in the settings or on this machine.`, {
        actions: ['openSettings', 'newSession'],
      });
    const plan = planOf(found);
    if (!plan)
      throw new ExpectedError('notInstalled', `${found.name} is not on this machine: ${describeProgram(found)}`, {
        actions: ['retry', 'newSession'],
      });
    if (plan.npm) await this.installOnce(plan, plan.npm);
    return plan;
  }

  /** All agents, the user's as the settings have them now. */
  private merged(): readonly AgentEntry[] {
    const own = userAgents(this.customAgents(), this.search.found);
    const mine = { source: 'user', agents: own } as const;
    return mergeSources([{ source: 'builtIn', agents: [example] }, mine, ...this.search.results]).agents;
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

  private async installOnce(plan: LaunchPlan, npm: NpmProgram): Promise<void> {
    const key = `${npm.package}@${npm.version}`;
    const confirmed = this.context.globalState.get<string[]>(installKey) ?? [];
    if (confirmed.includes(key)) return;
    if (!(await this.confirmInstall(plan)))
      throw new ExpectedError('notConfirmed', `${plan.name} was not installed.`, { actions: ['retry', 'newSession'] });
    await this.context.globalState.update(installKey, [...confirmed, key]);
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

function listedAgent(entry: AgentEntry): ListedAgent {
  const { id, name, program, state } = entry;
  const detail =
    program.kind === 'own' ? 'Shows what an agent can do. Needs no account and no network.' : describeProgram(entry);
  const page = program.kind === 'instructions' ? { page: program.url } : {};
  return { id, name, detail, origin: describeOrigins(entry), ready: state.kind !== 'notInstalled', ...page };
}

function soleEntry(candidate: Candidate): AgentEntry {
  return { ...candidate, origins: [{ source: 'builtIn', candidate }] };
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

async function confirmPackage({ name, agentId, npm }: LaunchPlan): Promise<boolean> {
  if (!npm) return true;
  const known = identify({ agentId });
  const detail = [
    `Package: ${npm.package} ${npm.version}, from the registry that npm uses`,
    ...(npm.with ?? []).map(extra => `With: ${extra}`),
    ...(npm.megabytes === undefined ? [] : [`Size: about ${npm.megabytes} MB`]),
    ...(known ? [`Licence: ${known.licence}`, known.homePage] : []),
    '',
    'It is installed into a folder of Portside, outside of your project.',
  ].join('\n');
  const install = 'Install';
  const question = `Install "${visibleShort(name, 60)}"?`;
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, install)) === install;
}
