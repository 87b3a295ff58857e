import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Chat, until } from './chat';
import { useWorkbench } from './useWorkbench';

describe('The chat survives', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();
  const tickCount = async (chat: Chat): Promise<number> =>
    (await chat.article('Example agent').last().innerText()).match(/tick \d+/g)?.length ?? 0;

  /** What stands in the middle of the view, and where. */
  const shown = (chat: Chat): Promise<{ text: string; top: number }> =>
    chat.scroller.evaluate(scroller => {
      const { x, y, width, height } = scroller.getBoundingClientRect();
      const block = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.blocks > *');
      return { text: block?.textContent ?? '', top: block?.getBoundingClientRect().top ?? 0 };
    });

  it('being hidden while text comes', async () => {
    const chat = await Chat.open(workbench);
    await chat.send('/slow');
    await chat.feed.getByText('tick 3 ').waitFor();
    const before = await tickCount(chat);
    await chat.window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await chat.message.waitFor({ state: 'hidden' });
    await delay(2000);
    await chat.window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await chat.feed.getByText(`tick ${before + 5} `).waitFor();
    await chat.stop.click();
    await chat.idle();
    const text = await chat.article('Example agent').last().innerText();
    const ticks = [...text.matchAll(/tick (\d+)/g)].map(([, n]) => Number(n));
    assert.deepEqual(
      ticks,
      ticks.map((_, index) => index + 1),
      'nothing is missing and nothing comes twice',
    );
  });

  it('moving to the other side bar', async () => {
    const chat = await Chat.open(workbench);
    await chat.turn('hello');
    await chat.type('a draft');
    await chat.window.runCommand('View: Move View');
    await chat.choose('Portside');
    await chat.choose('New Side Bar Entry');
    const bar = chat.page.locator('.part.sidebar');
    await bar.getByText('Portside', { exact: false }).first().waitFor();
    await chat.said('hello').waitFor();
    await chat.feed.getByText('You wrote:').waitFor();
    assert.equal(await chat.message.inputValue(), 'a draft');
    const [box, frame] = [await bar.boundingBox(), await chat.view.locator('body').boundingBox()];
    assert.ok(box && frame && frame.x >= box.x && frame.x < box.x + box.width, 'it is in the primary side bar');
  });

  it('a reload, with transcript, place and draft', async () => {
    const chat = await Chat.open(workbench);
    await chat.turn('/long 12');
    await chat.type('half a thou');
    await chat.scroll(-900);
    await chat.jump.waitFor();
    await delay(500);
    const [before, text] = [await shown(chat), await chat.feed.textContent()];
    assert.ok((await chat.position()).left > 300);
    await chat.window.reload();
    await chat.said('/long 12').waitFor();
    await until('the whole transcript is there', async () => (await chat.feed.textContent()) === text);
    assert.equal(await chat.message.inputValue(), 'half a thou');
    await until('it shows what it showed', async () => {
      const { text, top } = await shown(chat);
      return text === before.text && Math.abs(top - before.top) <= 2;
    });
  });

  it('a reload during a turn, which sends nothing by itself', async () => {
    const chat = await Chat.open(workbench);
    const { window, queue, feed } = chat;
    await chat.send('/slow');
    await feed.getByText('tick 2 ').waitFor();
    await chat.send('the next one');
    await queue.getByText('the next one').waitFor();
    await chat.type('a draft');
    await delay(1000);
    await window.reload();

    await chat.button('Continue').waitFor();
    await queue.getByText('the next one').waitFor();
    assert.equal(await chat.message.inputValue(), 'a draft');
    await delay(2000);
    assert.equal(await chat.article('You').count(), 1);
    assert.deepEqual(
      window.server.processes().filter(({ command }) => command.includes('exampleAgent')),
      [],
      'no agent is started',
    );

    await chat.button('Continue').click();
    await chat.said('the next one').waitFor();
    await chat.idle();
    const said = await chat.article('You').allInnerTexts();
    assert.deepEqual(
      said.map(text => text.trim()),
      ['/slow', 'Continue from where you were interrupted.', 'the next one'],
    );
  });

  it('a crash of the extension host', async () => {
    const chat = await Chat.open(workbench);
    await chat.turn('hello');
    await delay(1200);
    await chat.window.crashExtensionHost();
    await chat.said('hello').waitFor();
    await chat.feed.getByText('What I can do:').waitFor();
    await chat.turn('and again');
    await chat.article('Example agent').last().getByText('and again').waitFor();
  });
});
