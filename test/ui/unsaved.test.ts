import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Chat, until } from './chat';
import { useWorkbench } from './useWorkbench';

const name = 'src/berths.js';
const typed = '// Typed, not saved.';
const line = '// A line from the Example agent.';

describe('Unsaved text in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  /** A window with a file in which something was typed. */
  async function typedIn(settings = {}): Promise<{ chat: Chat; onDisk: () => Promise<string>; original: string }> {
    const chat = await Chat.open(workbench, { settings });
    const onDisk = () => readFile(path.join(chat.window.folder ?? '', name), 'utf8');
    const original = await onDisk();
    await chat.openFile(name);
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.press('ArrowUp');
    await chat.page.keyboard.type(typed);
    await until('the file is unsaved', async () => (await chat.document(name))?.text === `${typed}\n${original}`);
    return { chat, onDisk, original };
  }

  it('is saved before a message, when the user wants that', async () => {
    const { chat, onDisk, original } = await typedIn();
    await chat.send('hello');
    await chat.dialog.getByText(name).waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.dialog.waitFor({ state: 'hidden' });
    await until('the message is in the box again', async () => (await chat.message.inputValue()) === 'hello');
    assert.equal(await chat.article('You').count(), 0, 'closing the question sends nothing');
    assert.equal(await onDisk(), original);

    await chat.message.click();
    await chat.page.keyboard.press('Enter');
    await chat.dialog.getByRole('button', { name: 'Save All' }).click();
    await chat.said('hello').waitFor();
    assert.equal(await onDisk(), `${typed}\n${original}`);
  });

  it('is what the agent reads, and goes with what it writes', async () => {
    const { chat, onDisk, original } = await typedIn();
    await chat.send('/edit');
    await chat.dialog.getByRole('button', { name: 'Send Without Saving' }).click();
    await chat.rows.first().waitFor();
    assert.equal(await onDisk(), original);
    await chat.choose('Allow');
    await chat.feed.getByText('I have changed').waitFor();
    const merged = `${typed}\n${original}${line}\n`;
    assert.equal(await onDisk(), merged);
    assert.deepEqual(await chat.document(name), { text: merged, dirty: false });
  });

  it('is saved, or left alone, without a question as set', async () => {
    const { chat, onDisk, original } = await typedIn({ 'portside.saveBeforePrompt': 'never' });
    await chat.turn('hello');
    assert.equal(await onDisk(), original);
    await chat.window.setSettings({ 'portside.saveBeforePrompt': 'always' });
    await chat.turn('hello again');
    assert.equal(await onDisk(), `${typed}\n${original}`);
  });
});
