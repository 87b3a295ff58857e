import { RequestError } from '@agentclientprotocol/sdk';
import { abortable } from '../base/async';
import { asNumber, asObject, asString, type JsonObject } from '../base/json';
import { compact, readPositive } from './lenientContent';
import { FileError, type FilePort, type ReadRequest } from './ports';
import type { Route } from './sessionRoutes';

/**
 * Answers `fs/read_text_file` and `fs/write_text_file` (specification page `file-system`). Throws `RequestError` with
 * what the agent is to know; any other error is told without its text, which may name local things.
 */
export async function answerFileRequest(
  method: 'fs/read_text_file' | 'fs/write_text_file',
  params: unknown,
  files: FilePort,
  routeOf: (sessionId: string) => Promise<Route | undefined>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<JsonObject> {
  const request = asObject(params) ?? {};
  const sessionId = asString(request['sessionId']) ?? '';
  const path = asString(request['path']);
  if (!path) throw RequestError.invalidParams(undefined, 'path is missing');
  const route = await routeOf(sessionId);
  if (!route) throw RequestError.invalidParams({ sessionId }, 'unknown session');
  try {
    return await abortable(
      method === 'fs/read_text_file'
        ? read(files, route, path, request, signal)
        : write(files, route, path, request, signal),
      signal,
    );
  } catch (error) {
    throw toRequestError(error, path, signal, log);
  }
}

async function read(
  files: FilePort,
  route: Route,
  path: string,
  request: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const limit = asNumber(request['limit']);
  const wanted: ReadRequest = compact({
    path,
    line: readPositive(request['line']),
    limit: limit !== undefined && limit >= 0 ? Math.floor(limit) : undefined,
  });
  return { content: await files.read(route.cwd, wanted, signal) };
}

async function write(
  files: FilePort,
  route: Route,
  path: string,
  request: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const content = asString(request['content']);
  if (content === undefined) throw RequestError.invalidParams(undefined, 'content is missing');
  const { before } = await files.write(route.cwd, path, content, signal);
  route.sink.fileWritten(compact({ path, before, after: content }));
  return {};
}

function toRequestError(error: unknown, path: string, signal: AbortSignal, log: (line: string) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (signal.aborted) return RequestError.requestCancelled();
  if (error instanceof FileError) {
    switch (error.kind) {
      case 'notFound':
        // The code and the words are what agents look for before they create a file.
        return RequestError.resourceNotFound(path);
      case 'refused':
        return RequestError.invalidParams({ path }, error.message);
      case 'failed':
        return RequestError.internalError({ path }, error.message);
    }
  }
  log(`A file request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return RequestError.internalError({ path });
}
