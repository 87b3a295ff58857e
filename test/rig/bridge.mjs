import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atExit } from './processes.mjs';

/**
 * Looks into the extension host: the companion extension, installed in a server that gets `env`, evaluates
 * functions there. In UI tests it only reads; what acts is the mouse and the keyboard.
 */
export class Bridge {
  #temp = mkdtempSync(path.join(tmpdir(), 'pb-'));
  #socketPath = path.join(this.#temp, 's');
  env = { PORTSIDE_BRIDGE: this.#socketPath };
  /** @type {net.Socket | undefined} */ #socket;
  #waiting = new Map();
  #nextId = 1;
  #server = net.createServer(socket => this.#connected(socket));
  /** How many extension hosts have connected so far. */
  connections = 0;
  #forget = atExit(() => rmSync(this.#temp, { recursive: true, force: true }));

  static async listen() {
    const bridge = new Bridge();
    await new Promise(resolve => bridge.#server.listen(bridge.#socketPath, () => resolve(undefined)));
    return bridge;
  }

  /**
   * Runs a function in the extension host of the window that connected last, with what `require('vscode')` gives there.
   * The function stands alone: it is sent as text. Arguments and result are JSON.
   * @template T
   * @template {unknown[]} A
   * @param {(vscode: typeof import('vscode'), ...args: A) => T} evaluate
   * @param {A} args
   * @returns {Promise<Awaited<T>>}
   */
  async read(evaluate, ...args) {
    await this.connected(0);
    const socket = this.#socket;
    if (!socket) throw new Error('the extension host has ended');
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { socket, resolve, reject });
      socket.write(`${JSON.stringify({ id, code: String(evaluate), args })}\n`);
    });
  }

  /**
   * Waits for an extension host that comes after those that had connected before.
   * @param {number} before the value of `connections` then
   */
  async connected(before) {
    const end = Date.now() + 30_000;
    while (!this.#socket || this.connections <= before) {
      if (Date.now() > end) throw new Error('no extension host has connected to the bridge within 30 s');
      await delay(50);
    }
  }

  close() {
    this.#socket?.destroy();
    this.#server.close();
    this.#forget();
    rmSync(this.#temp, { recursive: true, force: true });
  }

  /** @param {net.Socket} socket */
  #connected(socket) {
    this.#socket = socket;
    this.connections++;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#answer(JSON.parse(line));
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
      for (const [id, waiting] of this.#waiting) {
        if (waiting.socket !== socket) continue;
        this.#waiting.delete(id);
        waiting.reject(new Error('the extension host has ended'));
      }
    });
  }

  #answer({ id, value, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }
}
