import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { bundle, launch, nextFrames, noBrowser, View } from './page';

describe('composer', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: Map<string, string>;
  let view: View;
  let box: Locator;

  before(async function () {
    if (noBrowser) return this.skip();
    browser = await launch();
    files = await bundle('webview/main.ts');
  });
  after(() => browser?.close());
  afterEach(async () => {
    assert.deepEqual(view.problems, []);
    await view.close();
  });

  async function open(options: Parameters<typeof View.open>[2] = {}): Promise<void> {
    view = await View.open(browser, files, options);
    box = view.page.getByRole('textbox', { name: 'Message' });
  }
  /** The messages that were sent. */
  const sent = async (): Promise<string[]> =>
    ((await view.asked('prompt')) as { text: string }[]).map(({ text }) => text);
  const button = (name: string): Locator => view.page.getByRole('button', { name, exact: true });
  const key = (name: string): Promise<void> => view.page.keyboard.press(name);

  it('sends with Enter, breaks the line with Shift+Enter', async () => {
    await open();
    await box.pressSequentially('one');
    await key('Shift+Enter');
    await box.pressSequentially('two');
    await key('Enter');
    assert.deepEqual(await sent(), ['one\ntwo']);
    assert.equal(await box.inputValue(), '');
    await key('Enter');
    assert.equal((await sent()).length, 1);
  });

  it('leaves the keys of an input method alone', async () => {
    await open();
    await box.fill('にほん');
    await view.page.evaluate(() => {
      const target = document.querySelector('textarea')!;
      const press = (init: KeyboardEventInit & { keyCode?: number }): boolean =>
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }));
      press({ isComposing: true });
      press({ keyCode: 229 });
    });
    assert.deepEqual(await sent(), []);
    await box.press('Enter');
    assert.deepEqual(await sent(), ['にほん']);
  });

  it('gives back what the host refuses', async () => {
    await open();
    await view.page.evaluate(() => {
      (window as unknown as { refuse: Record<string, string> }).refuse['prompt'] = 'No.';
    });
    await box.fill('precious');
    await button('Send').click();
    await view.page.waitForFunction(() => document.querySelector('textarea')?.value === 'precious');
  });

  it('grows with its text, up to a limit', async () => {
    await open();
    const height = async (): Promise<number> => (await box.boundingBox())?.height ?? 0;
    const one = await height();
    await box.fill('a\nb\nc\nd\ne');
    const five = await height();
    await box.fill('x\n'.repeat(200));
    const all = await height();
    assert.ok(five > one + 40 && all > five && all <= 320, `${one}, ${five}, ${all}`);
  });

  it('stops a running turn, and queues what is typed meanwhile', async () => {
    await open({ head: { phase: 'running', queue: [{ id: 'q1', text: 'first' }, { id: 'q2', text: 'second' }] } }); // prettier-ignore
    await button('Stop').click();
    assert.equal((await view.asked('stop')).length, 1);
    await box.fill('third');
    await key('Enter');
    assert.deepEqual(await sent(), ['third']);
    const queued = view.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    assert.deepEqual(await queued.allTextContents(), ['first', 'second']);
    await queued.first().getByRole('button', { name: 'Remove' }).click();
    await queued.nth(1).getByRole('button', { name: 'Edit' }).click();
    await queued.nth(1).getByRole('textbox').fill('changed');
    await key('Enter');
    assert.deepEqual(await view.asked('removeQueued'), [{ id: 'q1' }]);
    assert.deepEqual(await view.asked('editQueued'), [{ id: 'q2', text: 'changed' }]);
    await view.patch({ op: 'head', head: { phase: 'ready', queue: [] } });
    assert.equal(await button('Stop').isVisible(), false);
    assert.equal(await queued.count(), 0);
  });

  const commands = [
    { name: 'tour', description: 'Shows everything' },
    { name: 'long', description: 'Streams', hint: '<KB>' },
    { name: 'slow-tour', description: 'Takes its time' },
  ];

  it('completes commands', async () => {
    await open({ head: { commands } });
    await box.pressSequentially('/to');
    const options = view.page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    assert.deepEqual(await options.allTextContents(), ['/tourShows everything', '/slow-tourTakes its time']);
    const active = (): Promise<string | null> => box.getAttribute('aria-activedescendant');
    assert.equal(await active(), 'command-tour');
    await key('ArrowDown');
    await nextFrames(view.page, 2);
    assert.equal(await active(), 'command-slow-tour');
    await key('Enter');
    assert.equal(await box.inputValue(), '/slow-tour ');
    assert.deepEqual(await sent(), []);
    await box.fill('/l');
    await key('Tab');
    await view.page.getByText('<KB>').waitFor();
    assert.equal(await box.inputValue(), '/long ');
    await box.pressSequentially('20');
    await key('Enter');
    assert.deepEqual(await sent(), ['/long 20']);
  });

  it('sends a whole or an unknown command as it is, and lets the list be dismissed', async () => {
    await open({ head: { commands } });
    await box.fill('/tour');
    await key('Enter');
    await box.fill('/nothing');
    await key('Enter');
    await box.fill('/lo');
    await key('Escape');
    assert.equal(await view.page.getByRole('listbox').count(), 0);
    await key('Enter');
    assert.deepEqual(await sent(), ['/tour', '/nothing', '/lo']);
  });

  it('shows a mode only when the agent has confirmed it', async () => {
    const availableModes = [{ id: 'ask', name: 'Ask' }, { id: 'code', name: 'Code' }]; // prettier-ignore
    await open({ head: { modes: { currentModeId: 'ask', availableModes } } });
    const mode = view.page.getByRole('combobox', { name: 'Mode' });
    await mode.selectOption('code');
    assert.deepEqual(await view.asked('setMode'), [{ modeId: 'code' }]);
    assert.equal(await mode.inputValue(), 'ask');
    await view.patch({ op: 'head', head: { modes: { currentModeId: 'code', availableModes } } });
    assert.equal(await mode.inputValue(), 'code');
  });

  it('draws options in the agent’s order, with groups, and no modes beside them', async () => {
    await open({
      head: {
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
        configOptions: [
          { id: 'model', name: 'Model', type: 'select', value: 'b', choices: [{ value: 'a', name: 'A', group: 'One' }, { value: 'b', name: 'B', group: 'Two' }] }, // prettier-ignore
          { id: 'fast', name: 'Fast', type: 'boolean', value: false },
        ],
      },
    });
    assert.equal(await view.page.getByRole('combobox', { name: 'Mode', exact: true }).count(), 0);
    const model = view.page.getByRole('combobox', { name: 'Model' });
    assert.deepEqual(await model.locator('optgroup').evaluateAll(all => all.map(one => one.getAttribute('label'))), [
      'One',
      'Two',
    ]);
    await model.selectOption('a');
    const fast = view.page.getByRole('checkbox', { name: 'Fast' });
    await fast.click();
    assert.deepEqual(await view.asked('setConfigOption'), [
      { configId: 'model', value: 'a' },
      { configId: 'fast', value: true },
    ]);
    assert.deepEqual([await model.inputValue(), await fast.isChecked()], ['b', false]);
  });

  it('shows usage, also of an unknown size', async () => {
    await open({ head: { usage: { used: 12_345, size: 200_000, cost: { amount: 0.5, currency: 'EUR' } } } });
    await view.page.getByText('12.3K of 200K tokens · 0.50 EUR').waitFor();
    await view.patch({ op: 'head', head: { usage: { used: 10, size: 0 } } });
    await view.page.getByText('10 tokens', { exact: true }).waitFor();
  });

  it('remembers the draft', async () => {
    await open({ memory: { draft: 'half a thought' } });
    assert.equal(await box.inputValue(), 'half a thought');
    await box.pressSequentially(', and more');
    await view.page.waitForTimeout(300);
    const [last] = (await view.asked('remember')).slice(-1) as { draft: string }[];
    assert.equal(last?.draft, 'half a thought, and more');
  });

  it('keeps what is typed before the host has told its state', async () => {
    await open({ memory: { draft: 'old' }, readyAfter: 1500 });
    await box.pressSequentially('new');
    await view.page.waitForTimeout(2000);
    assert.equal(await box.inputValue(), 'new');
  });

  it('takes the cursor and text when the host says so', async () => {
    await open({ memory: { draft: 'see' } });
    await view.send('focusComposer', { insert: '@a.ts' });
    assert.equal(await box.inputValue(), 'see @a.ts');
    await view.page.keyboard.type('!');
    assert.equal(await box.inputValue(), 'see @a.ts!');
  });

  it('says why nothing can start', async () => {
    await open({ head: { blocked: 'untrusted' } });
    await view.page.getByText('Portside starts no agent in Restricted Mode').waitFor();
    assert.equal(await box.count(), 0);
    await view.patch({ op: 'head', head: { blocked: 'noFolder' } });
    await button('Open Folder').click();
    assert.deepEqual(await view.asked('act'), [{ entryId: '', action: 'openFolder' }]);
    await view.patch({ op: 'head', head: { blocked: null } });
    await box.waitFor();
  });

  it('tells what goes on, for how long, and can cancel it', async () => {
    await open({ head: { phase: 'connecting', activity: { text: 'Starting Example Agent…', since: Date.now() - 61_000, cancellable: true } } }); // prettier-ignore
    await view.page.getByText('Starting Example Agent…').waitFor();
    await view.page.getByText(/^6\d s$/).waitFor();
    await button('Cancel').click();
    assert.equal((await view.asked('stop')).length, 1);
    await button('New session').click();
    assert.equal((await view.asked('newSession')).length, 1);
  });
});
