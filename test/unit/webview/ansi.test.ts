import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { bundle, launch, noBrowser, show } from './page';

describe('program output', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;

  before(async function () {
    if (noBrowser) return this.skip();
    browser = await launch();
    ({ page } = await show(browser, await bundle('test/unit/webview/pieces.ts')));
    await page.waitForFunction(() => 'pieces' in globalThis);
  });
  after(() => browser?.close());

  /** What is drawn when the text comes in pieces: words, and each span as [class or colour, words]. */
  const drawn = (...chunks: string[]): Promise<{ text: string; spans: string[][]; chunks: number }> =>
    page.evaluate(texts => {
      const output = new pieces.AnsiOutput();
      for (const text of texts) output.append(text);
      const spans = [...output.root.querySelectorAll<HTMLElement>('.lines > span')];
      return {
        text: output.root.textContent,
        spans: spans.map(span => [span.className || span.style.color || span.style.backgroundColor, span.textContent]),
        chunks: output.root.children.length,
      };
    }, chunks);

  it('keeps colours, also over lines and over pieces that cut a sequence', async () => {
    const red = [['ansi-red-fg', 'one\n'], ['ansi-red-fg', 'two']]; // prettier-ignore
    const whole = await drawn('\u001b[31mone\ntwo\u001b[0m plain');
    assert.deepEqual(whole.spans, red);
    assert.equal(whole.text, 'one\ntwo plain');
    assert.deepEqual(await drawn('\u001b[3', '1mone\nt', 'wo\u001b', '[0m plain'), whole);
  });

  it('knows the palette, true colours and styles', async () => {
    const { spans } = await drawn(
      '\u001b[38;5;196ma\u001b[0m\u001b[38;2;1;2;3mb\u001b[0m\u001b[1;4mc\u001b[0m\u001b[7;32md',
    );
    assert.deepEqual(spans, [
      ['rgb(255, 0, 0)', 'a'],
      ['rgb(1, 2, 3)', 'b'],
      ['ansi-bold ansi-underline', 'c'],
      ['ansi-black-fg ansi-green-bg', 'd'],
    ]);
  });

  it('shows the last state of a line that is drawn over itself', async () => {
    assert.equal((await drawn('10%\r55%\r100%\ndone')).text, '100%\ndone');
    assert.equal((await drawn('long words\rshort\u001b[K\n')).text, 'short\n');
    assert.equal((await drawn('abc\b\bX\n')).text, 'aXc\n');
    assert.equal((await drawn('gone\u001b[2Kkept')).text, '    kept');
    assert.equal((await drawn('win\r\ndows\r\n')).text, 'win\ndows\n');
    const { spans } = await drawn('\u001b[31mred\r\u001b[32mgr');
    assert.deepEqual(spans, [['ansi-green-fg', 'gr'], ['ansi-red-fg', 'd']]); // prettier-ignore
  });

  it('ignores titles, links and cursor movements', async () => {
    const { text } = await drawn(
      '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\\u001b[2J\u001b[?25lc\u001b(B',
    );
    assert.equal(text, 'abc');
  });

  it('cuts long output into pieces and draws only the last one again', async () => {
    const line = '\u001b[33mline\n';
    const { chunks, text, spans } = await drawn(line.repeat(100), '\u001b[0mend');
    assert.equal(chunks, 3);
    assert.equal(text, `${'line\n'.repeat(100)}end`);
    assert.ok(spans.every(([style]) => style === 'ansi-yellow-fg'));
    const stayed = await page.evaluate(() => {
      const output = new pieces.AnsiOutput();
      output.append('x\n'.repeat(50));
      const first = output.root.firstElementChild?.firstChild;
      output.append('more\n');
      return output.root.contains(first ?? null);
    });
    assert.equal(stayed, true);
  });
});
