/** Something that holds a resource until it is disposed. Disposing twice is harmless. */
export interface Disposes {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposes {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      dispose();
    },
  };
}

/** Holds disposables and ends them in reverse order. What is added after the end is ended at once. */
export class DisposableStore implements Disposes {
  private readonly items = new Set<Disposes>();
  private ended = false;

  get isDisposed(): boolean {
    return this.ended;
  }

  add<T extends Disposes>(item: T): T {
    if (this.ended) item.dispose();
    else this.items.add(item);
    return item;
  }

  dispose(): void {
    if (this.ended) return;
    this.ended = true;
    const items = [...this.items].reverse();
    this.items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'disposing failed');
  }
}

/** Base of every owner: `register` what must end together with it. */
export abstract class Disposable implements Disposes {
  private readonly store = new DisposableStore();

  protected get isDisposed(): boolean {
    return this.store.isDisposed;
  }

  protected register<T extends Disposes>(item: T): T {
    return this.store.add(item);
  }

  dispose(): void {
    this.store.dispose();
  }
}

export type Event<T> = (listener: (value: T) => void) => Disposes;

/** An event source. A listener that throws does not keep the others from hearing; the error is thrown afterwards. */
export class Emitter<T> implements Disposes {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    const own = (value: T): void => listener(value);
    this.listeners.add(own);
    return toDisposable(() => this.listeners.delete(own));
  };

  fire(value: T): void {
    let failed: { error: unknown } | undefined;
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
  }

  dispose(): void {
    this.listeners.clear();
  }
}
