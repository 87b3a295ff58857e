import { toDisposable, type Disposes } from './lifecycle';

/** A promise that is settled from outside. Its rejection never counts as unhandled. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  private settleWith!: { resolve: (value: T) => void; reject: (error: unknown) => void };
  private done = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.settleWith = { resolve, reject };
    });
    this.promise.catch(() => {});
  }

  get isSettled(): boolean {
    return this.done;
  }

  resolve(value: T): void {
    this.done = true;
    this.settleWith.resolve(value);
  }

  reject(error: unknown): void {
    this.done = true;
    this.settleWith.reject(error);
  }
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Settles with `promise`, or rejects with the signal's reason when it aborts first; the promise itself runs on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Calls `run` at most once in `ms` milliseconds, however often it is asked; the last request is never lost. */
export class Throttle implements Disposes {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = -Infinity;

  constructor(
    private readonly ms: number,
    private readonly run: () => void,
  ) {}

  trigger(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.last + this.ms - performance.now());
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Runs now if a run was asked for. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = performance.now();
    this.run();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** Runs tasks one after the other, in the order in which they came. A failed task does not stop the next. */
export class Sequencer {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T> | T): Promise<T> {
    const next = this.tail.then(task);
    this.tail = next.catch(() => {});
    return next;
  }
}

/** An abort signal that follows any of several; `dispose` lets go of them. */
export function linkedAbort(
  ...signals: AbortSignal[]
): Disposes & { signal: AbortSignal; abort(reason?: unknown): void } {
  const controller = new AbortController();
  const stops = signals.map(signal => {
    const stop = (): void => controller.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return toDisposable(() => signal.removeEventListener('abort', stop));
  });
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    dispose: () => stops.forEach(stop => stop.dispose()),
  };
}
