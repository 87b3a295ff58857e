import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Chat, until } from './chat';
import { ScriptedAgent } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

describe('The message box in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  it('breaks lines by Shift+Enter and grows', async () => {
    const chat = await Chat.open(workbench);
    const { page, message } = chat;
    await chat.type('first');
    const height = (await message.boundingBox())?.height ?? 0;
    for (const word of ['second', 'third']) {
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type(word);
    }
    assert.ok(((await message.boundingBox())?.height ?? 0) > height);
    await page.keyboard.press('Enter');
    await chat.said('first').waitFor();
    assert.equal((await chat.article('You').innerText()).trim(), 'first\nsecond\nthird');
    assert.equal(await message.inputValue(), '');
  });

  it('queues what is typed during a turn: shown, edited, removed, sent in order', async () => {
    const chat = await Chat.open(workbench);
    const { page, queue } = chat;
    await chat.send('/slow');
    await chat.feed.getByText('tick 1 ').waitFor();
    for (const text of ['one', 'two', 'three']) await chat.send(text);
    await queue.nth(2).waitFor();
    await queue.filter({ hasText: 'two' }).getByRole('button', { name: 'Edit' }).click();
    await queue.getByRole('textbox', { name: 'Edit' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home'); // VS Code answers Ctrl+A late in a webview
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await queue.filter({ hasText: 'second' }).waitFor();
    await queue.filter({ hasText: 'three' }).getByRole('button', { name: 'Remove' }).click();
    await until('two are left', async () => (await queue.count()) === 2);

    await chat.stop.click();
    await chat.said('second').waitFor();
    await chat.idle();
    const said = await chat.article('You').allInnerTexts();
    assert.deepEqual(
      said.map(text => text.trim()),
      ['/slow', 'one', 'second'],
    );
    const [text, later] = [await chat.feed.innerText(), await delay(1500).then(() => chat.feed.innerText())];
    assert.equal(later, text, 'what was stopped says nothing more');
  });

  it('completes slash commands by keyboard', async () => {
    const chat = await Chat.open(workbench);
    const { page, message, view } = chat;
    await chat.turn('hello');
    const options = view.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await chat.type('/');
    await options.filter({ hasText: '/tour' }).waitFor();
    await page.keyboard.type('lo');
    await options.filter({ hasText: '/tour' }).waitFor({ state: 'hidden' });
    await options.filter({ hasText: '/long' }).waitFor();
    await page.keyboard.press('Enter');
    await until('it is completed', async () => (await message.inputValue()) === '/long ');
    assert.equal(await options.count(), 0);
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await chat.said('/long 1').waitFor();
    await chat.type('/');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'hidden' });
    assert.equal(await message.inputValue(), '/');
  });

  it('offers modes and options, and shows what the agent has confirmed', async () => {
    const chat = await Chat.open(workbench);
    const { page, view } = chat;
    await chat.turn('hello');
    const mode = view.getByRole('combobox', { name: 'Mode' });
    assert.equal(await mode.inputValue(), 'ask');
    await chat.message.click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await until('the mode is changed', async () => (await mode.inputValue()) === 'acceptEdits');
    await view.getByRole('checkbox', { name: 'Show thoughts' }).click();
    await until('thoughts are off', async () => !(await view.getByRole('checkbox').isChecked()));
    await chat.turn('/tour');
    assert.equal(await chat.article('Thought').count(), 0);
    await chat.feed.getByText('I have changed').waitFor();
  });

  it('leaves an option as it was when the agent refuses', async () => {
    const choices = ['slow', 'fast'].map(value => ({ value, name: value }));
    const option = { type: 'select', id: 'speed', name: 'Speed', currentValue: 'slow', options: choices };
    const agent = new ScriptedAgent([
      { handshake: {}, session: { configOptions: [option] } },
      { expect: 'session/prompt' },
      { reply: { stopReason: 'end_turn' } },
      { expect: 'session/set_config_option' },
      { sleep: 1500 },
      { error: { code: -32602, message: 'not today' } },
    ]);
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.turn('hello');
    const speed = chat.view.getByRole('combobox', { name: 'Speed' });
    await chat.message.click();
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('ArrowDown');
    await until('it is asked for', () => agent.received().some(({ method }) => method === 'session/set_config_option'));
    assert.equal(await speed.inputValue(), 'slow', 'nothing is shown before it is confirmed');
    await chat.feed.getByText('The option was not changed: not today').waitFor();
    assert.equal(await speed.inputValue(), 'slow');
  });
});
