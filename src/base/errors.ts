/** What the user can do about an expected error, in the order in which the actions are offered. */
export type ErrorAction = 'retry' | 'showLog' | 'openSettings' | 'openFolder' | 'continue' | 'newSession';

/**
 * For `Symbol.hasInstance`: the extension is two bundles (see `esbuild.mjs`), each with classes of its own, so an error
 * that crosses from one to the other is known by its name.
 */
export function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/**
 * An error that is part of normal life: a command that is not found, an agent that dies, a path that is refused.
 * Everything else that is thrown is a bug and is logged with its stack.
 */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError';
  static override [Symbol.hasInstance] = (error: unknown): boolean => isNamed(error, 'ExpectedError');

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
