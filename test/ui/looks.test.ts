import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import axe, { type AxeResults } from 'axe-core';
import type { themes } from '#rig/settings.mjs';
import { Chat, until } from './chat';
import { useWorkbench } from './useWorkbench';

const kinds: readonly (keyof typeof themes)[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

/** What axe-core finds that keeps people from using the view. */
async function barriers(chat: Chat): Promise<string[]> {
  const body = await chat.view.locator('body').elementHandle();
  const frame = await body?.ownerFrame();
  assert.ok(frame);
  await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate(
    () =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }) as Promise<AxeResults>,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

describe('The chat looks right', function () {
  this.timeout(300_000);
  const workbench = useWorkbench();

  it('in all kinds of themes, and keeps nobody out', async () => {
    const chat = await Chat.open(workbench);
    await chat.turn('/fail');
    await chat.send('/tour');
    await chat.choose('Allow');
    await chat.feed.getByText('That was the tour.').waitFor();
    await chat.idle();
    await chat.send('/ask 1');
    await chat.rows.first().waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.send('queued');
    await chat.queue.first().waitFor();
    await chat.type('/');
    await chat.view.getByRole('option').first().waitFor();
    const colours = new Set<string>();
    for (const kind of kinds) {
      await chat.window.setTheme(kind);
      colours.add(
        await chat.view.locator('body').evaluate(body => {
          const { color, backgroundColor } = getComputedStyle(body);
          return `${color} on ${backgroundColor}`;
        }),
      );
      assert.deepEqual(await barriers(chat), [], kind);
    }
    assert.ok(colours.size >= 3, 'the colours are those of the theme');
  });

  it('in a narrow side bar, without scrolling sideways', async () => {
    const chat = await Chat.open(workbench);
    await chat.window.setViewWidth(260);
    await until('the view is narrow', async () => {
      const width = await chat.view.locator('body').evaluate(() => innerWidth);
      return width >= 255 && width <= 265;
    });
    await chat.turn('/long 4');
    await chat.send('/ask');
    for (let question = 0; question < 2; question++) {
      await chat.rows.first().waitFor();
      await chat.page.keyboard.press('Escape');
      const card = chat.feed.getByRole('article').filter({ hasText: 'Needs approval' });
      await card.locator('.permission [data-option]').last().waitFor();
      const wide = await chat.view
        .locator('body')
        .evaluate(() =>
          [document.scrollingElement, document.querySelector('.scroller')].some(
            box => box !== null && box.scrollWidth > box.clientWidth,
          ),
        );
      assert.equal(wide, false);
      await chat.answerCard(question ? 'echo "step 1' : 'Install a package', question ? 'Reject' : 'No');
    }
    await chat.stop.click();
  });

  it('to the keyboard alone, through a whole turn', async () => {
    const chat = await Chat.open(workbench);
    const { page, view } = chat;
    const focusMessage = () =>
      until('the message box has the cursor', async () => {
        await page.keyboard.press('Control+Alt+p');
        await delay(500);
        return chat.message.evaluate(box => box === document.activeElement && document.hasFocus());
      });
    await focusMessage();
    await page.keyboard.type('/tour');
    await page.keyboard.press('Enter');
    await chat.choose('Allow');
    await chat.feed.getByText('That was the tour.').waitFor();
    await chat.idle();
    await focusMessage();
    const focused = () =>
      view.locator('body').evaluate(() => {
        const element = document.activeElement;
        return `${element?.tagName} ${element?.getAttribute('aria-label') ?? element?.textContent}`;
      });
    const visited: string[] = [];
    await until('the diff is reached', async () => {
      await page.keyboard.press('Shift+Tab');
      visited.push(await focused());
      return visited.at(-1) === 'BUTTON Open diff';
    }).catch(error => assert.fail(`${error}: ${visited.slice(0, 30).join(', ')}`));
    await page.keyboard.press('Enter');
    await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
  });
});
