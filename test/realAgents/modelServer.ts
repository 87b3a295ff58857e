import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../src/base/errors';
import { asObject, asString, type JsonObject } from '../../src/base/json';
import { dialects, type Dialect, type Sent } from './dialects';
import { scriptNameIn, type Scripts, type Step } from './script';

export interface ModelServer {
  /** Base address, without a path. */
  url: string;
  /** One line per request, for the message of a test that fails. */
  log: readonly string[];
  close(): Promise<void>;
}

/**
 * A model on loopback that answers by script. The user's prompt names the script with a marker, and the step is the
 * number of tool results after that prompt: so retries, side requests and several agents need no state here.
 */
export async function startModelServer(scripts: Scripts): Promise<ModelServer> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    answer(scripts, request, response).then(
      how => log.push(`${request.method} ${request.url}: ${how}`),
      error => {
        log.push(`${request.method} ${request.url} failed: ${messageOf(error)}`);
        if (response.headersSent) response.destroy();
        else sendJson(response, 400, { error: { type: 'invalid_request_error', message: messageOf(error) } });
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the model server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    log,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers one request and says how. */
async function answer(scripts: Scripts, request: IncomingMessage, response: ServerResponse): Promise<string> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const body = await text(request);
  const dialect = dialects.find(({ path }) => request.method === 'POST' && pathname.endsWith(path));
  if (!dialect) {
    sendJson(response, 404, { error: { type: 'not_found_error', message: `nothing at ${pathname}` } });
    return 'nothing there';
  }
  const asked = asObject(JSON.parse(body)) ?? {};
  const model = asString(asked['model']) ?? '';
  const { step, name } = nextStep(scripts, dialect, asked);
  if (asked['stream'] !== true) sendJson(response, 200, dialect.whole(step.text, model));
  else await stream(response, dialect.answer(step, randomUUID(), model));
  return name;
}

/** A request that asks for something beside the turn (a title, a summary) has no marker or no tools. */
const beside: { step: Step; name: string } = { step: { text: 'Nothing to add.' }, name: 'beside the script' };

function nextStep(scripts: Scripts, dialect: Dialect, request: JsonObject): { step: Step; name: string } {
  const history = dialect.history(request);
  const prompt = history.findLastIndex(item => item !== 'toolResult' && scriptNameIn(item.said) !== undefined);
  const marked = history[prompt];
  const offered = dialect.offered(request);
  if (marked === undefined || marked === 'toolResult' || offered.length === 0) return beside;
  const name = scriptNameIn(marked.said) ?? '';
  const index = history.slice(prompt + 1).filter(item => item === 'toolResult').length;
  const step = scripts[name]?.[index];
  if (!step) throw new Error(`script ${name} has no step ${index}`);
  const tool = step.call && dialect.toolNames[step.call.tool];
  if (tool && !offered.includes(tool)) throw new Error(`the agent does not offer ${tool}, only ${offered.join(', ')}`);
  return { step, name: `${name} ${index}` };
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function stream(response: ServerResponse, events: readonly Sent[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events) {
    if (event) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    await delay(2);
  }
  response.end();
}
