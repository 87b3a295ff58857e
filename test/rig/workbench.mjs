import path from 'node:path';

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} WorkbenchOptions
 * @property {string} [workspace] a folder or a `.code-workspace`
 * @property {string[]} [development] folders of extensions under development
 * @property {string} [tests] module to run in the extension host
 */

/**
 * Loads the workbench. Extensions under development and tests are the embedder's options, put into the configuration as
 * the page reads it. The `payload` of the address, which VS Code's own browser tests use, is ignored by a built VS Code
 * unless a switch is given that also hides notifications; and rewriting the page on its way makes Chromium block its
 * WebSockets.
 * @param {Page} page
 * @param {import('./server.mjs').Server} server
 * @param {WorkbenchOptions} [options]
 */
export async function loadWorkbench(page, server, { workspace, development = [], tests } = {}) {
  const uri = file => ({ $mid: 1, scheme: 'vscode-remote', authority: server.authority, path: path.resolve(file) });
  const options = {
    ...(development.length ? { extensions: development.map(uri) } : {}),
    ...(tests ? { extensionTestsPath: uri(tests) } : {}),
  };
  await page.addInitScript(developmentOptions => {
    if (globalThis !== globalThis.top) return;
    const original = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = original.call(this, name);
      if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings' || !value) return value;
      Element.prototype.getAttribute = original;
      const configuration = JSON.parse(value);
      if (Object.keys(developmentOptions).length) configuration.developmentOptions = developmentOptions;
      delete configuration.productConfiguration?.serviceWorker; // of code-server's front, which does not run here
      return JSON.stringify(configuration);
    };
  }, options);
  await page.goto(server.url(workspace));
}

/**
 * Waits until the workbench stands and the extensions' commands and views are registered, which is later.
 * @param {Page} page
 */
export async function workbenchReady(page) {
  await page.waitForFunction(
    () => ['code/didStartWorkbench', 'code/didLoadExtensions'].every(mark => performance.getEntriesByName(mark).length),
    null,
    { timeout: 60_000 },
  );
}

/**
 * The document of the view of an extension that shows no other webview. Webviews lie over the workbench, not inside their
 * view's element, and hidden ones stay in the page: they are told apart by their address, which names no purpose any more
 * after the view was hidden.
 * @param {Page} page
 * @param {string} extensionId
 */
export function viewFrame(page, extensionId) {
  const outer = `iframe.webview.ready[src*="extensionId=${extensionId}"]:visible`;
  return page.frameLocator(outer).frameLocator('#active-frame');
}

/**
 * Runs a command through the command palette, by its whole title. The list is made when the palette opens, and moves while
 * it is drawn: the palette is opened again until the command could be clicked.
 * @param {Page} page
 * @param {string} title with its category, as in `File: Save`
 */
export async function runCommand(page, title) {
  const widget = page.locator('.quick-input-widget:visible');
  // After the title comes the shortcut, if there is one.
  const labels = [`[aria-label=${JSON.stringify(title)}]`, `[aria-label^=${JSON.stringify(`${title},`)}]`];
  const row = widget.locator(labels.map(label => `.monaco-list-row${label}`).join()).first();
  const end = Date.now() + 30_000;
  for (;;) {
    // A key is lost while a view that has the focus is being loaded.
    await page.keyboard.press('F1');
    try {
      await widget.locator('.quick-input-box input').fill(`>${title}`, { timeout: 3000 });
      await row.click({ timeout: 3000 });
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await page.keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  }
}
