import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#rig/paths.mjs';
import { useWorkbench, type Workbench } from './useWorkbench';

// On the search path lie two commands: one that is an agent, and one that needs an adapter from npm, for which the
// registry-free npm beside them stands in.
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'portside-bin-')));
const program = path.join(root, 'dist', 'exampleAgent.js');
const behaviours = path.join(folder, 'behaviours.json');

function script(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text, { mode: 0o755 });
}

describe('Agents of the machine', () => {
  before(() => {
    symlinkSync(process.execPath, path.join(folder, 'node'));
    copyFileSync(path.join(root, 'test/fakes/fakeNpm.mjs'), path.join(folder, 'npm.mjs'));
    script('npm', `#!/bin/sh\nexec node "${folder}/npm.mjs" "$@"\n`);
    script('gemini', `#!/bin/sh\n[ "$1" = --acp ] && exec node "${program}"\n`);
    script('claude', '#!/bin/sh\nexit 1\n');
    const adapter = { bin: { 'claude-agent-acp': 'cli.cjs' }, script: readFileSync(program, 'utf8') };
    writeFileSync(
      behaviours,
      JSON.stringify([
        { code: 1, text: 'npm error code ETARGET' },
        { slow: 1500, install: adapter },
      ]),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const env = { PATH: `${folder}:${process.env['PATH']}`, FAKE_NPM: behaviours };
  const workbench = useWorkbench({ env });

  const choose = async (window: Workbench, name: RegExp): Promise<void> => {
    await window.view.getByRole('button', { name: 'New session' }).click();
    await window.page.getByRole('option', { name }).first().click();
  };
  const say = async ({ view }: Workbench, text: string): Promise<void> => {
    const message = view.getByRole('textbox', { name: 'Message' });
    await message.fill(text);
    await message.press('Enter');
  };
  const answer = ({ view }: Workbench) =>
    view.getByRole('feed', { name: 'Conversation' }).getByRole('article').filter({ hasText: 'example' }).first();

  it('are offered without any setting, and answer', async () => {
    const window = await workbench.open();
    await choose(window, /Gemini CLI.*found on this machine/);
    await say(window, 'hello');
    await answer(window).waitFor();
  });

  it('are installed from npm after a yes, and tell what they wait for', async () => {
    const window = await workbench.open();
    const { page, view } = window;
    await choose(window, /Claude Code/);
    await say(window, 'hello');
    const dialog = page.getByRole('dialog').filter({ hasText: '@agentclientprotocol/claude-agent-acp' });
    await dialog.getByRole('button', { name: 'Install' }).click();
    await view
      .getByText(/Installing @agentclientprotocol\/claude-agent-acp/)
      .first()
      .waitFor();
    await answer(window).waitFor();
    assert.equal(readFileSync(`${behaviours}.calls`, 'utf8').trim().split('\n').length, 2);
  });
});
