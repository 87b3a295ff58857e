import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { copySample } from '#rig/install.mjs';
import { startRealAgent, type RealAgentKind } from '../realAgents/agents';
import { turnScript } from '../realAgents/script';
import { useWorkbench } from './useWorkbench';

const before = 'days > discountFromDays';
const fixed = 'days >= discountFromDays';

/** The option that allows one edit, as each agent names it. */
const allow: Readonly<Record<RealAgentKind, string>> = { qwen: 'Allow', claude: 'Yes' };

/** Moves through the pick by arrow key until that row is chosen: keys of the first moment do not count, nor of the next. */
async function chooseByKeyboard(page: Page, option: string): Promise<void> {
  const chosen = page.locator('.quick-input-widget .monaco-list-row.focused .label-name');
  for (let presses = 0; presses < 50; presses++) {
    if ((await chosen.count()) === 1 && (await chosen.innerText()) === option) {
      await page.waitForTimeout(300);
      return page.keyboard.press('Enter');
    }
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(50);
  }
  throw new Error(`no row "${option}" was reached`);
}

describe('A real agent in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();
  const cleanUps: (() => Promise<void>)[] = [];

  // After the server has ended, and with it the agents: one of them writes into its home folder as it leaves.
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  for (const kind of ['qwen', 'claude'] as const) {
    it(`reads, asks, edits and answers: ${kind}`, async () => {
      const folder = copySample();
      cleanUps.push(() => rm(path.dirname(folder), { recursive: true, force: true }));
      const file = path.join(folder, 'src', 'fees.js');
      const original = await readFile(file, 'utf8');
      const agent = await startRealAgent(kind, { turn: turnScript({ file, before, after: fixed }) });
      cleanUps.push(() => agent.dispose());
      const settings = { 'portside.agents': { [kind]: agent.setting }, 'portside.defaultAgent': kind };
      const { page, view } = await workbench.open({ folder, settings });

      const message = view.getByRole('textbox', { name: 'Message' });
      await message.click();
      await page.keyboard.type('From the seventh day on there is a discount. [[portside:turn]]');
      await page.keyboard.press('Enter');

      const pick = page.locator('.quick-input-widget:visible');
      await pick.getByText(agent.setting.name).waitFor({ timeout: 90_000 });
      await pick.locator('.monaco-list-row', { hasText: allow[kind] }).first().waitFor();
      assert.equal(await readFile(file, 'utf8'), original, 'nothing is written before the answer');
      await chooseByKeyboard(page, allow[kind]);

      const feed = view.getByRole('feed', { name: 'Conversation' });
      await feed.getByRole('heading', { name: 'Done' }).waitFor();
      await feed.getByRole('listitem').filter({ hasText: 'naïve café, 日本語' }).waitFor();
      await view.getByRole('button', { name: 'Send' }).waitFor();
      assert.equal(await readFile(file, 'utf8'), original.replace(before, fixed));

      await feed.getByRole('button', { name: 'Open diff' }).first().click();
      const side = (name: string, text: string) =>
        page.locator(`.monaco-diff-editor .editor.${name} .view-line`).filter({ hasText: text });
      await side('original', before).waitFor();
      await side('modified', fixed).waitFor();
    });
  }
});
