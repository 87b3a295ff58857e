import { isNamed } from '../base/errors';
import type { LinkEnd } from './ports';

/** A request that the agent answered with an error. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  static override [Symbol.hasInstance] = (error: unknown): boolean => isNamed(error, 'RequestFailed');

  /**
   * @param code of JSON-RPC, e.g. -32000 (sign-in needed) or -32601 (method not found)
   * @param data whatever the agent added, for details
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A request that will get no answer any more: the process died, the link or the session was closed. */
export class ConnectionEnded extends Error {
  override readonly name = 'ConnectionEnded';
  static override [Symbol.hasInstance] = (error: unknown): boolean => isNamed(error, 'ConnectionEnded');

  constructor(readonly end: LinkEnd) {
    super(end.message);
  }
}

export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  authRequired: -32000,
  resourceNotFound: -32002,
  requestCancelled: -32800,
} as const;
