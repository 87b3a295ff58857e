import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { ViewEntry } from '../../../src/chat/view';
import { bundle, launch, nextFrames, noBrowser, View } from './page';
import { diff, permission, toolCall } from './samples';

describe('approval card', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: Map<string, string>;
  let view: View;
  let card: Locator;

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

  const asking = toolCall('k', 'npm test', { status: 'pending', permissions: [permission()] });

  /** Time stands still in the view until the test lets it pass. */
  async function open(entries: readonly ViewEntry[] = []): Promise<void> {
    view = await View.open(browser, files, { entries });
    await view.page.evaluate(() => {
      let now = performance.now();
      performance.now = () => now;
      Object.assign(globalThis, { pass: (ms: number) => (now += ms) });
    });
    card = view.page.getByRole('group', { name: /^Approval/ });
  }

  const ask = (entry = asking): Promise<void> => view.patch({ op: 'insert', at: 0, entries: [entry] });
  const pass = (ms: number): Promise<void> =>
    view.page.evaluate(by => (globalThis as unknown as { pass(ms: number): void }).pass(by), ms);
  const answers = (): Promise<unknown[]> => view.asked('answerPermission');
  const option = (name: string): Locator => card.getByRole('button', { name, exact: true });

  it('shows the whole command and every option, in order, with what it really does', async () => {
    await open();
    await ask();
    assert.equal(await card.locator('pre').textContent(), 'npm test -- --grep "greets"\nrm -rf node_modules/.cache');
    assert.deepEqual(await card.locator('[data-option]').allTextContents(), [
      'Allow',
      'Always allow',
      'Reject',
      'Never',
      'Something else',
    ]);
    assert.deepEqual(
      await card.locator('[data-option]').evaluateAll(all => all.map(one => one.className.replace('option ', ''))),
      ['allow', 'allow', 'reject', 'reject', 'neutral'],
    );
    assert.deepEqual(
      await card.locator('[data-option]').evaluateAll(all => all.map(one => one.getAttribute('title'))),
      ['allows once', 'allows from now on', 'rejects once', 'rejects from now on', 'unknown kind: allow_persistent'],
    );
  });

  it('shows the diff and the places before the buttons', async () => {
    await open();
    await ask(toolCall('k', 'Edit', { toolKind: 'read', status: 'pending', permissions: [permission()], content: [{ type: 'diff', diff }], locations: [{ path: '/w/a', line: 3, label: 'a' }] })); // prettier-ignore
    const [place, change, button] = await Promise.all(
      ['.locations button', '.diff', '[data-option]'].map(selector =>
        view.page.locator(selector).first().boundingBox(),
      ),
    );
    assert.ok(place && change && button && place.y < change.y && change.y < button.y);
  });

  it('answers with the option that was pressed', async () => {
    await open();
    await ask();
    await pass(500);
    await option('Reject').click();
    assert.deepEqual(await answers(), [{ requestId: 'r1', optionId: 'no' }]);
  });

  it('answers only once', async () => {
    await open();
    await ask();
    await pass(500);
    await option('Reject').dblclick();
    const settled = permission({ state: 'answered', optionId: 'no' });
    await view.patch({ op: 'set', entry: toolCall('k', 'npm test', { permissions: [settled] }) });
    assert.equal((await answers()).length, 1);
    assert.equal(await card.locator('[data-option]').first().isVisible(), false);
    assert.equal(await card.locator('.outcome').textContent(), 'Reject');
  });

  it('does not hear a click that was meant for what stood there before', async () => {
    await open();
    await ask();
    await option('Allow').click();
    await pass(499);
    await option('Allow').click();
    assert.deepEqual(await answers(), []);
    await pass(1);
    await option('Allow').click();
    assert.equal((await answers()).length, 1);
  });

  it('does not hear a press that began too early', async () => {
    await open();
    await ask();
    await option('Allow').hover();
    await view.page.mouse.down();
    await pass(500);
    await view.page.mouse.up();
    assert.deepEqual(await answers(), []);
    await option('Allow').press('Enter');
    assert.equal((await answers()).length, 1);
  });

  it('does not hear a key that was already down', async () => {
    await open();
    await view.page.getByRole('textbox', { name: 'Message' }).focus();
    await view.page.keyboard.down('Enter');
    await ask();
    await pass(500);
    await option('Allow').focus();
    for (let i = 0; i < 5; i++) await view.page.keyboard.down('Enter');
    await view.page.keyboard.up('Enter');
    assert.deepEqual(await answers(), []);
  });

  it('is deaf again when it comes into sight by scrolling', async () => {
    const output = { type: 'output', text: 'x\n'.repeat(9), clipped: false } as const;
    const calls = Array.from({ length: 30 }, (_, i) => toolCall(`t${i}`, `call ${i}`, { content: [output] }));
    await open([asking, ...calls]);
    await pass(500);
    await view.page.evaluate(() => {
      document.querySelector('.scroller')!.scrollTop = 0;
    });
    await nextFrames(view.page, 3);
    await option('Allow').click();
    assert.deepEqual(await answers(), []);
    await pass(500);
    await option('Allow').click();
    assert.equal((await answers()).length, 1);
  });

  it('never takes the focus by itself', async () => {
    await open();
    await view.page.getByRole('textbox', { name: 'Message' }).focus();
    await ask();
    await pass(500);
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await answers(), []);
  });

  it('says that it was withdrawn, and waits as long as it takes', async () => {
    await open();
    await ask();
    await view.patch({
      op: 'set',
      entry: toolCall('k', 'npm test', { permissions: [permission({ state: 'cancelled' })] }),
    });
    await card.getByText('The question was withdrawn.').waitFor();
  });

  it('makes a dressed-up title and option readable', async () => {
    await open();
    const title = `Read README\n\n\n\u202e${'A'.repeat(2000)}**safe**`;
    await ask(toolCall('k', title, { permissions: [permission({ options: [{ optionId: 'a', name: 'Cancel\u202e', kind: 'allow_always' }] })] })); // prettier-ignore
    const shown = (await view.page.locator('.title').textContent()) ?? '';
    assert.match(shown, /^Read README ↵ \\u\{202e\}A+…$/);
    assert.ok(shown.length < 600);
    assert.equal(await card.locator('[data-option]').textContent(), 'Cancel\\u{202e}');
  });

  it('can be put off when there is no option', async () => {
    await open();
    await ask(toolCall('k', 'x', { permissions: [permission({ options: [] })] }));
    await card.getByText('The agent offered no answer.').waitFor();
  });
});
