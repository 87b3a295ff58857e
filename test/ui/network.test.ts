import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#rig/paths.mjs';
import { Chat } from './chat';
import { useWorkbench } from './useWorkbench';

describe('The network', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'portside-net-'));
  const file = path.join(folder, 'noted');
  const watch = path.join(root, 'test', 'fakes', 'netWatch.cjs');
  const environment = { NODE_OPTIONS: `--require ${watch}`, NET_WATCH: file };
  const workbench = useWorkbench({ env: { NET_WATCH: file }, settings: { 'portside.environment': environment } });
  after(() => rmSync(folder, { recursive: true }));

  it('is left alone by a whole turn: in the page, the extension host and the agent', async () => {
    const chat = await Chat.open(workbench);
    // VS Code takes such options from its extension host.
    await chat.window.bridge.read((_vscode, module) => {
      process.getBuiltinModule('node:module').createRequire(module)(module);
    }, watch);
    await chat.send('/tour');
    await chat.choose('Allow');
    await chat.feed.getByText('That was the tour.').waitFor();
    await chat.idle();
    const noted = readFileSync(file, 'utf8').trim().split('\n');
    for (const program of ['extensionHost', 'exampleAgent.js'])
      assert.ok(
        noted.some(line => line.startsWith('runs') && line.includes(program)),
        `${program} is watched`,
      );
    assert.deepEqual(
      noted.filter(line => !line.startsWith('runs')),
      [],
    );
    assert.deepEqual(chat.window.outside, []);
  });
});
