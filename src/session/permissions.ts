import { Deferred } from '../base/async';
import type { Conversation, ToolCall } from '../chat/state';
import { callsOfPermissions } from '../chat/toolCalls';
import type { PermissionOption, PermissionOutcome, PermissionRequest } from '../chat/update';

/** A question that waits for the user. `call` is what is known of the tool call now. */
export interface PendingPermission {
  requestId: string;
  entryId: string;
  call: ToolCall;
  options: readonly PermissionOption[];
}

export function pendingPermissions(c: Conversation, requestIds: readonly string[]): PendingPermission[] {
  const calls = callsOfPermissions(c, requestIds);
  return requestIds.flatMap(requestId => {
    const call = calls.get(requestId);
    const options = call?.permissions.find(one => one.requestId === requestId)?.options;
    return call && options ? [{ requestId, entryId: call.id, call, options }] : [];
  });
}

export interface PermissionEvents {
  asked(requestId: string, request: PermissionRequest): void;
  /** Without an option it was cancelled. */
  settled(requestId: string, optionId: string | undefined): void;
}

interface Pending {
  request: PermissionRequest;
  answer: Deferred<PermissionOutcome>;
}

const cancelled: PermissionOutcome = { outcome: 'cancelled' };

/**
 * The questions that wait for the user. They fail closed: only an option that was offered is ever an answer, and
 * everything that ends the waiting otherwise is `cancelled`.
 */
export class Permissions {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly events: PermissionEvents) {}

  /** In the order in which they were asked. */
  get requestIds(): readonly string[] {
    return [...this.pending.keys()];
  }

  /** Settles when the question is answered, cancelled, or withdrawn by its signal. */
  async ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    if (signal.aborted) return cancelled;
    const requestId = crypto.randomUUID();
    const answer = new Deferred<PermissionOutcome>();
    const withdraw = (): void => this.settle(requestId, undefined);
    this.pending.set(requestId, { request, answer });
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      this.events.asked(requestId, request);
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** False when the question is not open any more, or did not offer the option. */
  answer(requestId: string, optionId: string): boolean {
    const offered = this.pending.get(requestId)?.request.options.some(option => option.optionId === optionId);
    if (offered) this.settle(requestId, optionId);
    return offered ?? false;
  }

  cancelAll(): void {
    for (const requestId of this.requestIds) this.settle(requestId, undefined);
  }

  private settle(requestId: string, optionId: string | undefined): void {
    const question = this.pending.get(requestId);
    if (!question) return;
    this.pending.delete(requestId);
    question.answer.resolve(optionId === undefined ? cancelled : { outcome: 'selected', optionId });
    this.events.settled(requestId, optionId);
  }
}
