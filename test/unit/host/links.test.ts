import assert from 'node:assert/strict';
import { readLink } from '../../../src/host/links';

describe('links', () => {
  it('lead to web addresses and to files, with a line', () => {
    const file = (path: string, line?: number) => ({ kind: 'file', path, ...(line ? { line } : {}) });
    for (const [href, target] of [
      ['https://example.com/a?b#c', { kind: 'web', address: 'https://example.com/a?b#c' }],
      ['HTTP://example.com', { kind: 'web', address: 'http://example.com/' }],
      ['src/a.ts', file('/w/src/a.ts')],
      ['./src/a%20b.ts#L12', file('/w/src/a b.ts', 12)],
      ['src/a.ts#L12-L20', file('/w/src/a.ts', 12)],
      ['/w/a.ts:3', file('/w/a.ts', 3)],
      ['/w/a.ts:3:14', file('/w/a.ts', 3)],
      ['file:///w/a%20b.ts#L2', file('/w/a b.ts', 2)],
      ['100%.txt', file('/w/100%.txt')],
    ] as const)
      assert.deepEqual(readLink(href, '/w'), target, href);
  });

  it('lead nowhere else', () => {
    for (const href of [
      'command:workbench.action.quit',
      'vscode://x/y',
      'javascript:alert(1)',
      'data:text/html,x',
      'mailto:a@b',
      'file://server/share/a',
      '//server/share/a',
      '\\\\server\\share',
      'https://',
      '#L1',
      '',
    ])
      assert.equal(readLink(href, '/w'), undefined, href);
  });
});
