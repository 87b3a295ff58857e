import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter, NoiseReport, readFrame } from '../../../src/node/lines';
import { ExpectedError } from '../../../src/base/errors';

function split(bytes: Uint8Array, borders: readonly number[], limit?: number): string[] {
  const splitter = new LineSplitter(limit);
  const lines: string[] = [];
  const sorted = [...borders, bytes.length].map(border => Math.min(border, bytes.length)).sort((a, b) => a - b);
  let start = 0;
  for (const end of sorted) {
    lines.push(...splitter.push(bytes.subarray(start, end)));
    start = end;
  }
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

const lineText = fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => text.replace(/[\r\n]/g, ''));

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n'))),
        fc.array(fc.nat(2000)),
        (lines, borders) => {
          const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''), 'utf8');
          assert.deepEqual(
            split(bytes, borders),
            lines.map(([text]) => text),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('joins a character that is cut at every byte', () => {
    const bytes = Buffer.from('{"a":"é漢🚀"}\n{"b":1}\n', 'utf8');
    assert.deepEqual(split(bytes, [...bytes.keys()]), ['{"a":"é漢🚀"}', '{"b":1}']);
  });

  it('gives a last line without a line end', () => {
    assert.deepEqual(split(Buffer.from('one\ntwo'), [2]), ['one', 'two']);
    assert.deepEqual(split(Buffer.from('one\n'), []), ['one']);
  });

  it('takes a line up to its limit and refuses a longer one with words', () => {
    assert.deepEqual(split(Buffer.from('12345\n12345\n'), [3], 5), ['12345', '12345']);
    assert.throws(
      () => split(Buffer.from('123456\n'), [3], 5),
      (error: unknown) => error instanceof ExpectedError && error.code === 'messageTooLarge',
    );
  });

  it('takes one message of 70 MB', () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.alloc(1e6, 'x');
    for (let count = 0; count < 70; count += 1) assert.deepEqual(splitter.push(chunk), []);
    assert.equal(splitter.push(Buffer.from('\n'))[0]?.length, 70e6);
  });
});

describe('readFrame', () => {
  const message = { jsonrpc: '2.0', id: 1, result: { text: 'x' } };
  const json = JSON.stringify(message);

  for (const [what, line] of Object.entries({
    'a plain message': json,
    'a byte order mark': `\ufeff${json}`,
    'colours before it': `\u001b[0m\u001b[1;32m${json}`,
    'a window title before it': `\u001b]0;agent {1}\u0007${json}`,
    'a title that ends with ST': `\u001b]2;t\u001b\\${json}`,
    'a cleared line and a return': `\u001b[2K\r${json}`,
    'escapes around it': `\u001b[?25l ${json} \u001b[?25h\u001b[0m`,
    'a carriage return after it': `${json}\r`,
    'a saved cursor before it': `\u001b7\u001b(B${json}`,
  })) {
    it(`finds the message with ${what}`, () => assert.deepEqual(readFrame(line), { kind: 'message', message }));
  }

  for (const line of ['hello', '[1,2]', '42', 'null', '"text"', '{"a": broken', `DEBUG got ${json}`, 'true']) {
    it(`takes ${JSON.stringify(line).slice(0, 30)} as noise`, () => {
      assert.deepEqual(readFrame(line), { kind: 'noise', text: line });
    });
  }

  for (const line of ['', '  ', '\r', '\u001b[0m', '\ufeff']) {
    it(`passes over ${JSON.stringify(line)}`, () => assert.deepEqual(readFrame(line), { kind: 'blank' }));
  }

  it('reports only the beginning of long noise', () => {
    const frame = readFrame('x'.repeat(1e6));
    assert.ok(frame.kind === 'noise' && frame.text.length < 2100 && frame.text.includes('1000000'));
  });

  it('never throws, and finds every object behind escape sequences', () => {
    const escape = fc.constantFrom('\u001b[31m', '\u001b[2K', '\u001b]8;;x\u0007', '\r', ' ', '\u001b7', '\u0000');
    fc.assert(
      fc.property(fc.array(escape, { maxLength: 5 }), fc.dictionary(fc.string(), fc.jsonValue()), (before, object) => {
        const text = JSON.stringify(object);
        const frame = readFrame(before.join('') + text);
        assert.deepEqual(frame, { kind: 'message', message: JSON.parse(text) });
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), line => void readFrame(line)));
  });
});

describe('NoiseReport', () => {
  it('reports a little noise line by line and a flood only now and then', () => {
    const reported: string[] = [];
    const report = new NoiseReport(text => reported.push(text));
    for (let count = 0; count < 100_000; count += 1) report.add(`line ${count}`);
    assert.equal(reported[0], 'line 0');
    assert.ok(reported.length < 1000);
    assert.match(reported.at(-1) ?? '', /100000/);
  });
});
