import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LaunchPlan } from '../../../src/agents/launchPlan';
import type { NpmProgram } from '../../../src/agents/program';
import { delay } from '../../../src/base/async';
import { ExpectedError } from '../../../src/base/errors';
import { binOf, startPackage, type PackageContext } from '../../../src/connect/npx';

const program: NpmProgram = { kind: 'npm', package: '@scope/agent', version: '1.2.3', megabytes: 402 };
const hello = '#!/usr/bin/env node\nconsole.log("hello", ...process.argv.slice(2));\n';

describe('agents from npm', () => {
  let root: string;
  let calls: string;
  let progress: string[];
  let logged: string[];
  let context: PackageContext;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'npx test-'));
    mkdirSync(path.join(root, 'bin'));
    copyFileSync(path.resolve('test/fakes/fakeNpm.mjs'), path.join(root, 'bin/npm.mjs'));
    writeFileSync(path.join(root, 'bin/npm'), `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/npm.mjs" "$@"\n`, {
      mode: 0o755,
    });
    calls = path.join(root, 'behaviours.json.calls');
    progress = [];
    logged = [];
    context = {
      root: path.join(root, 'packages'),
      npm: path.join(root, 'bin/npm'),
      nodes: [{ path: process.execPath, version: { numbers: [20, 20, 2] } }],
      env: { PATH: process.env['PATH'], FAKE_NPM: path.join(root, 'behaviours.json'), npm_config_user_agent: 'x' },
      platform: process.platform,
      onProgress: text => progress.push(text),
      log: line => logged.push(line),
    };
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const behave = (...behaviours: object[]) =>
    writeFileSync(path.join(root, 'behaviours.json'), JSON.stringify(behaviours));
  const called = (): { args: string[]; cwd: string; env: Record<string, string>; pid: number }[] =>
    existsSync(calls)
      ? readFileSync(calls, 'utf8')
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
      : [];
  const plan = (more: Partial<NpmProgram> = {}): LaunchPlan & { npm: NpmProgram } => ({
    agentId: 'agent',
    name: 'Agent',
    command: 'npx',
    args: ['--acp'],
    env: {},
    npm: { ...program, ...more },
  });
  /** Really runs what the plan says, and fails as a connection would. */
  const run = (launch: LaunchPlan): Promise<string> =>
    new Promise((resolve, reject) =>
      execFile(launch.command, launch.args, { env: { ...process.env, ...launch.env } }, (error, stdout, stderr) =>
        error
          ? reject(new ExpectedError('agentExited', 'It ended.', { details: stderr || String(error) }))
          : resolve(stdout),
      ),
    );
  const start = (signal = new AbortController().signal, launch = plan()) => startPackage(launch, context, run, signal);
  const flags = () => called().map(({ args }) => args.filter(arg => /^--(prefer-offline|cache)$/.test(arg)));

  it('installs, and starts the program by Node with the arguments', async () => {
    behave({ install: { script: hello } });
    assert.equal(await start(), 'hello --acp\n');
    const [call] = called();
    assert.equal(call?.args[1], '@scope/agent@1.2.3');
    assert.equal(call?.args.includes('--prefer-offline'), true);
    assert.match(progress[0] ?? '', /^Installing @scope\/agent 1\.2\.3, about 402 MB…$/);
  });

  it('installs outside of any project, in an environment without that of another npm', async () => {
    behave({ install: { script: hello } });
    await start();
    const [call] = called();
    assert(call);
    assert(call.cwd.startsWith(context.root));
    assert.equal(call.args[call.args.indexOf('--prefix') + 1], call.cwd);
    assert.equal(call.env['npm_config_user_agent'], undefined);
  });

  it('asks npm nothing when the package is there', async () => {
    behave({ install: { script: hello } });
    await start();
    progress = [];
    assert.equal(await start(), 'hello --acp\n');
    assert.equal(called().length, 1);
    assert.deepEqual(progress, []);
  });

  it('keeps versions apart', async () => {
    behave({ install: { script: hello } });
    await start();
    await start(undefined, plan({ version: '1.2.4' }));
    assert.deepEqual(readdirSync(context.root).sort(), ['@scope+agent@1.2.3', '@scope+agent@1.2.4']);
  });

  it('goes from the cache to the registry', async () => {
    behave(
      { code: 1, text: 'npm error code ETARGET\nnpm error notarget No matching version' },
      { install: { script: hello } },
    );
    assert.equal(await start(), 'hello --acp\n');
    assert.deepEqual(flags(), [['--prefer-offline'], []]);
    assert.match(logged[0] ?? '', /askRegistry[\s\S]*ETARGET/);
  });

  it('goes on with a cache of its own, which it removes, when the version is still not there', async () => {
    const text = 'npm error code ETARGET';
    behave({ code: 1, text }, { code: 1, text }, { install: { script: hello } });
    assert.equal(await start(), 'hello --acp\n');
    assert.deepEqual(flags(), [['--prefer-offline'], [], ['--cache']]);
    const folder = path.join(context.root, '@scope+agent@1.2.3');
    assert.deepEqual(readdirSync(folder).sort(), ['installed.json', 'node_modules']);
  });

  it('gives up with a reason, the command-free tail of npm, and ways to go on', async () => {
    behave({
      code: 1,
      text: 'npm http fetch GET 200 https://registry.invalid/x 1ms\nnpm error code ENOSPC\nnpm error nospc',
    });
    await assert.rejects(start(), (error: unknown) => {
      assert(error instanceof ExpectedError);
      assert.equal(error.code, 'installFailed');
      assert.equal(error.message, '@scope/agent 1.2.3 could not be installed: the disk is full.');
      assert.equal(error.options.details, 'npm error code ENOSPC\nnpm error nospc');
      assert.deepEqual(error.options.actions?.[0], 'retry');
      return true;
    });
    assert.equal(called().length, 1);
  });

  it('says that npm is missing', async () => {
    behave({});
    context = { ...context, npm: path.join(root, 'no-npm') };
    await assert.rejects(start(), /npm was not found/);
  });

  it('does an interrupted installation again from an empty folder', async () => {
    behave({ partial: true, code: 1, text: 'npm error code ENOSPC' }, { install: { script: hello } });
    await assert.rejects(start());
    const half = path.join(context.root, '@scope+agent@1.2.3/node_modules/@scope/agent/half');
    assert(existsSync(half));
    assert.equal(await start(), 'hello --acp\n');
    assert(!existsSync(half));
  });

  it('does not take another version than the one that was asked for', async () => {
    behave({ install: { script: hello, version: '0.49.0' } });
    await assert.rejects(start(), (error: unknown) => {
      assert(error instanceof ExpectedError);
      assert.match(error.options.details ?? '', /installed version 0\.49\.0 in place of 1\.2\.3/);
      return true;
    });
  });

  it('installs anew when the program misses files of its own, and leaves all else alone', async () => {
    const broken = `#!/usr/bin/env node\nrequire('./missing');\n`;
    const neighbour = path.join(context.root, '@other+agent@1.0.0');
    mkdirSync(neighbour, { recursive: true });
    behave({ install: { script: broken } }, { install: { script: hello } });
    assert.equal(await start(), 'hello --acp\n');
    assert.equal(called().length, 2);
    assert(existsSync(neighbour));
  });

  it('repairs once: a program that stays broken is an error', async () => {
    behave({ install: { script: `#!/usr/bin/env node\nrequire('./missing');\n` } });
    await assert.rejects(start(), /It ended/);
    assert.equal(called().length, 2);
  });

  it('does not reinstall a program that fails for reasons of its own', async () => {
    behave({ install: { script: '#!/usr/bin/env node\nconsole.error("Please log in"); process.exit(1);\n' } });
    await assert.rejects(start(), /It ended/);
    assert.equal(called().length, 1);
  });

  it('installs once for two that start at the same time, and tells the second', async () => {
    behave({ slow: 400, install: { script: hello } });
    assert.deepEqual(await Promise.all([start(), start()]), ['hello --acp\n', 'hello --acp\n']);
    assert.equal(called().length, 1);
    assert(progress.some(text => /another window/.test(text)));
    assert(progress.some(text => /\(1 fetched\)/.test(text)));
  });

  it('can be cancelled: npm ends, nothing counts as installed, and the next start does it all', async () => {
    behave({ slow: 60_000 }, { install: { script: hello } });
    const controller = new AbortController();
    const starting = start(controller.signal);
    while (called().length === 0) await delay(20);
    controller.abort(new Error('cancelled by the user'));
    await assert.rejects(starting, /cancelled by the user/);
    const pid = called()[0]?.pid ?? 0;
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    assert.equal(await start(), 'hello --acp\n');
  });

  it('starts a program that is no script by itself', async () => {
    behave({ install: { bin: { agent: 'agent' }, script: '#!/bin/sh\necho native "$@"\n' } });
    assert.equal(await start(), 'native --acp\n');
  });

  it('takes the program that is named, the one named like the package, or the only one', () => {
    assert.equal(binOf({ bin: { a: 'a.js', agent: 'b.js' } }, program), 'b.js');
    assert.equal(binOf({ bin: { a: 'a.js', agent: 'b.js' } }, { ...program, bin: 'a' }), 'a.js');
    assert.equal(binOf({ bin: { a: 'a.js' } }, program), 'a.js');
    assert.equal(binOf({ bin: 'x.js' }, program), 'x.js');
    assert.equal(binOf({ bin: { a: 'a.js' } }, { ...program, bin: 'b' }), undefined);
    assert.equal(binOf({}, program), undefined);
  });

  it('chooses the Node that the package asks for, and says when there is none', async () => {
    behave({ install: { script: hello, engines: '>=22' } });
    const started: LaunchPlan[] = [];
    const node = (major: number) => ({ path: `/node${major}/bin/node`, version: { numbers: [major, 0, 0] as const } });
    const take = (nodes: PackageContext['nodes']) =>
      startPackage(
        plan(),
        { ...context, nodes },
        async launch => void started.push(launch),
        new AbortController().signal,
      );
    await take([node(24), node(20)]);
    await take([node(20)]);
    await take([]);
    assert.equal(started[0]?.command, '/node24/bin/node');
    assert.equal(started[1]?.command, '/node20/bin/node');
    assert(logged.some(line => /asks for Node >=22; the newest here is 20\.0\.0/.test(line)));
    assert.equal(started[2]?.ownRuntime, true);
    assert.match(started[2]?.args[0] ?? '', /cli\.js$/);
    assert.equal(started[0]?.npm, undefined);
  });

  it('puts the programs of the package and its Node in front of PATH', async () => {
    behave({ install: { script: '#!/usr/bin/env node\nconsole.log(process.env.PATH)\n' } });
    const folders = (await start()).split(':');
    assert.match(folders[0] ?? '', /@scope\+agent@1\.2\.3\/node_modules\/\.bin$/);
    assert.equal(folders[1], path.dirname(process.execPath));
  });
});
