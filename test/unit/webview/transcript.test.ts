import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { ViewEntry } from '../../../src/chat/view';
import { bundle, launch, nextFrames, noBrowser, View } from './page';
import { agentMessage, everything, toolCall, userMessage } from './samples';

const many = (count: number): ViewEntry[] =>
  Array.from({ length: count }, (_, i) =>
    i % 3 === 0
      ? userMessage(`e${i}`, `Question ${i}`)
      : agentMessage(`e${i}`, `Answer **${i}**\n\n- one\n- two\n\n${'some words '.repeat((i * 7) % 60)}`),
  );

describe('transcript', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: Map<string, string>;
  let view: View;

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

  /** Where the scroller is: distance to the end, and the top of an entry in it. */
  const place = (id?: string): Promise<{ top: number; toEnd: number; entry: number }> =>
    view.page.evaluate(wanted => {
      const scroller = document.querySelector('.scroller')!;
      const entry = wanted === undefined ? undefined : document.querySelector(`[data-id="${wanted}"]`);
      return {
        top: scroller.scrollTop,
        toEnd: scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
        entry: (entry?.getBoundingClientRect().top ?? NaN) - scroller.getBoundingClientRect().top,
      };
    }, id);

  const jump = () => view.page.getByRole('button', { name: 'Jump to latest' });

  it('draws each kind of entry as an article with its name', async () => {
    view = await View.open(browser, files, { entries: everything });
    const feed = view.page.getByRole('feed', { name: 'Conversation' });
    for (const name of ['You', 'Example Agent', 'Thought', 'Plan', 'npm test', 'Read src/greet.ts', 'Error', 'Note'])
      await feed.getByRole('article', { name, exact: true }).waitFor({ state: 'attached' });
    assert.equal(await feed.getByRole('article').count(), everything.length);
    assert.equal(await view.page.title(), 'Portside');
    await view.page.getByRole('main', { name: 'Portside' }).waitFor();
  });

  it('redraws only the entries that a patch names', async () => {
    view = await View.open(browser, files, { entries: everything });
    await view.page.evaluate(() => {
      for (const article of document.querySelectorAll('article')) article.setAttribute('data-mark', 'old');
    });
    await view.patch({ op: 'set', entry: toolCall('k3', 'npm test, again', { status: 'in_progress' }) });
    await view.patch({ op: 'insert', at: everything.length, entries: [userMessage('u2', 'Thanks')] });
    await view.patch({ op: 'remove', id: 'p1' });
    const ids = await view.page.evaluate(() =>
      [...document.querySelectorAll('article')].map(article => [article.dataset['id'], article.dataset['mark']]),
    );
    assert.deepEqual(ids, [
      ...everything.filter(({ id }) => id !== 'p1').map(({ id }) => [id, 'old']),
      ['u2', undefined],
    ]);
    await view.page.getByRole('article', { name: 'npm test, again' }).getByText('Running').waitFor();
  });

  it('asks for the whole state again when a patch is missing', async () => {
    view = await View.open(browser, files, { entries: many(3) });
    await view.send('patch', { seq: 5, ops: [] });
    assert.equal((await view.asked('ready')).length, 2);
  });

  it('follows a stream at the end', async () => {
    view = await View.open(browser, files, { entries: [...many(60), agentMessage('live', 'Begin', true)] });
    for (let i = 0; i < 20; i++) await view.patch({ op: 'append', id: 'live', block: 0, text: `\n\nparagraph ${i}` });
    assert.ok((await place()).toEnd <= 2);
    assert.equal(await jump().isVisible(), false);
  });

  it('stays where the user went, to within 2 px, and follows again only at the end', async () => {
    view = await View.open(browser, files, { entries: [...many(60), agentMessage('live', 'Begin', true)] });
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -1);
    await nextFrames(view.page, 5);
    await jump().waitFor();
    const before = await place('e59');
    for (let i = 0; i < 20; i++) await view.patch({ op: 'append', id: 'live', block: 0, text: `\n\nparagraph ${i}` });
    const after = await place('e59');
    assert.ok(Math.abs(after.entry - before.entry) <= 2, `${before.entry} became ${after.entry}`);
    assert.ok(after.toEnd > 100);
    await view.page.mouse.wheel(0, 100_000);
    await jump().waitFor({ state: 'hidden' });
    await view.patch({ op: 'append', id: 'live', block: 0, text: '\n\nmore\n\nand more' });
    assert.ok((await place()).toEnd <= 2);
  });

  it('keeps its place when something above it changes its height', async () => {
    view = await View.open(browser, files, { entries: many(60) });
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -900);
    await nextFrames(view.page, 10);
    const id = await view.page.evaluate(
      () => document.elementFromPoint(200, 300)?.closest('article')?.getAttribute('data-id') ?? '',
    );
    const before = await place(id);
    const above = `e${Number(id.slice(1)) - 12}`;
    await view.patch({ op: 'set', entry: agentMessage(above, `much more\n\n${'- line\n'.repeat(30)}`) });
    await nextFrames(view.page, 5);
    const after = await place(id);
    assert.ok(Math.abs(after.entry - before.entry) <= 2, `${before.entry} became ${after.entry}`);
  });

  it('goes to the latest when a message is sent', async () => {
    view = await View.open(browser, files, {
      entries: many(60),
      memory: { draft: 'Go on', scroll: { at: 'entry', id: 'e9', offset: 0 } },
    });
    await jump().waitFor();
    await view.page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await jump().waitFor({ state: 'hidden' });
    assert.ok((await place()).toEnd <= 2);
  });

  it('jumps to the latest on the button', async () => {
    view = await View.open(browser, files, { entries: many(200) });
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -3000);
    await jump().click();
    await nextFrames(view.page, 5);
    assert.ok((await place()).toEnd <= 2);
  });

  it('tells the host where it is, and comes back there', async () => {
    view = await View.open(browser, files, { entries: many(300) });
    await view.page.mouse.move(200, 300);
    for (let i = 0; i < 6; i++) {
      await view.page.mouse.wheel(0, -1500);
      await nextFrames(view.page, 6);
    }
    await view.page.waitForTimeout(400);
    const memory = (await view.asked('remember')).at(-1) as { scroll: { at: 'entry'; id: string; offset: number } };
    assert.equal(memory.scroll.at, 'entry');
    const before = await place(memory.scroll.id);
    await view.close();
    view = await View.open(browser, files, { entries: many(300), memory });
    await nextFrames(view.page, 20);
    const after = await place(memory.scroll.id);
    assert.ok(Math.abs(after.entry - before.entry) <= 2, `${before.entry} became ${after.entry}`);
  });

  it('comes back to a place in the middle of a long message', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `Paragraph ${at}.${' And so on.'.repeat(at % 40)}`).join(
      '\n\n',
    );
    const entries = [agentMessage('e0', long)];
    const shown = () =>
      view.page.evaluate(() => {
        const part = document.elementFromPoint(200, 300)?.closest('.blocks > *');
        return { text: part?.textContent ?? '', top: part?.getBoundingClientRect().top ?? 0 };
      });
    view = await View.open(browser, files, { entries });
    await view.page.mouse.move(200, 300);
    await view.page.mouse.wheel(0, -8000);
    await nextFrames(view.page, 10);
    await view.page.waitForTimeout(400);
    const memory = (await view.asked('remember')).at(-1) as { draft: string; scroll: { at: 'bottom' } };
    const before = await shown();
    assert.match(before.text, /^Paragraph/);
    await view.close();
    view = await View.open(browser, files, { entries, memory });
    await nextFrames(view.page, 20);
    const after = await shown();
    assert.equal(after.text, before.text);
    assert.ok(Math.abs(after.top - before.top) <= 2, `${before.top} became ${after.top}`);
  });

  it('draws few of many entries, all in order, and others as they come near', async () => {
    const entries = many(5000);
    view = await View.open(browser, files, { entries });
    assert.ok((await view.page.evaluate(() => document.querySelectorAll('*').length)) <= 5000);
    assert.ok((await place('e4999')).entry > 0);
    await view.page.mouse.move(200, 300);
    for (let i = 0; i < 30; i++) {
      await view.page.mouse.wheel(0, -4000);
      await nextFrames(view.page, 4);
      const state = await view.page.evaluate(() => {
        const ids = [...document.querySelectorAll<HTMLElement>('article')].map(({ dataset }) =>
          Number(dataset['id']?.slice(1)),
        );
        const seen = document.elementFromPoint(200, 300)?.closest('article');
        return {
          sorted: ids.every((id, at) => at === 0 || ids[at - 1]! < id),
          seen: !!seen,
          all: document.querySelectorAll('*').length,
        };
      });
      assert.deepEqual({ sorted: state.sorted, few: state.all <= 8000 }, { sorted: true, few: true });
    }
    await nextFrames(view.page, 10);
    assert.ok(await view.page.evaluate(() => !!document.elementFromPoint(200, 300)?.closest('article')));
  });

  it('shows an entry that the host names, however far it is', async () => {
    view = await View.open(browser, files, { entries: many(2000) });
    await view.send('reveal', { entryId: 'e42' });
    await nextFrames(view.page, 20);
    const { entry } = await place('e42');
    assert.ok(Math.abs(entry - 24) <= 2, `at ${entry}`);
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('data-id')), 'e42');
  });

  it('puts new entries where the host says, also between others', async () => {
    view = await View.open(browser, files, { entries: many(120) });
    for (let i = 0; i < 130; i++)
      await view.patch({ op: 'insert', at: 60 + i, entries: [userMessage(`n${i}`, `new ${i}`)] });
    await view.send('reveal', { entryId: 'n0' });
    await view.send('reveal', { entryId: 'n129' });
    const ids = await view.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('article')].map(({ dataset }) => dataset['id']),
    );
    const all = many(120).map(({ id }) => id);
    const wanted = [...all.slice(0, 60), ...Array.from({ length: 130 }, (_, i) => `n${i}`), ...all.slice(60)];
    assert.deepEqual(
      ids,
      wanted.filter(id => ids.includes(id)),
    );
    assert.ok(ids.includes('n0') && ids.includes('n129') && ids.includes('e119'));
  });

  it('goes from article to article with the page keys', async () => {
    view = await View.open(browser, files, { entries: many(120) });
    await view.send('reveal', { entryId: 'e50' });
    const focused = () => view.page.evaluate(() => document.activeElement?.getAttribute('data-id'));
    await view.page.keyboard.press('PageUp');
    assert.equal(await focused(), 'e49');
    await view.page.keyboard.press('PageDown');
    await view.page.keyboard.press('PageDown');
    assert.equal(await focused(), 'e51');
  });

  it('reaches the conversation and its buttons by Tab alone', async () => {
    view = await View.open(browser, files, { entries: everything, height: 3000 });
    const names: string[] = [];
    await view.page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
    );
    for (let i = 0; i < 70; i++) {
      await view.page.keyboard.press('Tab');
      names.push(
        await view.page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
        }),
      );
    }
    for (const name of ['New session', 'Open diff', 'Copy', 'Insert at cursor', 'Retry', 'Continue', 'Message'])
      assert.ok(
        names.some(found => found === name),
        `${name} among ${names.join(' | ')}`,
      );
    assert.ok(names.some(found => found.startsWith('Allow')));
  });

  it('finds over the whole conversation and marks the hits', async () => {
    view = await View.open(browser, files, { entries: many(1000) });
    await view.answer('find', { matches: [{ entryId: 'e100', count: 1 }, { entryId: 'e101', count: 1 }] }); // prettier-ignore
    await view.send('openFind', {});
    await view.page.getByRole('textbox', { name: 'Find in conversation' }).fill('swer 10');
    await view.page.getByText('1 of 2').waitFor();
    assert.deepEqual(await view.asked('find').then(all => all.at(-1)), { query: 'swer 10' });
    await view.page.keyboard.press('Enter');
    await view.page.getByText('2 of 2').waitFor();
    await nextFrames(view.page, 20);
    const marked = await view.page.evaluate(() => {
      const [range] = CSS.highlights.get('portside-find-current') ?? [];
      if (!(range instanceof Range)) return undefined;
      const box = range.getBoundingClientRect();
      return {
        text: range.toString(),
        inside: box.top > 0 && box.bottom < innerHeight,
        all: CSS.highlights.get('portside-find')?.size,
      };
    });
    assert.deepEqual(marked, { text: 'swer 10', inside: true, all: 2 });
    await view.page.keyboard.press('Escape');
    assert.equal(await view.page.evaluate(() => CSS.highlights.size), 0);
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
  });

  it('opens links, locations and diffs in the host, and never goes anywhere itself', async () => {
    view = await View.open(browser, files, { entries: everything });
    await view.page.getByRole('link', { name: 'the manual' }).click();
    await view.page.getByRole('link', { name: 'the file' }).click({ button: 'middle' });
    await view.page.getByRole('link', { name: 'the file' }).press('Enter');
    await view.page.getByRole('button', { name: 'src/greet.ts:12' }).click();
    await view.page
      .getByRole('article', { name: 'Edit src/greet.ts' })
      .getByRole('button', { name: 'Open diff' })
      .click();
    await view.page
      .getByRole('article', { name: 'npm test', exact: true })
      .getByRole('button', { name: 'Show whole output' })
      .click();
    assert.deepEqual(await view.asked('openLink'), [{ href: 'https://example.com/docs' }, { href: 'src/greet.ts' }]);
    assert.deepEqual(await view.asked('openLocation'), [{ path: '/w/src/greet.ts', line: 12 }]);
    assert.deepEqual(await view.asked('openDiff'), [{ entryId: 'k2', index: 0 }]);
    assert.deepEqual(await view.asked('openOutput'), [{ entryId: 'k3', index: 0 }]);
    assert.equal(view.page.url(), 'http://portside.test/');
    assert.equal(view.page.context().pages().length, 1);
  });

  it('copies and inserts code, and offers the actions of errors', async () => {
    view = await View.open(browser, files, { entries: everything });
    const code = view.page.locator('.code');
    await code.hover();
    await code.getByRole('button', { name: 'Copy' }).click();
    await code.getByRole('button', { name: 'Insert at cursor' }).click();
    await view.page.getByRole('button', { name: 'Show log' }).click();
    await view.page.getByRole('button', { name: 'Continue' }).click();
    const [copied] = (await view.asked('copyText')) as { text: string }[];
    assert.match(copied?.text ?? '', /^\/\/ Says hello[\s\S]*\n}\n$/);
    assert.deepEqual(await view.asked('insertAtCursor'), [copied]);
    assert.deepEqual(await view.asked('act'), [
      { entryId: 'e1', action: 'showLog' },
      { entryId: 'n1', action: 'continue' },
    ]);
  });

  it('offers the ways to sign in, and names one that is not understood', async () => {
    const methods = [
      { id: 'r', name: 'Look here', understood: false },
      { id: 'b', name: 'Log in with X', understood: true },
    ];
    const fields = { code: 'authRequired', message: 'Sign in.', actions: ['retry'] as const, methods };
    view = await View.open(browser, files, { entries: [{ id: 'e1', turn: 1, kind: 'error', ...fields }] });
    const button = (name: string) => view.page.getByRole('button', { name });
    assert.equal(await button('Look here').isDisabled(), true);
    await button('Look here').click({ force: true });
    await button('Log in with X').click();
    await button('I have signed in, try again').click();
    assert.deepEqual(await view.asked('signIn'), [{ methodId: 'b' }]);
    assert.deepEqual(await view.asked('act'), [{ entryId: 'e1', action: 'retry' }]);
  });

  it('colours code of a known language and leaves the rest plain', async () => {
    const text = '```ts\nconst a = "b"; // c\n```\n\n```nolanguage\nconst a\n```\n\n```\nplain\n```';
    view = await View.open(browser, files, { entries: [agentMessage('a', text)] });
    await view.page.locator('.hljs-keyword').waitFor();
    const colours = await view.page.evaluate(() =>
      ['.hljs-keyword', '.hljs-string', '.hljs-comment', 'main'].map(
        selector => getComputedStyle(document.querySelector(selector)!).color,
      ),
    );
    assert.equal(new Set(colours).size, 4);
    assert.deepEqual(
      await view.page
        .locator('.code')
        .evaluateAll(all => all.map(one => one.querySelectorAll('code span span').length > 0)),
      [true, false, false],
    );
    assert.equal(await view.page.locator('.code code').first().textContent(), 'const a = "b"; // c\n');
  });

  it('shows raw input and output only when they are asked for', async () => {
    view = await View.open(browser, files, { entries: everything });
    await view.answer('rawDetails', { input: '{ "path": "/w" }' });
    const call = view.page.getByRole('article', { name: 'Read src/greet.ts' });
    await call.getByRole('button', { name: 'Details' }).click();
    assert.deepEqual(await view.asked('rawDetails'), []);
    await call.getByText('Raw input and output').click();
    await call.getByText('{ "path": "/w" }').waitFor();
    assert.deepEqual(await view.asked('rawDetails'), [{ entryId: 'k1' }]);
  });

  it('reads out what is finished, never the chunks', async () => {
    view = await View.open(browser, files, { entries: [agentMessage('live', '', true)], head: { phase: 'running' } });
    await view.patch({ op: 'append', id: 'live', block: 0, text: 'Half a sen' });
    const spoken = view.page.locator('[aria-live=polite]');
    assert.equal(await spoken.textContent(), '');
    await view.patch({ op: 'append', id: 'live', block: 0, text: 'tence.' }, { op: 'head', head: { phase: 'ready' } });
    await view.patch({ op: 'set', entry: agentMessage('live', 'Half a sentence.') });
    assert.equal(await spoken.textContent(), 'Example Agent: Half a sentence.');
  });
});
