// npm run breaks [-- TEXT]
//
// Puts one fault of the table after the other into a copy of the project and runs the test that has to notice it. All
// those tests are green without a fault. TEXT is a suite, or part of a promise, file, test or replacement.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { ensurePackages, runQuietly, say } from '../rig/install.mjs';
import { findChromium, root } from '../rig/paths.mjs';
import { atExit } from '../rig/processes.mjs';
import { promises } from './faults.mjs';

const suites = ['unit', 'host', 'ui', 'realAgents'];
const filter = process.argv[2] ?? '';
const chosen = Object.entries(promises).flatMap(([promise, faults]) =>
  faults
    .map(fault => ({ suite: 'unit', ...fault, promise }))
    .filter(({ suite, file, test, replace }) =>
      suites.includes(filter) ? suite === filter : [promise, file, test, replace].some(text => text.includes(filter)),
    ),
);
const started = Date.now();
process.env.CHROMIUM = findChromium() ?? '';

await ensurePackages();
const copy = copyProject();
const misplaced = chosen.filter(fault => countOf(fault) !== 1);
if (misplaced.length) fail(misplaced.map(one => `${one.file} has this ${countOf(one)} times: ${one.find}`).join('\n'));

/** Where each test is, so that only its file is built and loaded afterwards. Only those that are green without a fault. */
const fileOf = new Map();
say(`Running the tests of ${chosen.length} faults without a fault`);
for (const suite of new Set(chosen.map(fault => fault.suite))) {
  const tests = chosen.filter(fault => fault.suite === suite).map(fault => fault.test);
  const { states, output, files } = await runTests(suite, tests);
  for (const [test, file] of files) if (states.get(test) === 'passed') fileOf.set(test, file);
  const bad = tests.filter(test => states.get(test) !== 'passed');
  if (bad.length) console.error(`${output}\nnot green without a fault:\n${bad.join('\n')}`);
}

let promise = '';
let unnoticed = 0;
for (const fault of chosen) {
  if (fault.promise !== promise) console.log(`\n${(promise = fault.promise)}`);
  const verdict = await tryFault(fault);
  const isRed = verdict === 'red';
  if (!isRed) unnoticed++;
  console.log(`  ${isRed ? '✔' : '✖'} ${fault.file}: ${brief(fault.find)} -> ${brief(fault.replace) || '(nothing)'}`);
  console.log(`      ${fault.suite}: ${fault.test}${isRed ? '' : `: ${verdict}`}`);
}
const minutes = ((Date.now() - started) / 60_000).toFixed(1);
console.log(`\n${chosen.length - unnoticed} faults noticed, ${unnoticed} not (${minutes} min)`);
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
function countOf({ file, find }) {
  return readFileSync(path.join(copy, file), 'utf8').split(find).length - 1;
}

/** @param {import('./faults.mjs').Fault & { suite: string }} fault */
async function tryFault({ file, find, replace, suite, test }) {
  if (!fileOf.has(test)) return 'not green without a fault';
  const target = path.join(copy, file);
  const original = readFileSync(target, 'utf8');
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
  const grep = `^(${tests.map(escape).join('|')})$`;
  const name = file && path.relative(path.join(copy, 'out/test', suite), file).replace(/\.m?js$/, '.');
  const isAlone = suite === 'unit' && file && !readFileSync(file, 'utf8').includes('dist/');
  const { ran, output } = await (isAlone ? runAlone(`test/unit/${name}ts`, file, grep) : runSuite(suite, grep, name));
  return {
    states: new Map(ran.map(({ title, state }) => [title, state])),
    files: new Map(ran.map(({ title, file }) => [title, file])),
    output,
  };
}

async function runSuite(suite, grep, name) {
  const results = path.join(copy, 'out', 'results.json');
  rmSync(results, { force: true });
  const args = ['test/rig/test.mjs', suite, '--grep', grep, '--results', results];
  const output = await runQuietly(process.execPath, name ? [...args, '--file', name] : args, copy);
  return { ran: existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [], output };
}

/** The same for one file of unit tests that needs nothing else to be built, in a fraction of the time. */
async function runAlone(source, outfile, grep) {
  const results = path.join(copy, 'out', 'results.jsonl');
  rmSync(results, { force: true });
  process.env.PORTSIDE_RESULTS = results;
  const external = ['mocha', 'esbuild', 'playwright-core', '@vscode/*'];
  const from = { absWorkingDir: copy, entryPoints: [source], mainFields: ['module', 'main'], logLevel: 'silent' };
  try {
    await build({ ...from, outfile, external, bundle: true, platform: 'node', format: 'cjs', sourcemap: 'inline' });
  } catch (error) {
    return { ran: [], output: String(error) };
  }
  const args = [
    'node_modules/mocha/bin/mocha.js',
    '--reporter',
    'test/rig/reporter.cjs',
    '--timeout',
    '20000',
    '--exit',
  ];
  const output = await runQuietly(process.execPath, [...args, '--grep', grep, outfile], copy);
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : [];
  return { ran: lines.map(line => JSON.parse(line)), output };
}

/** Code on one line. */
function brief(text) {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 110 ? `${line.slice(0, 109)}…` : line;
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
