import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import type { ViewHead } from '../../../src/chat/view';
import { bundle, launch, noBrowser, View } from './page';
import { everything } from './samples';
import { themeKinds } from './themes';

const full: Partial<ViewHead> = {
  phase: 'running',
  activity: { text: 'Working…', since: 0, cancellable: true },
  folder: 'sample',
  title: 'Make greet() refuse empty names',
  queue: [{ id: 'q1', text: 'Then update the changelog' }],
  modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
  usage: { used: 1, size: 2 },
  commands: [{ name: 'tour', description: 'Shows everything', hint: 'x' }],
};

describe('looks', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: Map<string, string>;

  before(async function () {
    if (noBrowser) return this.skip();
    browser = await launch();
    files = await bundle('webview/main.ts');
  });
  after(() => browser?.close());

  const axe = createRequire(__filename).resolve('axe-core/axe.min.js');

  /** What is seriously wrong for people who see, hear or move differently. */
  async function problemsOf(view: View): Promise<string[]> {
    const results = await view.page.evaluate(async () =>
      (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
    );
    return results.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`));
  }

  for (const theme of themeKinds) {
    it(`axe-core finds nothing serious in ${theme}`, async () => {
      const view = await View.open(browser, files, { entries: everything, head: full, theme, height: 2400, axe });
      await view.page.locator('.hljs-keyword').first().waitFor();
      assert.deepEqual(await problemsOf(view), []);
      await view.page.getByRole('textbox', { name: 'Message' }).fill('/');
      await view.send('openFind', {});
      await view.page.locator('details').evaluateAll(all => all.forEach(one => one.setAttribute('open', '')));
      assert.deepEqual(await problemsOf(view), []);
      assert.deepEqual(view.problems, []);
      await view.close();
    });
  }

  it('axe-core finds nothing serious in an empty or blocked view', async () => {
    for (const head of [{}, { blocked: 'noFolder' }, { blocked: 'untrusted' }] as Partial<ViewHead>[]) {
      const view = await View.open(browser, files, { head, axe });
      assert.deepEqual(await problemsOf(view), []);
      await view.close();
    }
  });

  for (const width of [260, 420, 1200]) {
    it(`fits into ${width} px`, async () => {
      const view = await View.open(browser, files, { entries: everything, head: full, width, height: 2600 });
      const wide = await view.page.evaluate(() =>
        [
          document.documentElement,
          document.body,
          ...document.querySelectorAll('main, .header, .scroller, .feed, .section, article, .composer, .footerHolder'),
        ]
          .filter(element => element.scrollWidth > element.clientWidth + 1)
          .map(element => `${element.tagName}.${element.className} ${element.scrollWidth}>${element.clientWidth}`),
      );
      assert.deepEqual(wide, []);
      await view.close();
    });
  }

  it('shows where the focus is', async () => {
    const view = await View.open(browser, files, { entries: everything, head: full, height: 2600 });
    for (let i = 0; i < 40; i++) {
      await view.page.keyboard.press('Tab');
      const unseen = await view.page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        if (!element || element === document.body || element.matches('textarea, .find input')) return undefined;
        return getComputedStyle(element).outlineStyle === 'none' ? element.outerHTML.slice(0, 100) : undefined;
      });
      assert.equal(unseen, undefined);
    }
    await view.close();
  });

  it('keeps to the policy of the page and loads nothing remote', async () => {
    const view = await View.open(browser, files, { entries: [] });
    const requests: string[] = [];
    view.page.on('request', request => requests.push(request.url()));
    await view.patch({ op: 'insert', at: 0, entries: everything });
    await view.page.locator('.hljs-keyword').first().waitFor();
    assert.deepEqual(
      requests.filter(url => !url.startsWith('http://portside.test/')),
      [],
    );
    assert.deepEqual(view.problems, []);
    await view.close();
  });
});

describe('size of the view', () => {
  it('stays under 320 KB without what is loaded later', async () => {
    const minified = await bundle('webview/main.ts', true);
    const script = minified.get('/view.js') ?? '';
    const imported = [...script.matchAll(/from"\.\/([^"]+)"|import"\.\/([^"]+)"/g)].map(
      match => minified.get(`/${match[1] ?? match[2]}`) ?? '',
    );
    const size = [script, ...imported].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    assert.ok(size > 100_000 && size < 320 * 1024, `${size} bytes`);
    assert.ok([...minified.keys()].some(name => name.includes('grammars')));
  });
});
