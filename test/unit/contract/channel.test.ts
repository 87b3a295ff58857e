import assert from 'node:assert/strict';
import { Channel } from '../../../src/contract/channel';

interface Requests {
  double: [{ n: number }, { n: number }];
  fail: [Record<string, never>, Record<string, never>];
  never: [Record<string, never>, Record<string, never>];
}
interface Events {
  said: { text: string };
}
type None = Record<string, never>;

/** Both ends, joined as a webview and its host are: every message is a copy, and comes later. */
function pair() {
  const heard: string[] = [];
  const errors: unknown[] = [];
  const copy = (message: unknown): unknown => JSON.parse(JSON.stringify(message));
  const host = new Channel<None, None, Requests, Events>(
    { post: message => setImmediate(() => view.receive(copy(message))) },
    {
      double: ({ n }) => Promise.resolve({ n: n * 2 }),
      fail: () => {
        throw new Error('no way');
      },
      never: () => new Promise<Record<string, never>>(() => {}),
    },
    {
      said: ({ text }) => {
        if (text === 'throw') throw new Error('listener');
        heard.push(text);
      },
    },
    error => errors.push(error),
  );
  const view = new Channel<
    Requests & { unknown: [None, None]; toString: [None, None] },
    Events & { odd: None },
    None,
    None
  >({ post: message => setImmediate(() => host.receive(copy(message))) }, {}, {}, error => errors.push(error));
  return { host, view, heard, errors };
}

describe('a channel', () => {
  it('answers a request with its value', async () => {
    const { view } = pair();
    const answers = await Promise.all([view.request('double', { n: 2 }), view.request('double', { n: 3 })]);
    assert.deepEqual(answers, [{ n: 4 }, { n: 6 }]);
  });

  it('answers a request that fails, or that nobody knows, with an error', async () => {
    const { view, errors } = pair();
    await assert.rejects(view.request('fail', {}), /no way/);
    await assert.rejects(view.request('unknown', {}), /Unknown request: unknown/);
    await assert.rejects(view.request('toString', {}), /Unknown request: toString/);
    assert.equal(errors.length, 3);
  });

  it('brings events, in order, whatever a listener does', async () => {
    const { view, heard, errors } = pair();
    view.send('said', { text: 'a' });
    view.send('said', { text: 'throw' });
    view.send('odd', {});
    view.send('said', { text: 'b' });
    await view.request('double', { n: 1 });
    assert.deepEqual(heard, ['a', 'b']);
    assert.equal(errors.length, 1);
  });

  it('rejects what waits when it is disposed, and what comes later', async () => {
    const { view, host } = pair();
    const waiting = view.request('never', {});
    view.dispose();
    await assert.rejects(waiting, /closed/);
    await assert.rejects(view.request('double', { n: 1 }), /closed/);
    host.dispose();
    host.receive({ type: 'request', id: 1, name: 'double', params: { n: 1 } });
  });

  it('is not troubled by messages that are none of its own', async () => {
    const { view } = pair();
    for (const message of [null, 7, 'x', [], {}, { type: 'answer', id: 99, ok: true }, { type: 'other' }]) {
      view.receive(message);
    }
    assert.deepEqual(await view.request('double', { n: 4 }), { n: 8 });
  });
});
