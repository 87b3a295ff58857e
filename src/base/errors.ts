/** What the user can do about an expected error, in the order in which the actions are offered. */
export type ErrorAction = 'retry' | 'showLog' | 'openSettings' | 'openFolder' | 'continue' | 'newSession';

/**
 * An error that is part of normal life: a command that is not found, an agent that dies, a path that is refused.
 * Everything else that is thrown is a bug and is logged with its stack.
 */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError';

  /**
   * @param code a stable word for tests and switches, e.g. `spawnFailed`
   * @param message one sentence for the user
   * @param details lines that help to find the reason (command, folder, exit code, last stderr lines)
   */
  constructor(
    readonly code: string,
    message: string,
    readonly options: { details?: string; actions?: readonly ErrorAction[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
}
