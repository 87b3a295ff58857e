import assert from 'node:assert/strict';
import fc from 'fast-check';
import { messageOf } from '../../../src/base/errors';
import { memo } from '../../../src/base/memo';
import { sameJson } from '../../../src/base/sameJson';
import { without } from '../../../src/base/without';

describe('values', () => {
  it('are the same when their JSON is, and only then', () => {
    const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(fc.property(fc.jsonValue(), value => sameJson(copy(value), copy(value))));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        let equal = true;
        try {
          assert.deepEqual(copy(a), copy(b));
        } catch {
          equal = false;
        }
        return sameJson(copy(a), copy(b)) === equal;
      }),
    );
    assert.equal(sameJson({ a: undefined }, {}), true);
    assert.equal(sameJson([], {}), false);
  });

  it('are copied without some of their fields', () => {
    const value = { a: 1, b: 2 };
    assert.deepEqual(without(value, 'a'), { b: 2 });
    assert.deepEqual(value, { a: 1, b: 2 });
  });

  it('are made once for each object', () => {
    let made = 0;
    const numbered = memo((_key: object) => ++made);
    const [a, b] = [{}, {}];
    assert.deepEqual([numbered(a), numbered(b), numbered(a)], [1, 2, 1]);
    const nothing = memo((_key: object) => void made++);
    nothing(a);
    nothing(a);
    assert.equal(made, 3);
  });

  it('that were thrown have a text', () => {
    assert.equal(messageOf(new Error('x')), 'x');
    assert.equal(messageOf('y'), 'y');
    assert.equal(messageOf({ z: 1 }), '{"z":1}');
    assert.equal(messageOf(undefined), 'undefined');
  });
});
