import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root, vscodePaths } from './paths.mjs';
import { atExit, kill, killMarked, marked, markWith } from './processes.mjs';

const { configuration } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).contributes;
const machineSettings = new Set(
  Object.entries(configuration.properties).flatMap(([key, { scope }]) => (scope?.startsWith('machine') ? [key] : [])),
);

/**
 * @typedef {object} ServerOptions
 * @property {string} [version] which VS Code; default is that of this run
 * @property {string} [userData] keeps settings, storage and logs; default is a temporary folder
 * @property {Record<string, unknown>} [settings] the user's settings, if they shall be replaced
 * @property {string[]} [extensions] folders of extensions to have installed
 * @property {boolean} [trust] asks for workspace trust
 * @property {string} [token] what the URL must carry. Without one any web page could reach a shell: only for tests.
 * @property {Record<string, string>} [env] goes to the extension host
 */

/** A VS Code server on a free port of 127.0.0.1. It ends with this process, however that ends. */
export class Server {
  /** @type {import('node:child_process').ChildProcess} */ #child;
  #mark = randomUUID();
  #output = '';
  #forget = () => {};
  /** Short, since sockets lie in it. */
  #temp = mkdtempSync(path.join(tmpdir(), 'ps-'));

  /**
   * @param {ServerOptions} options
   * @returns {Promise<Server>}
   */
  static async start(options) {
    const server = new Server(options);
    await server.#listening();
    return server;
  }

  /** @param {ServerOptions} options */
  constructor(options) {
    this.token = options.token;
    this.userData = options.userData ?? path.join(this.#temp, 'data');
    this.port = 0;
    if (options.settings) this.writeSettings(options.settings);
    const extensions = path.join(this.#temp, 'extensions');
    mkdirSync(extensions);
    for (const folder of options.extensions ?? []) {
      const { publisher, name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      cpSync(folder, path.join(extensions, `${publisher}.${name}-${version}`), { recursive: true });
    }
    const { node, server } = vscodePaths(options.version);
    const args = [server, ...this.#arguments(options), '--extensions-dir', extensions];
    // setpriv: the server ends even when this process is killed outright.
    this.#child = spawn('setpriv', ['--pdeathsig', 'TERM', node, ...args], {
      detached: true, // Ctrl-C reaches this process alone, which then ends the server in order
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        EXTENSIONS_GALLERY: '{}', // else the gallery is asked
        CS_TELEMETRY_URL: 'http://127.0.0.1:9/',
        NODE_OPTIONS: '',
        TMPDIR: this.#temp,
        XDG_RUNTIME_DIR: this.#temp,
        ...markWith(this.#mark),
        ...options.env,
      },
    });
    this.#forget = atExit(() => this.kill());
  }

  get authority() {
    return `127.0.0.1:${this.port}`;
  }

  /**
   * The address of the workbench with a folder or a `.code-workspace`, or with none.
   * @param {string} [workspace]
   */
  url(workspace) {
    const query = new URLSearchParams();
    if (this.token) query.set('tkn', this.token);
    if (!workspace) query.set('ew', 'true');
    else query.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', path.resolve(workspace));
    return `http://${this.authority}/?${query}`;
  }

  /**
   * Replaces the user's settings, for windows that are opened later: an open one does not see it. With a server, what
   * belongs to a machine (`portside.agents`) counts only in the machine's file.
   * @param {Record<string, unknown>} settings
   */
  writeSettings(settings) {
    const entries = Object.entries(settings);
    this.#writeSettings('User', Object.fromEntries(entries.filter(([key]) => !machineSettings.has(key))));
    this.#writeSettings('Machine', Object.fromEntries(entries.filter(([key]) => machineSettings.has(key))));
  }

  /**
   * @param {'User' | 'Machine'} whose
   * @param {Record<string, unknown>} settings
   */
  #writeSettings(whose, settings) {
    const folder = path.join(this.userData, 'data', whose);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
  }

  /** All processes that this server has started and that still run, agents included. */
  processes() {
    return marked(this.#mark);
  }

  /**
   * Log files by name: of the server, the extension host, output channels.
   * @returns {Record<string, string>}
   */
  logs() {
    const folder = path.join(this.userData, 'data', 'logs');
    if (!existsSync(folder)) return {};
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.log'));
    return Object.fromEntries([
      ...files.map(file => [file, readFileSync(path.join(folder, file), 'utf8')]),
      ['server.log', this.#output],
    ]);
  }

  async stop() {
    if (this.#child.pid) kill(this.#child.pid, 'SIGTERM');
    for (let waited = 0; waited < 3000 && this.processes().length; waited += 50) await delay(50);
    this.kill();
  }

  kill() {
    killMarked(this.#mark);
    this.#forget();
    rmSync(this.#temp, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  /** @param {ServerOptions} options */
  #arguments({ token, trust }) {
    const authentication = ['--without-connection-token'];
    if (token) {
      // In a file, since every user of the machine can read a command line.
      const file = path.join(this.#temp, 'token');
      writeFileSync(file, token, { mode: 0o600 });
      authentication.splice(0, 1, '--connection-token-file', file);
    }
    return [
      ...['--host', '127.0.0.1', '--port', '0', ...authentication],
      ...['--accept-server-license-terms', '--server-data-dir', this.userData],
      ...['--telemetry-level', 'off', '--disable-experiments', '--disable-update-check'],
      '--disable-getting-started-override',
      '--force-disable-user-env', // the extension host gets this process's environment, no login shell is asked
      ...(trust ? [] : ['--disable-workspace-trust']),
    ];
  }

  /** @returns {Promise<void>} */
  #listening() {
    return new Promise((resolve, reject) => {
      const fail = what => {
        clearTimeout(timer);
        this.kill();
        reject(new Error(`${what}\n${this.#output}`));
      };
      const timer = setTimeout(() => fail('the VS Code server did not listen within 60 s'), 60_000);
      const read = chunk => {
        this.#output = (this.#output + chunk).slice(-200_000);
        const match = this.port ? null : /Extension host agent listening on (\d+)/.exec(this.#output);
        if (!match) return;
        clearTimeout(timer);
        this.port = Number(match[1]);
        resolve();
      };
      this.#child.stdout?.on('data', read);
      this.#child.stderr?.on('data', read);
      this.#child.on('error', error => fail(error.message));
      this.#child.on('exit', (code, signal) => {
        if (!this.port) fail(`the VS Code server ended (${code ?? signal})`);
      });
    });
  }
}
