import { ConnectionEnded } from '../acp/errors';
import { maskText } from '../acp/secrets';
import type { LaunchPlan } from '../agents/launchPlan';
import { ExpectedError, messageOf, type ErrorAction } from '../base/errors';

const actions: readonly ErrorAction[] = ['retry', 'showLog', 'openSettings'];

interface Place {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  hostRuntime: string;
}

export class MissingFolder extends Error {
  constructor(readonly folder: string) {
    super(`The folder does not exist: ${folder}`);
  }
}

/** The error for a process that did not start. `cause` is what the system said. */
export function spawnFailure(plan: LaunchPlan, place: Place, cause: unknown): ExpectedError {
  const reason = spawnReason(plan, cause);
  return new ExpectedError('spawnFailed', `${plan.name} could not be started: ${reason}`, {
    details: launchDetails(plan, place, codeOf(cause) === 'ENOENT' ? [pathHint(plan, place)] : []),
    actions,
    cause,
  });
}

/** The error for a process that started, but did not become a connection. */
export function handshakeFailure(plan: LaunchPlan, place: Place, cause: unknown, stderr: string): ExpectedError {
  const tail = stderr ? [`Last lines of its error output:\n${lastLines(stderr)}`] : [];
  if (cause instanceof ConnectionEnded) {
    const { exit, message } = cause.end;
    const code = exit ? [`Exit code: ${exit.code ?? `none (${exit.signal})`}`] : [];
    return new ExpectedError('agentExited', `${plan.name} ended before it was ready: ${message}`, {
      details: launchDetails(plan, place, [...code, ...tail]),
      actions,
      cause,
    });
  }
  const expected = cause instanceof ExpectedError;
  const own = expected && cause.options.details ? [cause.options.details] : [];
  return new ExpectedError(expected ? cause.code : 'handshakeFailed', messageOf(cause), {
    details: launchDetails(plan, place, [...own, ...tail]),
    actions,
    cause,
  });
}

function spawnReason(plan: LaunchPlan, cause: unknown): string {
  if (cause instanceof MissingFolder) return `the folder ${cause.folder} does not exist.`;
  switch (codeOf(cause)) {
    case 'ENOENT':
      return `the command "${plan.command}" was not found.`;
    case 'EACCES':
    case 'EPERM':
      return `the command "${plan.command}" may not be executed.`;
    case 'EINVAL':
      return `the system refuses to run "${plan.command}" with these arguments.`;
    default:
      return messageOf(cause);
  }
}

function launchDetails(plan: LaunchPlan, place: Place, more: readonly string[]): string {
  const command = [plan.ownRuntime ? place.hostRuntime : plan.command, ...plan.args].map(quoted).join(' ');
  return maskText([`Command: ${command}`, `Folder: ${plan.cwd ?? place.cwd}`, ...more].join('\n'));
}

function quoted(part: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(part) ? part : JSON.stringify(part);
}

function pathHint(plan: LaunchPlan, place: Place): string {
  const path = plan.env['PATH'] ?? Object.entries(place.env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
  return `PATH: ${path ?? '(not set)'}\nIf the command works in a terminal, put its full path into the setting portside.agents.`;
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-20).join('\n');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
