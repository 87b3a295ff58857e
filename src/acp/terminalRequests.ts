import { RequestError } from '@agentclientprotocol/sdk';
import { abortable } from '../base/async';
import { ExpectedError } from '../base/errors';
import { asArray, asNumber, asObject, asString, type JsonObject } from '../base/json';
import { compact } from './lenientContent';
import type { Terminal, TerminalExit, TerminalPort, TerminalRequest } from './ports';
import type { Route } from './sessionRoutes';

const methods = ['create', 'output', 'wait_for_exit', 'kill', 'release'] as const;

export type TerminalMethod = `terminal/${(typeof methods)[number]}`;

export function isTerminalMethod(method: string): method is TerminalMethod {
  return methods.some(name => method === `terminal/${name}`);
}

/**
 * Answers `terminal/*` (specification page `terminals`). A terminal belongs to the session that created it. Throws
 * `RequestError` with what the agent is to know; any other error is told without its text.
 */
export async function answerTerminalRequest(
  method: TerminalMethod,
  params: unknown,
  port: TerminalPort,
  routeOf: (sessionId: string) => Promise<Route | undefined>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<JsonObject> {
  const request = asObject(params) ?? {};
  const sessionId = asString(request['sessionId']) ?? '';
  const route = await routeOf(sessionId);
  if (!route) throw RequestError.invalidParams({ sessionId }, 'unknown session');
  try {
    if (method === 'terminal/create') return { terminalId: await create(port, route, readRequest(request), signal) };
    const id = asString(request['terminalId']) ?? '';
    const terminal = route.terminals?.get(id);
    if (!terminal) throw RequestError.resourceNotFound(id);
    if (method === 'terminal/release') route.terminals?.delete(id);
    return await abortable(answer(method, terminal), signal);
  } catch (error) {
    throw toRequestError(error, signal, log);
  }
}

async function create(
  port: TerminalPort,
  route: Route,
  request: TerminalRequest,
  signal: AbortSignal,
): Promise<string> {
  const terminal = await port.create(route.cwd, request);
  if (signal.aborted || !route.terminals) {
    void terminal.release();
    throw RequestError.requestCancelled();
  }
  route.terminals.set(terminal.id, terminal);
  route.sink.terminalCreated(terminal);
  return terminal.id;
}

async function answer(method: Exclude<TerminalMethod, 'terminal/create'>, terminal: Terminal): Promise<JsonObject> {
  switch (method) {
    case 'terminal/output': {
      const { output, truncated, exit } = terminal.output();
      return { output, truncated, ...(exit ? { exitStatus: toWire(exit) } : {}) };
    }
    case 'terminal/wait_for_exit':
      return toWire(await terminal.exited);
    case 'terminal/kill':
      await terminal.kill();
      return {};
    case 'terminal/release':
      await terminal.release();
      return {};
  }
}

function readRequest(request: JsonObject): TerminalRequest {
  const command = asString(request['command']);
  if (!command?.trim()) throw RequestError.invalidParams(undefined, 'command is missing');
  const limit = asNumber(request['outputByteLimit']);
  return compact({
    command,
    args: (asArray(request['args']) ?? []).flatMap(argument => asString(argument) ?? []),
    env: Object.fromEntries((asArray(request['env']) ?? []).flatMap(readVariable)),
    cwd: asString(request['cwd']),
    outputByteLimit: limit !== undefined && limit >= 0 ? Math.floor(limit) : undefined,
  });
}

function readVariable(raw: unknown): [name: string, value: string][] {
  const name = asString(asObject(raw)?.['name']);
  const value = asString(asObject(raw)?.['value']);
  return name && value !== undefined ? [[name, value]] : [];
}

function toWire({ exitCode, signal }: TerminalExit): JsonObject {
  return { exitCode: exitCode ?? null, signal: signal ?? null };
}

function toRequestError(error: unknown, signal: AbortSignal, log: (line: string) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (signal.aborted) return RequestError.requestCancelled();
  if (error instanceof ExpectedError) return RequestError.invalidParams(undefined, error.message);
  log(`A terminal request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return RequestError.internalError();
}
