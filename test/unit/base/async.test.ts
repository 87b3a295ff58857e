import assert from 'node:assert/strict';
import { abortable, Deferred, delay, linkedAbort, Sequencer, Throttle } from '../../../src/base/async';

const never = new Promise<never>(() => {});

describe('delay and abortable', () => {
  it('reject with the reason of the signal, before or meanwhile', async () => {
    const reason = new Error('stop');
    await assert.rejects(delay(60_000, AbortSignal.abort(reason)), reason);
    await assert.rejects(abortable(never, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const waiting = [delay(60_000, controller.signal), abortable(never, controller.signal)];
    controller.abort(reason);
    for (const one of waiting) await assert.rejects(one, reason);
  });

  it('settle with the promise when it is first', async () => {
    const { signal } = new AbortController();
    await delay(1, signal);
    assert.equal(await abortable(Promise.resolve(7), signal), 7);
    await assert.rejects(abortable(Promise.reject(new Error('own')), signal), /own/);
  });
});

describe('a deferred', () => {
  it('settles once', async () => {
    const deferred = new Deferred<number>();
    assert.equal(deferred.isSettled, false);
    deferred.resolve(1);
    deferred.resolve(2);
    assert.equal(deferred.isSettled, true);
    assert.equal(await deferred.promise, 1);
  });
});

describe('a linked abort', () => {
  it('follows any of its signals until it is let go', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const linked = linkedAbort(a.signal, b.signal);
    const loose = linkedAbort(b.signal);
    loose.dispose();
    b.abort('why');
    assert.equal(linked.signal.reason, 'why');
    assert.equal(loose.signal.aborted, false);
    assert.equal(linkedAbort(b.signal).signal.aborted, true);
  });
});

describe('a throttle', () => {
  it('runs once for many calls, and never loses the last', async () => {
    let runs = 0;
    const throttle = new Throttle(5, () => runs++);
    for (let call = 0; call < 100; call++) throttle.trigger();
    assert.equal(runs, 0);
    throttle.flush();
    throttle.flush();
    assert.equal(runs, 1);
    throttle.trigger();
    while (runs < 2) await delay(1);
    throttle.trigger();
    throttle.dispose();
    await delay(15);
    assert.equal(runs, 2);
  });
});

describe('the pace of a throttle', () => {
  it('leaves its time between any two runs', async () => {
    const times: number[] = [];
    const throttle = new Throttle(20, () => times.push(performance.now()));
    while (times.length < 6) {
      throttle.trigger();
      await delay(0);
    }
    throttle.dispose();
    // A timer may be early by a part of a millisecond.
    for (const [at, time] of times.slice(1).entries()) assert.ok(time - (times[at] ?? 0) > 18, times.join(' '));
  });
});

describe('a sequencer', () => {
  it('runs tasks one after the other, also after one that fails', async () => {
    const sequence = new Sequencer();
    const log: string[] = [];
    const slow = sequence.run(async () => {
      await delay(5);
      log.push('slow');
    });
    const failing = sequence.run(() => {
      log.push('failing');
      throw new Error('x');
    });
    const last = sequence.run(() => log.push('last'));
    await slow;
    await assert.rejects(failing, /x/);
    await last;
    assert.deepEqual(log, ['slow', 'failing', 'last']);
  });
});
