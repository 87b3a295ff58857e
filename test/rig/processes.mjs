import { readdirSync, readFileSync } from 'node:fs';

const variable = 'PORTSIDE_RIG';

/**
 * The environment that marks a process and everything that it starts, also what has left its process group.
 * @param {string} mark
 */
export const markWith = mark => ({ [variable]: mark });

/**
 * The running processes with that mark. Reads /proc, so Linux only.
 * @param {string} mark
 * @returns {{ pid: number, command: string }[]}
 */
export function marked(mark) {
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!`\0${readFileSync(`/proc/${name}/environ`, 'latin1')}`.includes(`\0${variable}=${mark}\0`)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      if (command) found.push({ pid: Number(name), command });
    } catch {
      // It has ended, or is not ours.
    }
  }
  return found;
}

/**
 * Ends what is left at once.
 * @param {string} mark
 */
export function killMarked(mark) {
  for (const { pid } of marked(mark)) kill(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** @type {Set<() => void>} */
const endings = new Set();
let onSignal = async () => {};
let listening = false;

/**
 * Runs `ending` (synchronous) when this process ends, whichever way but SIGKILL.
 * @param {() => void} ending
 * @returns {() => void} forgets it
 */
export function atExit(ending) {
  endings.add(ending);
  if (!listening) listen();
  return () => endings.delete(ending);
}

/**
 * What is done first, and waited for, when a signal ends this process.
 * @param {() => Promise<void>} work
 */
export function atSignal(work) {
  onSignal = work;
  if (!listening) listen();
}

function listen() {
  listening = true;
  process.on('exit', () => {
    for (const run of endings) run();
  });
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
    process.on(signal, () => void onSignal().finally(() => process.exit(128 + number)));
}
