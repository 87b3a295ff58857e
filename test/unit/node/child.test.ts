import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Child } from '../../../src/node/child';
import { cleanUp, isAlive, temporaryFolder, until } from '../../fakes/agents';

afterEach(cleanUp);

const start = (script: string, command = process.execPath, option = '-e'): Promise<Child> =>
  Child.start({
    command,
    args: [option, script],
    cwd: temporaryFolder(),
    env: {},
    platform: process.platform,
    onStderr: () => {},
  });

describe('Child', () => {
  it('rejects a write once the process reads no more, and breaks nothing else', async function () {
    if (process.platform === 'win32') this.skip();
    const child = await start('exec 0<&-; sleep 60', '/bin/sh', '-c');
    const write = async (): Promise<void> => {
      for (let round = 0; round < 1000; round += 1) await child.write('x'.repeat(10_000));
    };
    await assert.rejects(write(), /EPIPE/);
    await child.close(true);
    await assert.rejects(child.write('x'));
  });

  it('keeps a bounded end of stderr, with whole characters', async () => {
    const child = await start('process.stderr.write("é".repeat(1e6) + "the end", () => process.exit(3))');
    assert.deepEqual(await child.exited, { code: 3, signal: null });
    await child.close(true);
    assert.ok(child.stderr.length <= 8000);
    assert.match(child.stderr, /^é+the end$/);
  });

  it('ends what is left of its group when the process ends by itself', async function () {
    if (process.platform === 'win32') this.skip();
    const left =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore'})";
    const child = await start(`console.log(${left}.pid); setTimeout(() => process.exit(0), 50)`);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await child.exited;
    await until(() => output.endsWith('\n') && !isAlive(Number(output)));
  });

  it('ends with this process, whatever happens to it', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = temporaryFolder();
    const bundle = join(folder, 'child.cjs');
    buildSync({ entryPoints: ['src/node/child.ts'], bundle: true, platform: 'node', format: 'cjs', outfile: bundle });
    const stubborn =
      "process.on('SIGTERM', () => {}); process.stdin.resume(); setInterval(() => {}, 1000); console.log('up')";
    const script = join(folder, 'host.cjs');
    writeFileSync(
      script,
      `const { Child } = require(${JSON.stringify(bundle)});
       Child.start({ command: process.execPath, args: ['-e', ${JSON.stringify(stubborn)}], cwd: ${JSON.stringify(folder)},
         env: {}, platform: process.platform, onStderr() {} }).then(child => {
         child.stdout.once('data', () => { console.log(child.pid); setTimeout(() => process.exit(5), 50); });
       });`,
    );
    const pid = await new Promise<number>(resolve => {
      execFile(process.execPath, [script], (_, output) => resolve(Number(output)));
    });
    assert.ok(pid > 0);
    await until(() => !isAlive(pid));
  });
});
