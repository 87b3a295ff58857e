// npm start [-- --browser]
//
// Opens VS Code with Portside on a copy of the sample project: the local `code` if there is one that is new enough,
// otherwise, or with --browser, a VS Code in the cache folder that is used in a browser. Ctrl-C ends all of it.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build, copySample, ensurePackages, ensureVscode, installPortside, say } from './install.mjs';
import { cache, companion, floorVersion, onPath, root } from './paths.mjs';
import { atExit, atSignal, kill } from './processes.mjs';
import { Server } from './server.mjs';
import { quiet } from './settings.mjs';

const { values } = parseArgs({ options: { browser: { type: 'boolean', default: false } } });
const windows = process.platform === 'win32';
const openChat = { PORTSIDE_OPEN_CHAT: '1' };

await ensurePackages();
const code = values.browser ? undefined : await localCode();
const missing = code ? undefined : await ensureVscode();
if (missing) {
  console.error(`There is no \`code\` of ${floorVersion} or later on the PATH, and a VS Code for the browser`);
  console.error(`cannot be put here: ${missing}.`);
  process.exit(1);
}
await build();
const sample = copySample();
atExit(() => rmSync(path.dirname(sample), { recursive: true, force: true }));
await (code ? openDesktop(code) : serveBrowser());

/** The `code` on the PATH, if it is the desktop's and new enough. */
async function localCode() {
  const command = onPath(windows ? 'code.cmd' : 'code');
  // In a terminal of a remote window, `code` talks to that window and takes no extension under development.
  if (!command || process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  try {
    const quoted = windows ? `"${command}"` : command;
    const { stdout } = await promisify(execFile)(quoted, ['--version'], { timeout: 15_000, shell: windows });
    const [major = 0, minor = 0] = stdout.split('.').map(Number);
    const [floorMajor = 0, floorMinor = 0] = floorVersion.split('.').map(Number);
    if (major > floorMajor || (major === floorMajor && minor >= floorMinor)) return command;
    say(`${command} is ${stdout.split('\n')[0]}, older than ${floorVersion}: using a VS Code in the browser`);
  } catch (error) {
    say(`${command} --version failed (${error.message.split('\n')[0]}): using a VS Code in the browser`);
  }
  return undefined;
}

/**
 * A window of its own, with a profile of its own: the user's settings and windows are left alone.
 * @param {string} command
 */
async function openDesktop(command) {
  const profile = path.join(cache, 'profile');
  const settings = path.join(profile, 'User', 'settings.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  if (!existsSync(settings)) writeFileSync(settings, `${JSON.stringify(quiet, null, 2)}\n`);
  const args = [
    sample,
    ...[`--extensionDevelopmentPath=${root}`, `--extensionDevelopmentPath=${companion}`],
    ...[`--user-data-dir=${profile}`, `--extensions-dir=${path.join(profile, 'extensions')}`],
    ...['--new-window', '--wait', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust'],
  ];
  say(`Opening ${command} with Portside. Close its window or press Ctrl-C to end.`);
  const quote = text => (windows ? `"${text}"` : text);
  const child = spawn(quote(command), args.map(quote), {
    stdio: 'inherit',
    shell: windows,
    env: { ...process.env, ...openChat },
  });
  // `code` starts the window detached from itself; its process id is in the profile.
  atExit(() => {
    const lock = path.join(profile, 'code.lock');
    if (existsSync(lock)) kill(Number(readFileSync(lock, 'utf8')), 'SIGTERM');
    child.kill();
  });
  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', exitCode => resolve(exitCode ?? 1));
  });
  process.exit();
}

async function serveBrowser() {
  const extension = await installPortside(path.join(tmpdir(), `portside-installed-${process.pid}`));
  const installed = path.dirname(path.dirname(extension));
  atExit(() => rmSync(installed, { recursive: true, force: true }));
  const userData = path.join(cache, 'profile-browser');
  const hasSettings = existsSync(path.join(userData, 'data', 'User', 'settings.json'));
  const server = await Server.start({
    ...(hasSettings ? {} : { settings: quiet }),
    userData,
    extensions: [extension, companion],
    env: openChat,
    token: randomBytes(24).toString('base64url'),
  });
  atSignal(() => server.stop());
  console.log(`\nPortside is ready. Open this in a browser (the address is secret, it gives access to this machine):`);
  console.log(`\n  ${server.url(sample)}\n`);
  console.log('Press Ctrl-C to end.');
}
