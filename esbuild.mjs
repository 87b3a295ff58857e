// Builds the bundles. Usage: node esbuild.mjs [--watch] [--tests [--only PART]] [--dev]
//   dist/extension.js      the extension host's part (VS Code and Node are there)
//   dist/connect.js        what it loads with the first agent: the protocol and its SDK
//   dist/webview.js, .css  the view (ES modules, with lazy chunks)
//   dist/exampleAgent.js   the agent that ships inside
//   out/test/**            the tests, with --tests; with --only those that have PART in their path
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { build, context } from 'esbuild';

const has = flag => process.argv.includes(flag);
const dev = has('--dev') || has('--watch');
const only = has('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';

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

/** What `extension.ts` imports from `connect` when it needs it is a bundle of its own. */
const lazyConnect = {
  name: 'lazy-connect',
  setup({ onResolve }) {
    onResolve({ filter: /\/connect\/connectPlan$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './connect.js', external: true } : undefined,
    );
  },
};

/** `vscode` is external only where it may be imported: elsewhere a leak breaks the build. */
const bundles = [
  {
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    plugins: [lazyConnect],
  },
  { ...node, entryPoints: ['src/connect/connectPlan.ts'], outfile: 'dist/connect.js' },
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
        .filter(file => /\.test\.tsx?$/.test(file) && file.includes(only))
        .map(file => `${folder}/${file}`)
    : [];

if (has('--tests')) {
  const tests = { ...node, minify: false, sourcemap: 'inline', outbase: 'test', outdir: 'out/test' };
  // Bundled whole and without `vscode`: a pure folder that imports it does not build.
  const unit = { ...tests, external: ['mocha', 'esbuild', 'playwright-core', '@vscode/*'] };
  const host = { ...unit, external: [...unit.external, 'vscode'] };
  const ui = { ...tests, packages: 'external', external: ['#rig/*'], format: 'esm', outExtension: { '.js': '.mjs' } };
  const add = (options, ...entryPoints) => entryPoints.length && bundles.push({ ...options, entryPoints });
  add(unit, ...testFiles('test/unit'));
  add(host, 'test/host/index.ts', ...testFiles('test/host'));
  add(ui, ...testFiles('test/ui'), ...testFiles('test/realAgents'));
}

// Their names carry hashes: those of earlier builds would be shipped as well.
rmSync('dist/chunks', { recursive: true, force: true });

if (has('--watch')) {
  for (const options of bundles) await (await context(options)).watch();
  console.log('watching');
} else {
  await Promise.all(bundles.map(build));
}
