import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, vscodePaths } from '#rig/paths.mjs';
import type { Row } from './row';

/** Loads one module in a fresh Node, with something that answers to `vscode`, and prints the milliseconds it took. */
const loader = `
const Module = require('node:module');
const load = Module._load;
const anything = () => new Proxy(function () {}, { get: (own, key) => (typeof key === 'symbol' || key in own ? own[key] : anything()), apply: () => anything() });
const names = process.argv[3].split(',');
const vscode = Object.fromEntries(names.map(name => [name, anything()]));
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
// An extension host has loaded these for itself.
for (const name of ['child_process', 'crypto', 'fs', 'fs/promises', 'net', 'os', 'path', 'zlib']) require('node:' + name);
const before = performance.now();
require(process.argv[2]);
console.log(performance.now() - before);
`;

/** What VS Code waits for before it can activate the extension, and what the view has to load. */
export async function run(): Promise<Row[]> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'portside-start-'));
  try {
    const script = path.join(temporary, 'load.cjs');
    const empty = path.join(temporary, 'empty.cjs');
    writeFileSync(script, loader);
    writeFileSync(empty, 'exports.activate = () => {};');
    const bundle = path.join(root, 'dist', 'extension.js');
    const text = readFileSync(bundle, 'utf8');
    const names = [
      ...new Set(
        [
          ...text.matchAll(
            /\.([A-Z]\w+|window|workspace|commands|env|scm|comments|extensions|l10n|languages|version)\b/g,
          ),
        ].map(m => m[1]),
      ),
    ];
    const load = (file: string): number =>
      Number(execFileSync(vscodePaths().node, [script, file, names.join(',')], { encoding: 'utf8' }));
    const rounds = Array.from({ length: 9 }, () => load(bundle) - load(empty));
    const more = median(rounds);
    const webview = statSync(path.join(root, 'dist', 'webview.js')).size / 1024;
    return [
      {
        name: 'Start: requiring dist/extension.js, more than an empty extension',
        value: `${more.toFixed(1)} ms`,
        bar: '<= 15 ms',
        ok: more <= 15,
      },
      {
        name: 'Start: webview.js without lazy chunks',
        value: `${webview.toFixed(0)} KB`,
        bar: '<= 320 KB',
        ok: webview <= 320,
      },
    ];
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
