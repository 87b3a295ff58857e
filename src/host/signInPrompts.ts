import * as vscode from 'vscode';
import type { SignInProgram } from '../acp/authMethods';
import type { SignInAgent, SignInPort, SignInQuestion } from '../acp/ports';

/** A program as a terminal starts it. */
export interface TerminalProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

type Texts = Record<string, string>;

/** What is kept for one agent: variables of its environment, and the answers to what its methods ask. */
interface Kept {
  variables: Texts;
  answers: Record<string, Texts>;
}

/** Helps users to sign in: with a program in a terminal, and with questions whose answers only SecretStorage keeps. */
export class SignInPrompts implements SignInPort {
  constructor(
    private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly programOf: (agentId: string, cwd: string, signal: AbortSignal) => Promise<TerminalProgram>,
  ) {}

  /** Reach only the process of this agent. */
  async variablesOf(agentId: string): Promise<Readonly<Texts>> {
    return (await this.kept(agentId)).variables;
  }

  async run(
    agent: SignInAgent,
    { command, args, env }: SignInProgram,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const own = await this.programOf(agent.id, agent.cwd, signal);
    return runInTerminal(
      {
        name: `Sign in to ${agent.name}`,
        cwd: own.cwd,
        shellPath: command ?? own.command,
        shellArgs: [...(command === undefined ? own.args : []), ...args],
        env: { ...own.env, ...env },
      },
      signal,
    );
  }

  async ask(
    agent: SignInAgent,
    methodId: string,
    questions: readonly SignInQuestion[],
    asVariables: boolean,
    signal: AbortSignal,
  ): Promise<Texts | undefined> {
    const kept = await this.kept(agent.id);
    const before = asVariables ? kept.variables : (kept.answers[methodId] ?? {});
    const answers: Texts = {};
    for (const question of questions) {
      const answer = await askOne(agent, question, before[question.name], signal);
      if (answer === undefined) return undefined;
      if (answer !== '') answers[question.name] = answer;
    }
    if (asVariables) kept.variables = { ...kept.variables, ...answers };
    else kept.answers[methodId] = answers;
    await this.secrets.store(keyOf(agent.id), JSON.stringify(kept));
    return answers;
  }

  async forget(agent: SignInAgent): Promise<void> {
    await this.secrets.delete(keyOf(agent.id));
  }

  /** What cannot be read is asked for again. */
  private async kept(agentId: string): Promise<Kept> {
    try {
      const found = JSON.parse((await this.secrets.get(keyOf(agentId))) ?? '{}') as Partial<Kept>;
      return { variables: { ...found.variables }, answers: { ...found.answers } };
    } catch {
      return { variables: {}, answers: {} };
    }
  }
}

const keyOf = (agentId: string): string => `portside.signIn.${agentId}`;

async function askOne(
  { name }: SignInAgent,
  { prompt, secret, optional }: SignInQuestion,
  value: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ended = new vscode.CancellationTokenSource();
  const end = (): void => ended.cancel();
  if (signal.aborted) return undefined;
  signal.addEventListener('abort', end, { once: true });
  try {
    const answer = await vscode.window.showInputBox(
      {
        title: `Sign in to ${name}`,
        prompt: optional ? `${prompt} (may be empty)` : prompt,
        value: value ?? '',
        password: secret,
        ignoreFocusOut: true,
        validateInput: text => (optional || text.trim() !== '' ? undefined : 'This is needed to sign in.'),
      },
      ended.token,
    );
    return answer?.trim();
  } finally {
    signal.removeEventListener('abort', end);
    ended.dispose();
  }
}

/** Resolves with the exit code when the terminal is closed; `undefined` when the user closed it. */
function runInTerminal(options: vscode.TerminalOptions, signal: AbortSignal): Promise<number | undefined> {
  signal.throwIfAborted();
  const terminal = vscode.window.createTerminal({
    ...options,
    isTransient: true,
    iconPath: new vscode.ThemeIcon('key'),
  });
  terminal.show();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      closing.dispose();
      terminal.dispose();
      reject(signal.reason as Error);
    };
    const closing = vscode.window.onDidCloseTerminal(closed => {
      if (closed !== terminal) return;
      closing.dispose();
      signal.removeEventListener('abort', stop);
      resolve(closed.exitStatus?.code);
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
