import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The project's folder. */
export const root = path.resolve(import.meta.dirname, '../..');

/** The extension that runs beside Portside in tests and trials. */
export const companion = path.join(import.meta.dirname, 'companion');

/** What is too large to keep in the project and too dear to make each time. Never inside the project. */
export const cache = path.resolve(process.env.PORTSIDE_CACHE || path.join(homedir(), '.cache', 'portside'));

/** The VS Code of the rig, and the oldest that Portside supports: folders of `variants/`. */
export const currentVersion = '1.139';
export const floorVersion = '1.106';

/** The VS Code that this run uses. */
export const version = process.env.PORTSIDE_VSCODE || currentVersion;

/**
 * Where setup.sh has put a VS Code: `node` is the Node that it runs on.
 * @param {string} [of]
 */
export function vscodePaths(of = version) {
  const folder = path.join(cache, `vscode-${of}`);
  if (!existsSync(path.join(folder, 'READY'))) throw new Error(`no VS Code in ${folder}: run test/rig/setup.sh ${of}`);
  return {
    folder,
    node: path.join(folder, 'node', 'bin', 'node'),
    server: path.join(folder, 'vscode', 'out', 'server-main.js'),
  };
}

/**
 * The first of `names` on the PATH.
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap(name => folders.map(folder => path.join(folder, name))).find(file => existsSync(file));
}

/** @returns {string | undefined} */
export const findChromium = () =>
  process.env.CHROMIUM || onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
