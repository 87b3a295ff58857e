// A mocha reporter that adds one JSON line for each test to the file PORTSIDE_RESULTS, and `{"end":true}` at the end: a
// file without that line is of a run that died. `test.mjs` prints them.
const { appendFileSync } = require('node:fs');

module.exports = class {
  constructor(runner) {
    const add = line => appendFileSync(process.env.PORTSIDE_RESULTS, `${JSON.stringify(line)}\n`);
    const record = (state, test, error) =>
      add({ state, title: test.fullTitle(), file: test.file, ms: test.duration ?? 0, error });
    runner.on('pass', test => record('passed', test));
    runner.on('pending', test => record('skipped', test));
    runner.on('fail', (test, error) => record('failed', test, textOf(error)));
    runner.once('end', () => add({ end: true }));
  }
};

function textOf(error) {
  const text = String(error?.stack ?? error);
  const { actual, expected } = error ?? {};
  const compared = actual !== undefined && expected !== undefined && !text.includes('+ actual');
  return compared ? `${text}\n  actual:   ${JSON.stringify(actual)}\n  expected: ${JSON.stringify(expected)}` : text;
}
