#!/usr/bin/env node
// Stands in for the desktop's `code` as `vscodeExecutablePath` of @vscode/test-electron: same options, same exit codes,
// but the server's extension host and a headless Chromium.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './browser.mjs';
import { runHostTests } from './hostTests.mjs';
import { vscodePaths } from './paths.mjs';
import { Server } from './server.mjs';
import { forTests } from './settings.mjs';

const options = new Map();
let workspace;
for (const argument of process.argv.slice(2)) {
  const [, key, value = ''] = /^--([^=]+)=?(.*)$/s.exec(argument) ?? [];
  if (key) options.set(key, [...(options.get(key) ?? []), asPath(value)]);
  else workspace ??= asPath(argument);
}
const [tests] = options.get('extensionTestsPath') ?? [];
if (options.has('version')) {
  process.stdout.write(readFileSync(path.join(vscodePaths().folder, 'VERSION')));
} else if (tests) {
  process.exit(await runTests());
} else {
  console.error('this `code` only runs extension tests: --extensionTestsPath=FILE is missing');
  process.exit(2);
}

async function runTests() {
  const errors = [];
  const verbose = process.env.PORTSIDE_VERBOSE === '1';
  const [server, browser] = await Promise.all([Server.start({ settings: userSettings() }), launchBrowser()]);
  const { code, reason } = await runHostTests(
    server,
    browser,
    { workspace, development: options.get('extensionDevelopmentPath') ?? [], tests },
    {
      seconds: 900,
      onLog: (type, line) => {
        if (verbose) console.log(line);
        if (type === 'error') errors.push(line);
      },
    },
  );
  if (code !== 0) {
    const log = Object.entries(server.logs()).find(([name]) => name.endsWith('remoteexthost.log'))?.[1] ?? '';
    const logged = log.split('\n').filter(line => line.includes('[error]'));
    console.error([reason ?? `exit code ${code}`, ...errors.slice(-10), ...logged.slice(-10)].join('\n'));
  }
  await Promise.all([browser.close(), server.stop()]);
  return code ? 1 : 0;
}

function userSettings() {
  const [folder] = options.get('user-data-dir') ?? [];
  const file = folder && path.join(folder, 'User', 'settings.json');
  return { ...forTests, ...(file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) };
}

function asPath(text) {
  return text.startsWith('file://') ? fileURLToPath(text) : text;
}
