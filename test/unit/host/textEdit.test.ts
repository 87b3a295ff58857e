import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineEndOf, linesOf, smallestReplacement } from '../../../src/host/textEdit';

describe('text edits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁', 'é') });

  it('turn one text into the other', () => {
    fc.assert(
      fc.property(text, text, text, text, (head, one, other, tail) => {
        const [before, after] = [head + one + tail, head + other + tail];
        const { start, end, text: put } = smallestReplacement(before, after);
        assert.equal(before.slice(0, start) + put + before.slice(end), after);
        assert.ok(start <= end);
        for (const at of [start, end])
          assert.ok(!/^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(before.slice(at - 1, at + 1)));
      }),
    );
  });

  it('touch only what differs', () => {
    assert.deepEqual(smallestReplacement('one two three', 'one 2 three'), { start: 4, end: 7, text: '2' });
    assert.deepEqual(smallestReplacement('same', 'same'), { start: 4, end: 4, text: '' });
    assert.deepEqual(smallestReplacement('a\r\nb', 'a\nb'), { start: 1, end: 3, text: '\n' });
    assert.deepEqual(smallestReplacement('x😀y', 'x😁y'), { start: 1, end: 3, text: '😁' });
  });

  it('know the line end of a text', () => {
    assert.equal(lineEndOf('a\nb\n'), '\n');
    assert.equal(lineEndOf('a\r\nb\r\n'), '\r\n');
    assert.equal(lineEndOf('a\r\nb\nc'), 'mixed');
    assert.equal(lineEndOf('a\rb'), 'mixed');
    assert.equal(lineEndOf('a'), undefined);
  });

  it('give the lines that are asked for, with their ends', () => {
    const lines = 'one\ntwo\r\nthree';
    assert.equal(linesOf(lines), lines);
    assert.equal(linesOf(lines, undefined, 2), 'one\ntwo\r\n');
    assert.equal(linesOf(lines, 2), 'two\r\nthree');
    assert.equal(linesOf(lines, 2, 1), 'two\r\n');
    assert.equal(linesOf(lines, 3, 9), 'three');
    assert.equal(linesOf(lines, 9), '');
    assert.equal(linesOf(lines, 0, 1), 'one\n');
    assert.equal(linesOf(lines, 1, 0), '');
    assert.equal(linesOf('', 1, 5), '');
  });
});
