// Builds the bundles. Usage: node esbuild.mjs [--watch] [--tests] [--dev]
//   dist/extension.js      the extension host's part (VS Code and Node are there)
//   dist/webview.js, .css  the view (ES modules, with lazy chunks)
//   dist/exampleAgent.js   the agent that ships inside
//   out/test/**            the tests, with --tests
import { existsSync, readdirSync } from 'node:fs';
import { build, context } from 'esbuild';

const has = flag => process.argv.includes(flag);
const dev = has('--dev') || has('--watch');

const common = {
  bundle: true,
  minify: !dev,
  sourcemap: dev ? 'linked' : false,
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
};
const node = { ...common, platform: 'node', target: 'node22', format: 'cjs' };

/** `vscode` is external only where it may be imported: elsewhere a leak breaks the build. */
const bundles = [
  { ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] },
  { ...node, entryPoints: ['src/agent/example.ts'], outfile: 'dist/exampleAgent.js' },
  {
    ...common,
    platform: 'browser',
    target: 'chrome134',
    format: 'esm',
    splitting: true,
    entryPoints: { webview: 'webview/main.ts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
  },
];

const testFiles = folder =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(file => /\.test\.tsx?$/.test(file))
        .map(file => `${folder}/${file}`)
    : [];

if (has('--tests')) {
  // Unit tests are bundled without `vscode`: a pure folder that imports it does not build.
  const tests = {
    ...node,
    minify: false,
    sourcemap: 'inline',
    outbase: 'test',
    outdir: 'out/test',
    packages: 'external',
  };
  const unit = testFiles('test/unit');
  const host = testFiles('test/host');
  const ui = testFiles('test/ui');
  if (unit.length) bundles.push({ ...tests, entryPoints: unit });
  if (host.length)
    bundles.push({ ...tests, entryPoints: [...host, 'test/host/index.ts'], external: [...tests.external, 'vscode'] });
  if (ui.length) bundles.push({ ...tests, entryPoints: ui, format: 'esm', outExtension: { '.js': '.mjs' } });
}

if (has('--watch')) {
  for (const options of bundles) await (await context(options)).watch();
  console.log('watching');
} else {
  await Promise.all(bundles.map(build));
}
