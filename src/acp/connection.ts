import { client, RequestError, type ClientConnection } from '@agentclientprotocol/sdk';
import { abortable } from '../base/async';
import { ExpectedError } from '../base/errors';
import { asObject, asString, type JsonObject } from '../base/json';
import type { ConfigOption, ContentBlock, Update } from '../chat/update';
import { ConnectionEnded, errorCodes, RequestFailed } from './errors';
import { answerFileRequest } from './fileRequests';
import { readPermission, readUpdate } from './lenient';
import { readConfigOptions, readFacts, readOpened, type AgentFacts, type OpenedSession } from './lenientSession';
import { toWire } from './outgoing';
import type { ClientPorts, Link, LinkEnd, SessionSink, TrafficRecord } from './ports';
import { Route, SessionRoutes } from './sessionRoutes';
import { Tap, type Question } from './tap';
import { answerTerminalRequest, isTerminalMethod } from './terminalRequests';

export type { AgentFacts, OpenedSession } from './lenientSession';

export interface ConnectionOptions {
  clientVersion: string;
  onTraffic?: (record: TrafficRecord) => void;
  log: (line: string) => void;
}

export interface SessionParams {
  /** Absolute. */
  cwd: string;
  /** Sent only to agents that take them. */
  additionalDirectories?: readonly string[];
}

/**
 * One initialized connection to an agent, with any number of sessions. Every request settles: with the result,
 * with `RequestFailed` (the agent's error), or with `ConnectionEnded`. What the agent did not advertise is not sent.
 */
export class AgentConnection {
  readonly ended: Promise<LinkEnd>;
  private agentFacts: AgentFacts = readFacts(undefined);
  private readonly routes = new SessionRoutes();
  private endingTerminals: Promise<unknown> = Promise.resolve();
  private readonly sdk: ClientConnection;

  /**
   * Opens the tap on a link and initializes. Throws `ExpectedError` when the agent answers with an error or with
   * another version of the protocol, `ConnectionEnded` when the link ends first, and the signal's reason.
   */
  static async open(
    link: Link,
    ports: ClientPorts,
    options: ConnectionOptions,
    signal: AbortSignal,
  ): Promise<AgentConnection> {
    const connection = new AgentConnection(link, ports, options);
    await abortable(connection.initialize(), signal);
    return connection;
  }

  private constructor(
    private readonly link: Link,
    private readonly ports: ClientPorts,
    private readonly options: ConnectionOptions,
  ) {
    this.ended = link.ended;
    void link.ended.then(() => this.routes.all().forEach(([, route]) => this.endTerminals(route)));
    const tap = new Tap(link, {
      onUpdate: (sessionId, update) =>
        this.routes.deliver(sessionId, route => this.guard(() => this.update(route, readUpdate(update)))),
      onQuestion: question => this.routes.deliver(question.sessionId, route => this.ask(question, route)),
      onMessage: (direction, message) => this.guard(() => options.onTraffic?.({ at: Date.now(), direction, message })),
      log: options.log,
    });
    // The fallbacks take everything, unparsed: the SDK's own parsers refuse what can be understood.
    this.sdk = client({ name: 'portside' })
      .onRequest('*', ({ method, params, signal }) => this.handle(method, params, signal))
      .onNotification('*', () => {})
      .connect(tap.stream);
    void tap.run();
  }

  get facts(): AgentFacts {
    return this.agentFacts;
  }

  async newSession(params: SessionParams, sink: SessionSink, signal: AbortSignal): Promise<OpenedSession> {
    const finish = this.routes.beginOpening();
    try {
      const result = await this.request('session/new', { ...this.setup(params), mcpServers: [] }, signal);
      const sessionId = asString(asObject(result)?.['sessionId']);
      if (!sessionId) throw new RequestFailed(errorCodes.internal, 'The agent opened a session without an id.', result);
      const route = new Route(sink, params.cwd);
      this.routes.add(sessionId, route);
      return opened(route, readOpened(result, sessionId));
    } finally {
      finish();
    }
  }

  /** The agent replays the whole conversation into `sink` before this resolves. */
  loadSession(
    params: SessionParams & { sessionId: string },
    sink: SessionSink,
    signal: AbortSignal,
  ): Promise<OpenedSession> {
    return this.reopen('session/load', this.facts.loadSession, params, sink, signal);
  }

  resumeSession(
    params: SessionParams & { sessionId: string },
    sink: SessionSink,
    signal: AbortSignal,
  ): Promise<OpenedSession> {
    return this.reopen('session/resume', this.facts.resume, params, sink, signal);
  }

  /** Runs a turn. Every update that came before the agent's answer has been delivered when this settles. */
  async prompt(sessionId: string, content: readonly ContentBlock[]): Promise<{ stopReason: string }> {
    const route = this.routeOf(sessionId);
    if (route.prompts === 0) route.cancelled = false;
    route.prompts += 1;
    try {
      const prompt = toWire(content, this.facts);
      const answer = this.request('session/prompt', { sessionId, prompt });
      answer.catch(() => {});
      const result = await Promise.race([answer, route.forgotten.promise]);
      return { stopReason: asString(asObject(result)?.['stopReason']) ?? 'unknown' };
    } finally {
      route.prompts -= 1;
    }
  }

  /** Stops the turn that runs, once: its open questions, and those still to come, are answered `cancelled`. */
  cancel(sessionId: string): void {
    const route = this.routes.find(sessionId);
    if (!route || route.prompts === 0 || route.cancelled) return;
    route.cancelled = true;
    void this.sdk.agent.notify('session/cancel', { sessionId }).catch(() => {});
    for (const question of route.questions) question.answer({ outcome: 'cancelled' });
  }

  async setMode(sessionId: string, modeId: string): Promise<void> {
    if (!this.routeOf(sessionId).offers.modes) throw unsupported('has no modes');
    await this.request('session/set_mode', { sessionId, modeId });
  }

  /** Gives the complete list of options when the agent answers with one, as it should. */
  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[] | undefined> {
    if (!this.routeOf(sessionId).offers.options) throw unsupported('has no options');
    const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
    const result = await this.request('session/set_config_option', { sessionId, configId, ...typed });
    return readConfigOptions(asObject(result)?.['configOptions']);
  }

  /**
   * Signs in by a method that the agent does itself. There is no limit of time: the user may be at a browser. When the
   * signal aborts the agent is told so (`$/cancel_request`), and this rejects at once with the signal's reason.
   */
  async authenticate(methodId: string, meta: JsonObject | undefined, signal: AbortSignal): Promise<void> {
    const method = this.facts.authMethods.find(({ id }) => id === methodId);
    if (!method || method.way.kind === 'terminal') throw unsupported(`does not sign in by "${methodId}" itself`);
    await this.request('authenticate', { methodId, ...(meta && { _meta: meta }) }, signal);
  }

  async logout(): Promise<void> {
    if (!this.facts.logout) throw unsupported('offers no sign-out');
    await this.request('logout', {});
  }

  /** Forgets the session, settles what waits in it, and tells the agent if it wants to know. */
  async closeSession(sessionId: string): Promise<void> {
    if (!this.forget(sessionId)) return;
    if (this.facts.close) await this.request('session/close', { sessionId });
  }

  /** Closes all sessions and the link. Resolves when the link has ended; may be called again to hurry. */
  async dispose(): Promise<void> {
    for (const [sessionId] of this.routes.all()) this.closeSession(sessionId).catch(() => {});
    await this.link.close();
    this.sdk.close();
    await this.endingTerminals;
  }

  private async initialize(): Promise<void> {
    const answer = this.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'portside', title: 'Portside', version: this.options.clientVersion },
      clientCapabilities: clientCapabilities(this.ports),
    });
    const result = await answer.catch((error: unknown) => {
      if (!(error instanceof RequestFailed)) throw error;
      throw new ExpectedError('initializeFailed', `The agent refused the connection: ${error.message}`, {
        details: JSON.stringify({ code: error.code, data: error.data }),
        actions: ['retry', 'showLog', 'openSettings'],
        cause: error,
      });
    });
    const version = asObject(result)?.['protocolVersion'];
    if (version !== 1) {
      const named = version === undefined ? 'no version' : `version ${JSON.stringify(version)}`;
      throw new ExpectedError(
        'protocolVersion',
        `The agent speaks ${named} of the Agent Client Protocol; Portside speaks version 1.`,
        { actions: ['showLog', 'openSettings'] },
      );
    }
    this.agentFacts = readFacts(result);
  }

  private async reopen(
    method: 'session/load' | 'session/resume',
    offered: boolean,
    params: SessionParams & { sessionId: string },
    sink: SessionSink,
    signal: AbortSignal,
  ): Promise<OpenedSession> {
    const { sessionId } = params;
    if (!offered) throw unsupported('cannot open earlier sessions');
    this.forget(sessionId);
    const route = new Route(sink, params.cwd);
    this.routes.add(sessionId, route);
    try {
      const result = await this.request(method, { sessionId, ...this.setup(params), mcpServers: [] }, signal);
      return opened(route, readOpened(result, sessionId));
    } catch (error) {
      this.forget(sessionId);
      throw error;
    }
  }

  private setup({ cwd, additionalDirectories }: SessionParams): SessionParams {
    const roots = this.facts.additionalDirectories ? additionalDirectories : undefined;
    return roots && roots.length > 0 ? { cwd, additionalDirectories: roots } : { cwd };
  }

  private routeOf(sessionId: string): Route {
    const route = this.routes.find(sessionId);
    if (route) return route;
    throw new ConnectionEnded({ reason: 'closed', message: 'The session is closed.' });
  }

  private forget(sessionId: string): boolean {
    const route = this.routes.remove(sessionId);
    for (const question of route?.questions ?? []) question.answer({ outcome: 'cancelled' });
    route?.forgotten.reject(new ConnectionEnded({ reason: 'closed', message: 'The session was closed.' }));
    if (route) this.endTerminals(route);
    return route !== undefined;
  }

  private endTerminals(route: Route): void {
    this.endingTerminals = Promise.all([this.endingTerminals, route.endTerminals()]);
  }

  private async request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    try {
      signal?.throwIfAborted();
      const options = signal ? { cancellationSignal: signal, stopWaitingOnCancel: true } : {};
      return await this.sdk.agent.request<unknown>(method, params, options);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof RequestError) throw new RequestFailed(error.code, error.message, error.data);
      throw new ConnectionEnded(await this.ended);
    }
  }

  private update(route: Route | undefined, update: Update): void {
    if (!route) return;
    if (update.type === 'configOptions') route.offers.options = true;
    route.sink.update(update);
  }

  private ask(question: Question, route: Route | undefined): void {
    if (!route) return question.refuse(errorCodes.invalidParams, `Unknown session: ${question.sessionId}`);
    if (route.cancelled && route.prompts > 0) return question.answer({ outcome: 'cancelled' });
    const request = readPermission(question.params, `permission-${question.requestId}`);
    route.questions.add(question);
    // `then` at once: a sink that throws is a sink that does not answer.
    void new Promise<string | undefined>(resolve => {
      question.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      route.sink.requestPermission(request, question.signal).then(
        outcome => resolve(outcome.outcome === 'selected' ? outcome.optionId : undefined),
        () => resolve(undefined),
      );
    })
      .catch((error: unknown) => void this.options.log(`A question failed: ${String(error)}`))
      .then(optionId => {
        route.questions.delete(question);
        // Only what was offered may be answered.
        const offered = request.options.some(option => option.optionId === optionId);
        question.answer(
          offered && optionId !== undefined ? { outcome: 'selected', optionId } : { outcome: 'cancelled' },
        );
      });
  }

  private handle(method: string, params: unknown, signal: AbortSignal): unknown {
    const { files, terminals } = this.ports;
    const routeOf = (sessionId: string): Promise<Route | undefined> =>
      new Promise(resolve => this.routes.deliver(sessionId, resolve));
    if (files && (method === 'fs/read_text_file' || method === 'fs/write_text_file')) {
      return answerFileRequest(method, params, files, routeOf, signal, this.options.log);
    }
    if (terminals && isTerminalMethod(method)) {
      return answerTerminalRequest(method, params, terminals, routeOf, signal, this.options.log);
    }
    throw RequestError.methodNotFound(method);
  }

  private guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.options.log(
        `Handling a message failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
}

function opened(route: Route, session: OpenedSession): OpenedSession {
  if (session.modes) route.offers.modes = true;
  if (session.configOptions) route.offers.options = true;
  return session;
}

function unsupported(what: string): ExpectedError {
  return new ExpectedError('unsupported', `This agent ${what}.`);
}

/** What is advertised is what there is a handler for. */
function clientCapabilities(ports: ClientPorts): object {
  return {
    ...(ports.files ? { fs: { readTextFile: true, writeTextFile: true } } : {}),
    ...(ports.terminals ? { terminal: true } : {}),
    ...(ports.signIn ? { auth: { terminal: true, _meta: { gateway: true } } } : {}),
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    _meta: { terminal_output: true, terminal_output_delta: true, ...(ports.signIn ? { 'terminal-auth': true } : {}) },
  };
}
