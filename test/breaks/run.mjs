// npm run breaks [-- TEXT]
//
// Puts one fault of `faults.mjs` after the other into a copy of the project and runs the test that has to notice it. All
// those tests are green without a fault. With TEXT only faults whose file, test or replacement has it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensurePackages, runQuietly, say } from '../rig/install.mjs';
import { root } from '../rig/paths.mjs';
import { atExit } from '../rig/processes.mjs';
import { faults } from './faults.mjs';

const filter = process.argv[2] ?? '';
const chosen = faults.filter(({ file, test, replace }) => [file, test, replace].some(text => text.includes(filter)));

await ensurePackages();
const copy = copyProject();
/** Where each test is, so that only its file is loaded afterwards. */
const fileOf = new Map();
say(`Running the tests of ${chosen.length} faults without a fault`);
for (const suite of new Set(chosen.map(fault => fault.suite))) {
  const tests = chosen.filter(fault => fault.suite === suite).map(fault => fault.test);
  const { states, output, files } = await runTests(suite, tests);
  for (const [test, file] of files) fileOf.set(test, file);
  const bad = tests.filter(test => states.get(test) !== 'passed');
  if (bad.length) fail(`${output}\nnot green without a fault:\n${bad.join('\n')}`);
}
let unnoticed = 0;
for (const fault of chosen) {
  const verdict = await tryFault(fault);
  if (verdict !== 'red') unnoticed++;
  console.log(
    `${verdict === 'red' ? '✔' : '✖'} ${fault.file}: ${fault.find.trim()} -> ${fault.replace.trim() || '(nothing)'}`,
  );
  console.log(`    ${fault.suite}: ${fault.test}${verdict === 'red' ? '' : `: ${verdict}`}`);
}
console.log(`\n${chosen.length - unnoticed} faults noticed, ${unnoticed} not`);
process.exit(unnoticed || !chosen.length ? 1 : 0);

/** What git knows or would add, so also what is not committed yet. */
function copyProject() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portside-breaks-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of list.split('\0').filter(file => file && existsSync(path.join(root, file)))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** @param {import('./faults.mjs').Fault} fault */
async function tryFault({ file, find, replace, suite, test }) {
  const target = path.join(copy, file);
  const original = readFileSync(target, 'utf8');
  const times = original.split(find).length - 1;
  if (times !== 1) return `the text is there ${times} times, not once`;
  writeFileSync(
    target,
    original.replace(find, () => replace),
  );
  try {
    const { states, output } = await runTests(suite, [test], fileOf.get(test));
    if (states.get(test) === 'failed') return 'red';
    return states.has(test) ? 'still green' : `the test did not run\n${output}`;
  } finally {
    writeFileSync(target, original);
  }
}

/**
 * @param {string} suite
 * @param {string[]} tests full titles
 * @param {string} [file] of the tests
 */
async function runTests(suite, tests, file) {
  const escape = text => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const results = path.join(copy, 'out', 'results.json');
  rmSync(results, { force: true });
  const grep = `^(${tests.map(escape).join('|')})$`;
  const args = ['test/rig/test.mjs', suite, '--grep', grep, '--results', results];
  if (file) args.push('--file', path.basename(file).replace(/\.m?js$/, '.'));
  const output = await runQuietly(process.execPath, args, copy);
  const ran = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];
  return {
    states: new Map(ran.map(({ title, state }) => [title, state])),
    files: new Map(ran.map(({ title, file }) => [title, file])),
    output,
  };
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
