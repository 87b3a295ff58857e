import { ConnectionEnded, errorCodes, RequestFailed } from '../acp/errors';
import type { AuthMethod } from '../acp/authMethods';
import type { LinkEnd } from '../acp/ports';
import { maskSecrets, maskText } from '../acp/secrets';
import { ExpectedError, messageOf } from '../base/errors';
import { asObject, asString } from '../base/json';
import type { ChatEvent } from '../chat/state';

type ErrorEvent = Extract<ChatEvent, { type: 'error' }>;

/** What the user is told when the agent does not start or opens no session. */
export function connectFailure(agent: string, error: unknown): ErrorEvent {
  if (error instanceof ConnectionEnded) return endFailure(agent, error.end);
  if (error instanceof ExpectedError) {
    const { details, actions = ['retry', 'showLog', 'openSettings'] } = error.options;
    return { type: 'error', code: error.code, message: error.message, actions, ...optional(details) };
  }
  if (error instanceof RequestFailed) {
    const message = `${agent} could not open a session: ${error.message}`;
    return { ...requestFailure(error), code: 'sessionFailed', message };
  }
  return { type: 'error', code: 'internal', message: messageOf(error), actions: ['retry', 'showLog'] };
}

/** What the user is told when the agent answers a prompt with an error. */
export function promptFailure(error: unknown): ErrorEvent {
  if (error instanceof RequestFailed) return requestFailure(error);
  return { type: 'error', code: 'internal', message: messageOf(error), actions: ['retry', 'showLog'] };
}

/** What the user is told when the agent has ended by itself. */
export function endFailure(agent: string, end: LinkEnd): ErrorEvent {
  const exit = end.exit && `Exit code: ${end.exit.code ?? `none (${end.exit.signal})`}`;
  const stderr = end.stderr && `Last lines of its error output:\n${lastLines(end.stderr)}`;
  const message = end.message || `${agent} has ended.`;
  const details = [exit, stderr].filter(Boolean).join('\n');
  return { type: 'error', code: 'agentEnded', message, actions: ['retry', 'showLog'], ...optional(details) };
}

/** What the user is told when the agent wants a sign-in first: the ways that it offers. */
export function authFailure(agent: string, methods: readonly AuthMethod[], error: RequestFailed): ErrorEvent {
  const message = `${agent} needs you to sign in.`;
  const described = methods.flatMap(({ name, description }) => (description ? [`${name}: ${description}`] : []));
  return {
    type: 'error',
    code: 'authRequired',
    message: methods.length > 0 ? message : `${message} Do it with its own program, then go on.`,
    actions: ['retry', 'showLog'],
    ...optional([error.message, ...described].filter(Boolean).join('\n')),
    methods: methods.map(({ id, name, way }) => ({ id, name, understood: way.kind !== 'unknown' })),
  };
}

export function wantsSignIn(error: unknown): error is RequestFailed {
  return error instanceof RequestFailed && error.code === errorCodes.authRequired;
}

/** What goes wrong is told in the words of agents and their services, in which tokens may stand. */
export function withoutSecrets(event: ChatEvent): ChatEvent {
  if (event.type !== 'error' && event.type !== 'note') return event;
  const details = optional(event.details && maskText(event.details));
  return event.type === 'error'
    ? { ...event, message: maskText(event.message), ...details }
    : { ...event, text: maskText(event.text), ...details };
}

function requestFailure(error: RequestFailed): ErrorEvent {
  const message = error.message || `The agent answered with error ${error.code}.`;
  return {
    type: 'error',
    code: 'requestFailed',
    message,
    actions: ['retry', 'showLog'],
    ...optional(dataText(error.data)),
  };
}

function dataText(data: unknown): string | undefined {
  if (data === undefined || data === null) return undefined;
  return asString(data) ?? asString(asObject(data)?.['details']) ?? JSON.stringify(maskSecrets(data), undefined, 2);
}

function optional(details: string | undefined): { details?: string } {
  return details ? { details } : {};
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-20).join('\n');
}
