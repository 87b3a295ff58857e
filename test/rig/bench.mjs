// npm run bench [-- NAME]
//
// Runs each `test/bench/*.ts` that exports `run(): Promise<Row[]>` (see test/bench/row.ts), one after the other, and prints
// one table. Exit code 1 when a bar is missed.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build, ensurePackages, ensureVscode, say } from './install.mjs';
import { root } from './paths.mjs';

const filter = process.argv[2] ?? '';
await ensurePackages();
const missing = await ensureVscode({ chromium: true });
if (missing) throw new Error(`the benchmarks cannot run here: ${missing}`);
await build();

const folder = path.join(root, 'test', 'bench');
const files = readdirSync(folder).filter(file => file.endsWith('.ts') && file.includes(filter));
const out = path.join(root, 'out', 'test', 'bench');
const { build: bundle } = await import('esbuild');
await bundle({
  entryPoints: files.map(file => path.join(folder, file)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  external: ['#rig/*'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});

const rows = [];
for (const file of files) {
  const { run } = await import(path.join(out, file.replace(/\.ts$/, '.mjs')));
  if (!run) continue;
  say(file);
  rows.push(...(await run()));
}
const table = [['', 'measured', 'bar', ''], ...rows.map(row => [row.name, row.value, row.bar, row.ok ? '✔' : '✖'])];
const widths = [0, 1, 2].map(column => Math.max(...table.map(cells => cells[column].length)));
console.log();
for (const cells of table)
  console.log(
    cells.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0]))).join('  '),
  );
const missed = rows.filter(row => !row.ok).length;
console.log(`\n${rows.length} measured, ${missed} missed`);
process.exit(missed || !rows.length ? 1 : 0);
