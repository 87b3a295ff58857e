import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TerminalOutput } from '../../../src/node/terminalOutput';

const kept = (limit: number, ...pieces: string[]): [text: string, truncated: boolean] => {
  const output = new TerminalOutput();
  output.keep(limit);
  for (const piece of pieces) output.add(piece);
  return [output.text, output.truncated];
};

describe('TerminalOutput', () => {
  it('cuts from the beginning, at a character', () => {
    assert.deepEqual(kept(5, 'ééééé12'), ['é12', true]);
    assert.deepEqual(kept(4, 'ééééé12'), ['é12', true]);
    assert.deepEqual(kept(0, 'ab'), ['', true]);
    assert.deepEqual(kept(1, 'ab'), ['b', true]);
    assert.deepEqual(kept(1, 'é'), ['', true]);
    assert.deepEqual(kept(3, 'a😀'), ['', true]);
    assert.deepEqual(kept(2, 'ab'), ['ab', false]);
    assert.deepEqual(kept(0), ['', false]);
  });

  it('holds the end of whatever comes, in whatever pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(60), (pieces, limit) => {
        const [text, truncated] = kept(limit, ...pieces);
        const whole = pieces.join('');
        const size = Buffer.byteLength(whole);
        assert.ok(whole.endsWith(text));
        assert.ok(Buffer.byteLength(text) <= limit);
        assert.equal(truncated, size > limit);
        // At most one character of up to four bytes did not fit any more.
        assert.ok(Buffer.byteLength(text) > Math.min(size, limit) - 4);
      }),
    );
  });

  it('can be bounded more narrowly later', () => {
    const output = new TerminalOutput();
    output.add('x'.repeat(100_000));
    output.keep(3);
    assert.deepEqual([output.text, output.truncated], ['xxx', true]);
    output.keep(1000);
    assert.equal(output.truncated, true);
  });
});
