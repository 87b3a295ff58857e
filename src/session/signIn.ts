import { gatewayMeta, keyMeta, type AuthMethod, type SignInWay } from '../acp/authMethods';
import { ConnectionEnded } from '../acp/errors';
import type { SignInAgent, SignInPort, SignInQuestion } from '../acp/ports';
import { abortable } from '../base/async';
import { messageOf } from '../base/errors';
import type { JsonObject } from '../base/json';
import type { ChatEvent } from '../chat/state';
import type { Activity } from './activity';
import type { SessionConnection } from './ports';

/** Done with a connection before a session is opened on it. */
export type FirstStep = (connection: SessionConnection, signal: AbortSignal) => Promise<void>;

export interface SignInContext {
  agent: SignInAgent;
  port: SignInPort | undefined;
  activity: Activity;
  connection(): SessionConnection | undefined;
  /** What runs was started without what the user is about to give: it is of no use any more. */
  letGo(): void;
  record(event: ChatEvent): void;
  /** The refused request may be sent again; on a new connection after `first`. */
  proceed(first?: FirstStep): void;
}

/** Whether the agent can be signed in to as it runs now. */
export function usesConnection(methods: readonly AuthMethod[]): boolean {
  return methods.some(({ way }) => way.kind === 'agent' || way.kind === 'key' || way.kind === 'gateway');
}

/** Signs in by the method that the user chooses, and lets the session go on. One way at a time is being waited for. */
export class SignIn {
  private methods: readonly AuthMethod[] = [];
  private waiting: AbortController | undefined;

  constructor(private readonly context: SignInContext) {}

  get isWaiting(): boolean {
    return this.waiting !== undefined;
  }

  /** The agent wants a sign-in by one of these. */
  offer(methods: readonly AuthMethod[]): void {
    this.methods = methods;
    if (this.waiting) this.context.activity.signingIn();
  }

  /** Asks the agent anew where the method is not known any more: the choice may be an old one. */
  choose(methodId: string): void {
    this.cancel();
    const { agent, activity, proceed, record } = this.context;
    const method = this.methods.find(({ id }) => id === methodId);
    if (!method) return proceed();
    const waiting = new AbortController();
    this.waiting = waiting;
    const outcome = this.perform(method, waiting.signal);
    activity.signingIn();
    const finish = (next: () => void): void => {
      if (this.waiting !== waiting) return;
      this.over();
      next();
    };
    outcome.then(
      done => finish(() => done && proceed(done.first)),
      (error: unknown) =>
        finish(() => {
          if (error instanceof ConnectionEnded) return;
          record({
            type: 'note',
            severity: 'warning',
            text: `Signing in to ${agent.name} failed: ${messageOf(error)}`,
          });
        }),
    );
  }

  /** Waits no longer. The choice stands. */
  cancel(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.over();
    waiting.abort(new Error('The sign-in was cancelled.'));
  }

  /** Signs out where the agent offers it, and forgets what was kept for it. What it refuses then opens the choice. */
  async signOut(): Promise<void> {
    const { agent, port, record } = this.context;
    await this.context.connection()?.logout();
    await port?.forget(agent);
    record({ type: 'note', severity: 'info', text: `Signed out of ${agent.name}` });
  }

  /** `undefined` when the user gave up. Throws when it failed. */
  private async perform(
    { id, name, way }: AuthMethod,
    signal: AbortSignal,
  ): Promise<{ first?: FirstStep } | undefined> {
    const { agent, port, letGo } = this.context;
    switch (way.kind) {
      case 'agent':
        return this.authenticate(id, undefined, signal);
      case 'terminal': {
        letGo();
        const code = await need(port).run(agent, way.program, signal);
        if (code === undefined) return undefined;
        if (code !== 0) throw new Error(`the program of "${name}" ended with exit code ${code}`);
        return {};
      }
      case 'variables':
      case 'key':
      case 'gateway': {
        const variables = way.kind === 'variables';
        const answers = await need(port).ask(agent, id, questionsOf(way, name), variables, signal);
        if (!answers) return undefined;
        if (!variables) return this.authenticate(id, metaOf(way, answers), signal);
        letGo();
        // Agents that offer this want to be told as well that their variables are meant.
        return { first: (connection, starting) => connection.authenticate(id, undefined, starting) };
      }
      case 'unknown':
        throw new Error(`"${name}" is of a type that Portside does not know (${way.type})`);
    }
  }

  private over(): void {
    this.waiting = undefined;
    this.context.activity.signedIn();
  }

  /** At once where the agent runs, else as soon as it does. */
  private async authenticate(
    id: string,
    meta: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<{ first?: FirstStep }> {
    const connection = this.context.connection();
    if (!connection) return { first: (next, starting) => next.authenticate(id, meta, starting) };
    await abortable(connection.authenticate(id, meta, signal), signal);
    return {};
  }
}

function need(port: SignInPort | undefined): SignInPort {
  if (!port) throw new Error('it cannot be done here');
  return port;
}

function questionsOf(way: SignInWay & { kind: 'variables' | 'key' | 'gateway' }, name: string): SignInQuestion[] {
  switch (way.kind) {
    case 'variables':
      return way.variables.map(variable => ({ ...variable, prompt: variable.label ?? variable.name }));
    case 'key':
      return [{ name: 'key', prompt: name, secret: true, optional: false }];
    case 'gateway':
      return [
        { name: 'baseUrl', prompt: 'Address of the gateway', secret: false, optional: false },
        { name: 'header', prompt: 'Header for it, like "Authorization: Bearer …"', secret: true, optional: true },
      ];
  }
}

function metaOf(way: SignInWay & { kind: 'key' | 'gateway' }, answers: Readonly<Record<string, string>>): JsonObject {
  if (way.kind === 'key') return keyMeta(way, answers['key'] ?? '');
  return gatewayMeta(answers['baseUrl'] ?? '', answers['header'] ?? '');
}
