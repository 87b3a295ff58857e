import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Chat, until } from './chat';
import { ScriptedAgent, turns, update } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

describe('Reading a conversation in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  it('follows the stream at the bottom, and stays where the user has scrolled to', async () => {
    const chat = await Chat.open(workbench);
    const atEnd = async (): Promise<boolean> => (await chat.position()).left <= 2;
    await chat.send('/long 60 3');
    await until('there is something to scroll', async () => (await chat.position()).top > 500);
    assert.ok(await atEnd());
    assert.equal(await chat.jump.isVisible(), false);

    await chat.scroll(-300);
    await chat.jump.waitFor();
    await delay(500);
    const before = await chat.position();
    await until('more has come', async () => (await chat.position()).left > before.left + 400);
    assert.ok(Math.abs((await chat.position()).top - before.top) <= 2);

    await chat.jump.click();
    await until('the end is shown', atEnd);
    const { top } = await chat.position();
    await until('it follows again', async () => (await chat.position()).top > top + 200 && (await atEnd()));
    assert.equal(await chat.jump.isVisible(), false);
    await chat.stop.click();
  });

  it('finds what is not drawn, and goes there', async () => {
    const fields = { toolCallId: 'c$n', title: 'Call number $n.', kind: 'other', status: 'completed' };
    const agent = new ScriptedAgent(turns([update('tool_call', fields, 400)]));
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('go');
    await chat.article('Call number 399.').waitFor();
    await chat.idle();
    await delay(1000);
    await chat.window.reload();
    await chat.article('Call number 399.').waitFor();
    const wanted = chat.article('Call number 123.');
    assert.equal(await wanted.count(), 0, 'it is not drawn');

    await chat.message.click();
    await chat.page.keyboard.press('Control+f');
    const box = chat.view.getByRole('textbox', { name: 'Find in conversation' });
    await box.waitFor();
    await chat.page.keyboard.type('number 12');
    await chat.view.getByText('1 of 11').waitFor();
    for (let presses = 0; presses < 4; presses++) await chat.page.keyboard.press('Enter');
    await chat.view.getByText('5 of 11').waitFor();
    await until('it is in sight', async () => {
      const [hit, frame] = [await wanted.boundingBox(), await chat.scroller.boundingBox()];
      return !!hit && !!frame && hit.y >= frame.y && hit.y + hit.height <= frame.y + frame.height;
    });
    await chat.page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
  });

  it('copies the conversation and code, and inserts code into the editor', async () => {
    const chat = await Chat.open(workbench);
    const { page, window } = chat;
    await chat.openFile('README.md');
    await page.keyboard.press('Control+End');
    await chat.turn('hello');
    await window.runCommand('Portside: Copy Conversation');
    await until('it is on the clipboard', async () => (await chat.clipboard()).includes('What I can do:'));
    const copied = await chat.clipboard();
    assert.ok(copied.includes('hello') && copied.includes('I am the **Example agent**'));

    const code = chat.feed.locator('.code').filter({ hasText: 'portside.agents' });
    await code.hover();
    await code.getByRole('button', { name: 'Copy' }).click();
    await until('the code is on the clipboard', async () =>
      (await chat.clipboard()).startsWith('"portside.agents": {'),
    );
    const text = await chat.clipboard();
    await code.hover();
    await code.getByRole('button', { name: 'Insert at cursor' }).click();
    await until('the code is in the editor', async () => {
      const document = await chat.document('README.md');
      return document?.text.endsWith(text) === true && document.text.startsWith('# Harbour') && document.dirty;
    });
  });
});
