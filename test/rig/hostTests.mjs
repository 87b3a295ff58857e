import { format } from 'node:util';
import { newPage } from './browser.mjs';
import { loadWorkbench } from './workbench.mjs';

/**
 * Runs tests of an extension inside the extension host, as the desktop's `code` does with `--extensionTestsPath`.
 * @param {import('./server.mjs').Server} server
 * @param {import('playwright-core').Browser} browser
 * @param {import('./workbench.mjs').WorkbenchOptions} options
 * @param {{ seconds: number, onLog: (type: string, line: string) => void }} run
 * @returns {Promise<{ code: number, reason?: string }>}
 */
export async function runHostTests(server, browser, options, { seconds, onLog }) {
  const page = await newPage(browser);
  let over = false;
  let finish = _result => {};
  const finished = new Promise(resolve => (finish = resolve));
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    // The window's shutdown logs errors that say nothing.
    if (!over) onLog(type, format(...args.map(arg => (typeof arg === 'string' ? arg : JSON.stringify(arg)))));
  });
  await page.exposeFunction('codeAutomationExit', code => finish({ code }));
  page.on('crash', () => finish({ code: 1, reason: 'the page crashed' }));
  const timer = setTimeout(() => finish({ code: 1, reason: `no end within ${seconds} s` }), seconds * 1000);
  await loadWorkbench(page, server, options);
  const result = await finished;
  over = true;
  clearTimeout(timer);
  await page.context().close();
  return result;
}
