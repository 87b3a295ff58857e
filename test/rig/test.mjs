// npm test [-- unit|host|ui|realAgents ...] [--grep TEXT] [--vscode 1.106] [--desktop] [--verbose]
//          [--file PART] [--results FILE]
//
// Installs what is missing, builds, runs the suites one after the other and ends with the line `N passed, N failed`.
//   unit        mocha in this Node
//   host        mocha inside a real extension host
//   ui          mocha in this Node, driving the workbench in Chromium, with Portside installed from its .vsix
//   realAgents  mocha in this Node, with agents from npm
// --file builds and runs only the test files that have PART in their path.
// --desktop runs the host tests in a desktop VS Code: VSCODE_EXECUTABLE, or one that is downloaded.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, copySample, ensurePackages, ensureVscode, installPortside, say } from './install.mjs';
import { currentVersion, findChromium, root } from './paths.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    vscode: { type: 'string', default: process.env.PORTSIDE_VSCODE || currentVersion },
    desktop: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    file: { type: 'string', default: '' },
    results: { type: 'string' },
  },
});
process.env.PORTSIDE_VSCODE = values.vscode;
process.env.PORTSIDE_VERBOSE = values.verbose ? '1' : '';

const temp = mkdtempSync(path.join(tmpdir(), 'portside-test-'));
process.on('exit', () => rmSync(temp, { recursive: true, force: true }));

/** @typedef {{ state: 'passed' | 'failed' | 'skipped', title: string, file?: string, ms: number, error?: string }} Result */

const suites = {
  unit: () => runMocha('unit', { timeout: 20_000 }),
  host: runHost,
  ui: runUi,
  realAgents: async () => (missing ? skip('realAgents', missing) : runMocha('realAgents', { timeout: 300_000 })),
};
const chosen = positionals.length ? positionals : Object.keys(suites);
for (const name of chosen)
  if (!(name in suites)) throw new Error(`no suite ${name}: ${Object.keys(suites).join(', ')}`);

await ensurePackages();
const missing = values.desktop ? undefined : await rig();
process.env.CHROMIUM = findChromium() ?? '';
rmSync(path.join(root, 'shots'), { recursive: true, force: true });
await build('--tests', ...(values.file ? ['--only', values.file] : []));

/** @type {Result[]} */
const results = [];
for (const name of chosen) {
  console.log(`\n${name}`);
  const started = Date.now();
  /** @type {Result[]} */
  const ran = await suites[name]().catch(error => [
    report({ state: 'failed', title: `${name}: it did not run`, ms: 0, error: String(error) }),
  ]);
  if (!ran.length && !values.grep && !values.file)
    ran.push(report({ state: 'failed', title: `${name}: no test ran`, ms: 0 }));
  results.push(...ran);
  console.log(`  (${((Date.now() - started) / 1000).toFixed(0)} s)`);
}
if (!results.length) results.push(report({ state: 'failed', title: 'no test ran', ms: 0 }));
if (values.results) writeFileSync(values.results, JSON.stringify(results));

const count = state => results.filter(result => result.state === state).length;
const failed = results.filter(result => result.state === 'failed');
if (failed.length) console.log(`\nFailed:\n${failed.map(({ title }) => `  ${title}`).join('\n')}`);
if (existsSync(path.join(root, 'shots'))) console.log('Screenshots of the failures: shots/');
const skipped = count('skipped') ? `, ${count('skipped')} skipped` : '';
console.log(`\n${count('passed')} passed, ${count('failed')} failed${skipped}`);
process.exitCode = failed.length ? 1 : 0;

/** The rig, or why it cannot be had. In CI nothing is left out silently. */
async function rig() {
  const reason = await ensureVscode({ of: values.vscode, chromium: true });
  if (reason && process.env.CI) throw new Error(`the test rig cannot run: ${reason}`);
  if (reason) say(`The test rig cannot run here: ${reason}`);
  return reason;
}

/** Compiled test files, after the sources: what is left of an earlier build is not run. */
function testFiles(suite) {
  const folder = path.join(root, 'test', suite);
  if (!existsSync(folder)) return [];
  const extension = suite === 'ui' || suite === 'realAgents' ? '.mjs' : '.js';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.test\.tsx?$/.test(file) && file.includes(values.file))
    .sort()
    .map(file => path.join(root, 'out', 'test', suite, file.replace(/\.tsx?$/, extension)));
}

/**
 * @param {string} suite
 * @param {{ timeout: number, retries?: number, env?: Record<string, string>, dryRun?: boolean }} options
 */
async function runMocha(suite, { timeout, retries = 0, env = {}, dryRun = false }) {
  const files = testFiles(suite);
  if (!files.length) return [];
  const mocha = path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const args = [mocha, '--reporter', path.join(import.meta.dirname, 'reporter.cjs'), '--timeout', String(timeout)];
  if (retries) args.push('--retries', String(retries));
  if (values.grep) args.push('--grep', values.grep);
  if (dryRun) args.push('--dry-run');
  return collect(suite, resultsFile => {
    const child = spawn(process.execPath, [...args, ...files], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, PORTSIDE_RESULTS: resultsFile },
    });
    return { ended: new Promise(resolve => child.on('close', resolve)), kill: () => child.kill() };
  });
}

async function runHost() {
  if (!testFiles('host').length) return [];
  const { runTests } = await import('@vscode/test-electron');
  const desktop = values.desktop || missing !== undefined;
  const executable = desktop ? process.env.VSCODE_EXECUTABLE : path.join(import.meta.dirname, 'code.mjs');
  const profile = path.join(temp, 'profile');
  return collect('host', resultsFile => ({
    ended: runTests({
      ...(executable ? { vscodeExecutablePath: executable } : {}),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'out', 'test', 'host', 'index.js'),
      launchArgs: [copySample(temp), `--user-data-dir=${profile}`, `--extensions-dir=${profile}-extensions`],
      extensionTestsEnv: {
        PORTSIDE_RESULTS: resultsFile,
        PORTSIDE_GREP: values.grep ?? '',
        PORTSIDE_FILE: values.file,
      },
    }).catch(error => console.error(String(error))),
    kill: () => process.kill(process.pid, 'SIGINT'),
  }));
}

async function runUi() {
  const reason = values.desktop ? 'it does not drive a desktop VS Code' : missing;
  if (reason) return skip('ui', reason);
  const installed = await installPortside(path.join(root, 'out', 'installed'));
  // Once more for a window that a busy machine drew too late; what fails twice has failed.
  return runMocha('ui', { timeout: 90_000, retries: 1, env: { PORTSIDE_INSTALLED: installed } });
}

/** @returns {Promise<Result[]>} */
async function skip(suite, reason) {
  console.log(`  skipped: ${reason}`);
  return (await runMocha(suite, { timeout: 0, dryRun: true })).map(result => ({ ...result, state: 'skipped' }));
}

/**
 * Prints results as they come. A run that dies is a failure, and so is one that does not end by itself after its last test.
 * @param {string} suite
 * @param {(resultsFile: string) => { ended: Promise<unknown>, kill: () => void }} start
 * @returns {Promise<Result[]>}
 */
async function collect(suite, start) {
  const file = path.join(temp, `${suite}.jsonl`);
  rmSync(file, { force: true });
  mkdirSync(temp, { recursive: true });
  /** @type {Result[]} */
  const ran = [];
  let read = 0;
  let complete = 0;
  const look = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    for (const line of lines.slice(read)) {
      const result = JSON.parse(line);
      if (result.end) complete = Date.now();
      else ran.push(report(result));
    }
    read = lines.length;
  };
  const run = start(file);
  const fail = what => ran.push(report({ state: 'failed', title: `${suite}: ${what}`, ms: 0 }));
  let stuck = false;
  const timer = setInterval(() => {
    look();
    if (stuck || !complete || Date.now() - complete < 30_000) return;
    stuck = true;
    run.kill();
  }, 200);
  await run.ended;
  clearInterval(timer);
  look();
  if (!complete) fail('the run died');
  if (stuck) fail('something was left running, the run did not end after its last test');
  return ran;
}

/**
 * @param {Result} result
 * @returns {Result}
 */
function report(result) {
  const sign = { passed: '✔', failed: '✖', skipped: '-' }[result.state];
  const time = result.ms > 500 ? ` (${(result.ms / 1000).toFixed(1)} s)` : '';
  console.log(`  ${sign} ${result.title}${time}`);
  if (result.error) console.log(result.error.replaceAll(/^/gm, '      '));
  return result;
}
