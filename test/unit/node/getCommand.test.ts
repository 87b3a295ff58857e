import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCommand, getCommandArguments, readGetCommand } from '../../../src/node/getCommand';

describe('asking PowerShell for commands', () => {
  it('asks once for all, and a name stays a name', () => {
    const script = getCommandArguments(['gemini', "o'x; rm"]).at(-1) ?? '';
    assert.match(script, /-Name 'gemini','o''x; rm' \|/);
  });

  it('reads names and files, the first of each', () => {
    const output =
      'gemini.exe|C:\\Apps\\gemini.exe\r\nGEMINI.cmd|C:\\x\\gemini.cmd\r\nother.exe|C:\\o.exe\r\n\r\nnoise';
    assert.deepEqual(readGetCommand(output, ['gemini', 'claude']), new Map([['gemini', 'C:\\Apps\\gemini.exe']]));
  });

  describe('with a stand-in for PowerShell', () => {
    let root: string;
    beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'powershell-'))));
    afterEach(() => rmSync(root, { recursive: true }));
    const run = (script: string, signal = new AbortController().signal) => {
      const powershell = path.join(root, 'powershell');
      writeFileSync(powershell, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return getCommand(['gemini'], { env: process.env, signal, powershell });
    };

    it('gives what it prints, also when it then fails', async () => {
      assert.deepEqual([...(await run("echo 'gemini.exe|C:\\g.exe'; exit 1"))], [['gemini', 'C:\\g.exe']]);
    });

    it('gives nothing when it is missing or stopped', async () => {
      const options = { env: process.env, signal: new AbortController().signal, powershell: path.join(root, 'none') };
      assert.equal((await getCommand(['gemini'], options)).size, 0);
      const controller = new AbortController();
      const waiting = run('sleep 30', controller.signal);
      controller.abort();
      assert.equal((await waiting).size, 0);
    });
  });
});
