import assert from 'node:assert/strict';
import { DisposableStore, Emitter, toDisposable } from '../../../src/base/lifecycle';

describe('a store of disposables', () => {
  it('ends them once, the last first, and those that come later at once', () => {
    const log: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b']) store.add(toDisposable(() => log.push(name)));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => log.push('late')));
    assert.deepEqual(log, ['b', 'a', 'late']);
  });

  it('ends all of them when one fails, and then says so', () => {
    const log: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => log.push('a')));
    store.add({
      dispose() {
        throw new Error('broken');
      },
    });
    assert.throws(() => store.dispose(), /broken/);
    assert.deepEqual(log, ['a']);
  });
});

describe('an emitter', () => {
  it('tells all listeners, also when one throws, and none that has left', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const leaves = emitter.event(value => heard.push(-value));
    emitter.event(() => {
      throw new Error('listener');
    });
    emitter.event(value => heard.push(value));
    assert.throws(() => emitter.fire(1), /listener/);
    leaves.dispose();
    assert.throws(() => emitter.fire(2), /listener/);
    emitter.dispose();
    emitter.fire(3);
    assert.deepEqual(heard, [-1, 1, 2]);
  });

  it('takes the same function twice as two listeners', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    const listener = (): void => void calls++;
    const first = emitter.event(listener);
    emitter.event(listener);
    first.dispose();
    emitter.fire();
    assert.equal(calls, 1);
  });
});
