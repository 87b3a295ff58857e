#!/usr/bin/env node
// npm without a registry. Reads a list of behaviours from FAKE_NPM (a JSON file), does the next one at each call, and
// notes each call with its arguments in `<FAKE_NPM>.calls`.
//   { text, code }       prints text to stderr and ends with the code
//   { partial: true }    leaves half a package behind as well
//   { slow: ms }         fetches for that long before it goes on; fails when another npm is in the same folder
//   { install: {...} }   installs: version, bin (as in package.json), script (text of the program), engines
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = process.env.FAKE_NPM;
const args = process.argv.slice(2);
const calls = `${file}.calls`;
appendFileSync(calls, `${JSON.stringify({ args, cwd: process.cwd(), env: process.env, pid: process.pid })}\n`);
const index = readFileSync(calls, 'utf8').trim().split('\n').length - 1;
const behaviours = JSON.parse(readFileSync(file, 'utf8'));
const behaviour = behaviours[Math.min(index, behaviours.length - 1)];

const prefix = args[args.indexOf('--prefix') + 1];
const [, name, version] = /^(.+)@([^@]+)$/.exec(args[1]);
const folder = path.join(prefix, 'node_modules', name);

const busy = path.join(prefix, 'busy');
closeSync(openSync(busy, 'wx'));
if (behaviour.slow) {
  console.error('npm http fetch GET 200 https://registry.invalid/x 12ms (cache miss)');
  await new Promise(resolve => setTimeout(resolve, behaviour.slow));
}
if (behaviour.partial || behaviour.install) mkdirSync(folder, { recursive: true });
if (behaviour.partial) writeFileSync(path.join(folder, 'half'), '');
if (behaviour.install) {
  const { bin = { [name.replace(/^.*\//, '')]: 'cli.js' }, script = '', engines, version: other } = behaviour.install;
  const manifest = { name, version: other ?? version, bin, ...(engines ? { engines: { node: engines } } : {}) };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  for (const program of typeof bin === 'string' ? [bin] : Object.values(bin))
    writeFileSync(path.join(folder, program), script, { mode: 0o755 });
}
rmSync(busy);
if (behaviour.text) console.error(behaviour.text);
process.exitCode = behaviour.code ?? 0;
