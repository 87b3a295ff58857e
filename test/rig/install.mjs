// What a fresh clone lacks. Built-ins only: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium, root, version, vscodePaths } from './paths.mjs';

const windows = process.platform === 'win32';

/** @param {string} text */
export const say = text => console.log(`▸ ${text}`);

/**
 * Runs a program in the project's folder, its output shown.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('close', code => resolve(code ?? 1));
  });
}

/**
 * Runs a program.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} all that it printed
 */
export function runQuietly(command, args, cwd) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

/**
 * @param {string} what
 * @param {Promise<number>} code
 */
async function must(what, code) {
  const value = await code;
  if (value !== 0) throw new Error(`${what} failed with exit code ${value}`);
}

/** `npm ci`, unless what is installed is what the lock file says. */
export async function ensurePackages() {
  if (installedAsLocked()) return;
  say('Installing packages');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  await must('npm ci', run(windows ? 'npm.cmd' : 'npm', args, { shell: windows }));
}

function installedAsLocked() {
  const hidden = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const read = file => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = read(hidden);
  return Object.entries(read(path.join(root, 'package-lock.json'))).every(
    ([name, entry]) =>
      name === '' || (entry.optional && !installed[name]) || installed[name]?.version === entry.version,
  );
}

/** Why the rig cannot run on this kind of system, if so. */
export function rigProblem() {
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64') return `it needs Linux x64, this is ${platform} ${arch}`;
  if (!process.report.getReport().header.glibcVersionRuntime) return 'it needs glibc';
  return undefined;
}

/**
 * The rig's VS Code in the cache folder, and Chromium if that is asked for.
 * @param {{ of?: string, chromium?: boolean }} [options]
 * @returns {Promise<string | undefined>} what is missing and cannot be installed by this user
 */
export async function ensureVscode({ of = version, chromium = false } = {}) {
  const problem = rigProblem();
  if (problem) return problem;
  let output = '';
  const args = [path.join(import.meta.dirname, 'setup.sh'), of];
  if (chromium && !findChromium()) args.push('chromium');
  const code = await new Promise((resolve, reject) => {
    const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', chunk => {
      if (!output) say(`Installing VS Code ${of} for tests and trials (once)`);
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 3) return output.trim().split('\n').at(-1);
  if (code !== 0) throw new Error(`test/rig/setup.sh failed with exit code ${code}`);
  return undefined;
}

/** @param {string[]} flags of esbuild.mjs */
export async function build(...flags) {
  say('Building');
  await must('the build', run(process.execPath, ['esbuild.mjs', ...flags]));
}

/**
 * Packages what was built.
 * @param {string} file the .vsix
 */
export async function packageVsix(file) {
  say('Packaging');
  mkdirSync(path.dirname(file), { recursive: true });
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Links of the README stay as they are: there is no repository to point them to.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  const args = [vsce, 'package', ...flags, '--out', file];
  await must('vsce', run(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
}

/**
 * Packages Portside and installs it as a user's VS Code does.
 * @param {string} folder is emptied
 * @returns {Promise<string>} the folder of the installed extension
 */
export async function installPortside(folder) {
  rmSync(folder, { recursive: true, force: true });
  const vsix = path.join(folder, 'portside.vsix');
  await packageVsix(vsix);
  const { node, server } = vscodePaths();
  const extensions = path.join(folder, 'extensions');
  const data = path.join(folder, 'data');
  const args = ['--install-extension', vsix, '--extensions-dir', extensions, '--server-data-dir', data];
  const env = { ...process.env, EXTENSIONS_GALLERY: '{}', NODE_OPTIONS: '' };
  const silent = /** @type {const} */ (['ignore', 'ignore', 'inherit']);
  const code = run(node, [server, '--accept-server-license-terms', ...args], { env, stdio: [...silent] });
  await must('installing the .vsix', code);
  const name = readdirSync(extensions).find(entry => entry.startsWith('portside.portside-'));
  if (!name) throw new Error(`the .vsix was not installed into ${extensions}`);
  return path.join(extensions, name);
}

/**
 * A copy of the sample project.
 * @param {string} [parent] default is a new temporary folder
 * @returns {string}
 */
export function copySample(parent = mkdtempSync(path.join(tmpdir(), 'portside-'))) {
  const folder = path.join(realpathSync(parent), 'sample');
  cpSync(path.join(root, 'test', 'sample'), folder, { recursive: true });
  return folder;
}
