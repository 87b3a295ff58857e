import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { bundle, launch, noBrowser, show } from './page';

/** Lines that meet in every way that Markdown knows, and some that it does not. */
const lines = [
  '# heading\n', 'a paragraph\n', 'more **bold** and `code`\n', '\n', '\n', '\n\n', '- item\n', '- item two\n', '* star\n',
  '1. one\n', '2. two\n', '7) seven\n', '10. ten\n', '  - nested\n', '    - deep\n', '  continued\n', '    indented\n',
  '\t tab\n', '> quote\n', '> - item in a quote\n', '>\n', '> lazy\nlazy line\n', '```\n', '```js\n', '~~~\n', '````\n',
  'let x = 1;\n', '  ```\n', '+ ```\n', '---\n', '===\n', '***\n', '- - -\n', '| a | b |\n', '|---|:-:|\n', '| 1 | [x] |\n',
  'a | b\n', '--- | ---\n', '| only |\n', '|-|\n', '[x]\n', '[ref][Y]\n', '[x]: http://x.y "t"\n', '[X]:http://late\n',
  '[y]:\n', '  /url\n', '- [x]: /in/list\n', '<b>raw</b>\n', '<script>alert(1)</script>\n', '![img](http://a/b.png)\n',
  '[l](http://a)\n', '[l](javascript:x)\n', 'line  \n', 'hard\\\n', '&amp; \\* esc\n', '-\n', '1.\n', '- \n', '  x\n', '   three\n',
  'a', '-', '`', '#', ' ', '|', '=', '\r\n', '\\[x\\]', '*em*', '_', '~~s~~', '\0',
]; // prettier-ignore

describe('streaming Markdown', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;

  before(async function () {
    if (noBrowser) return this.skip();
    browser = await launch();
    ({ page } = await show(browser, await bundle('test/unit/webview/pieces.ts')));
    await page.waitForFunction(() => 'pieces' in globalThis);
  });
  after(() => browser?.close());

  it('ends with the DOM of a full render, whatever the text and the chunks', async () => {
    const failed = await page.evaluate(
      ([fragments, cases]) => {
        let state = 20261130;
        const below = (n: number): number => {
          state = (state * 1664525 + 1013904223) >>> 0;
          return Math.floor((state / 2 ** 32) * n);
        };
        const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
        for (let i = 0; i < cases; i++) {
          const few = below(3) ? fragments : Array.from({ length: 5 }, () => pick(fragments));
          const text = Array.from({ length: 1 + below(i % 5 === 0 ? 120 : 25) }, () => pick(few)).join('');
          const stream = new pieces.MarkdownStream();
          const longest = pick([1, 3, 8, 20, 60]);
          for (let at = 0, now = 0; at < text.length;) {
            const size = 1 + below(longest);
            stream.append(text.slice(at, at + size));
            at += size;
            if (below(2)) stream.flush((now += 1000));
          }
          stream.end();
          const expected = pieces.renderMarkdown(text).outerHTML;
          if (stream.root.outerHTML !== expected) return { text, expected, actual: stream.root.outerHTML };
        }
        return undefined;
      },
      [lines, 1500] as const,
    );
    assert.equal(failed?.actual, failed?.expected, failed && JSON.stringify(failed.text));
  });

  it('draws long lists, tables, code and many blocks as a full render does', async () => {
    const texts = {
      list: '- item **one**\n'.repeat(120),
      'list that becomes loose late': `${'1. item\n'.repeat(60)}\n1. last\n`,
      table: `| a | b |\n|---|---|\n${'| 1 | `two` |\n'.repeat(450)}\nafter`,
      code: `\`\`\`ts\n${'const x = 1;\n'.repeat(200)}\`\`\`\nafter`,
      'open code': `text\n\n~~~~\n${'~~~\nx\n'.repeat(70)}`,
      blocks: 'a paragraph\n\n> quote\n\n# h\n\n'.repeat(40),
      'late definition': `${'See [one] and [two][one].\n\n- [one]\n- x\n\n'.repeat(30)}[one]: /there "title"\n`,
      'one paragraph': 'words without an end '.repeat(2000),
    };
    for (const [name, text] of Object.entries(texts)) {
      const { actual, expected } = await page.evaluate(whole => {
        const stream = new pieces.MarkdownStream();
        for (let at = 0, now = 0; at < whole.length; at += 17) {
          stream.append(whole.slice(at, at + 17));
          stream.flush((now += 16));
        }
        stream.end();
        return { actual: stream.root.outerHTML, expected: pieces.renderMarkdown(whole).outerHTML };
      }, text);
      assert.equal(actual, expected, name);
    }
  });

  it('starts again when text comes after the end', async () => {
    const same = await page.evaluate(() => {
      const stream = new pieces.MarkdownStream();
      stream.append('- a\n```\nx');
      stream.end();
      stream.append('\n```\n[x]: /y\n\n[x]');
      stream.end();
      return stream.root.outerHTML === pieces.renderMarkdown('- a\n```\nx\n```\n[x]: /y\n\n[x]').outerHTML;
    });
    assert.equal(same, true);
  });

  it('parses each byte of a long answer only a few times', async () => {
    const perByte = await page.evaluate(() => {
      const text = 'A paragraph with some words in it.\n\n- an item\n- another\n\n```\ncode\ncode\n```\n\n'.repeat(500);
      const stream = new pieces.MarkdownStream();
      for (let at = 0, now = 0; at < text.length; at += 20) {
        stream.append(text.slice(at, at + 20));
        stream.flush((now += 16));
      }
      return stream.parsed / text.length;
    });
    assert.ok(perByte <= 20, `${perByte} characters parsed for each that came`);
  });

  it('keeps the elements that a selection or the focus may be in', async () => {
    const kept = await page.evaluate(() => {
      const stream = new pieces.MarkdownStream();
      stream.append('A [link](http://a) and');
      stream.flush(0);
      const link = stream.root.querySelector('a');
      const text = link?.nextSibling;
      stream.append(' **more** of it');
      stream.flush(16);
      return (
        link?.isConnected === stream.root.isConnected &&
        stream.root.contains(link) &&
        stream.root.contains(text ?? null)
      );
    });
    assert.equal(kept, true);
  });

  it('leaves raw HTML as text and runs nothing', async () => {
    const { html, text, ran } = await page.evaluate(async () => {
      const source =
        '<img src=x onerror="globalThis.ran=true"> <script>globalThis.ran=true</script>\n\n<div onclick=x>\n\n<b>';
      const root = pieces.renderMarkdown(source);
      document.body.append(root);
      await new Promise(resolve => setTimeout(resolve, 50));
      return {
        html: [...root.querySelectorAll('*')].map(element => element.tagName),
        text: root.textContent,
        ran: 'ran' in globalThis,
      };
    });
    assert.deepEqual(new Set(html), new Set(['DIV', 'P']));
    assert.match(text, /<script>globalThis.ran=true<\/script>/);
    assert.match(text, /<div onclick=x>/);
    assert.equal(ran, false);
  });

  it('links only to http, https and files', async () => {
    const links: Record<string, boolean> = {
      'http://example.com': true, 'https://example.com/a?b#c': true, 'src/a.ts': true, './a.ts#L3': true, '../a b.ts': true,
      '/w/a.ts': true, 'C:\\w\\a.ts': true, 'c:/w/a.ts': true, 'file:///w/a.ts': true, 'a.ts?x=1:2': true,
      'javascript:alert(1)': false, 'JavaScript:x': false, 'vscode:x': false, 'command:workbench.action.quit': false,
      'data:text/html,x': false, 'mailto:a@b': false, '//evil.example': false, '\\\\server\\share': false, '#top': false, '': false,
      'java\nscript:x': false, ' javascript:x': false, 'vbscript:x': false, 'blob:x': false,
    }; // prettier-ignore
    const actual = await page.evaluate(
      hrefs => Object.fromEntries(hrefs.map(href => [href, pieces.isAllowedLink(href)])),
      Object.keys(links),
    );
    assert.deepEqual(actual, links);
    const anchors = await page.evaluate(() =>
      [
        ...pieces
          .renderMarkdown('[a](javascript:x) [b](&#106;avascript:x) <vscode:x> [c](<java\\script:x>) [d](http://ok)')
          .querySelectorAll('a'),
      ].map(a => a.getAttribute('href')),
    );
    assert.deepEqual(anchors, ['http://ok']);
  });

  it('draws pictures from the text only', async () => {
    const { pictures, links } = await page.evaluate(() => {
      const root = pieces.renderMarkdown(
        '![near](data:image/png;base64,AAAA) ![far](https://example.com/a.png) [x](data:image/png;base64,AA)',
      );
      return {
        pictures: [...root.querySelectorAll('img')].map(image => image.getAttribute('src')),
        links: [...root.querySelectorAll('a')].map(link => link.textContent),
      };
    });
    assert.deepEqual(pictures, ['data:image/png;base64,AAAA']);
    assert.deepEqual(links, ['far']);
  });
});
