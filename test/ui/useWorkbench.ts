import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { Bridge } from '#rig/bridge.mjs';
import { launchBrowser, newPage } from '#rig/browser.mjs';
import { copySample } from '#rig/install.mjs';
import { companion, root } from '#rig/paths.mjs';
import { Server } from '#rig/server.mjs';
import { forTests, themes } from '#rig/settings.mjs';
import { loadWorkbench, runCommand, viewFrame, workbenchReady } from '#rig/workbench.mjs';

type Settings = Record<string, unknown>;

export interface WorkbenchOptions {
  /** Portside from its .vsix (the default), or under development, where a killed extension host stays dead. */
  mode?: 'installed' | 'development';
  settings?: Settings;
  /** Asks for workspace trust: folders open in Restricted Mode. */
  trust?: boolean;
  env?: Record<string, string>;
}

export interface OpenOptions {
  /** The sample project (a fresh copy, the default), an empty folder, none, or a path. */
  folder?: 'sample' | 'empty' | 'none' | (string & {});
  /** More files, by relative path. */
  files?: Readonly<Record<string, string>>;
  settings?: Settings;
  width?: number;
  height?: number;
}

const restricted = { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };

/**
 * A VS Code for the tests of a `describe` block: one server and one browser for all, a fresh window for each `open`.
 * When a test fails its windows are kept as pictures in `shots/`.
 */
export function useWorkbench(options: WorkbenchOptions = {}): { open(options?: OpenOptions): Promise<Workbench> } {
  const development = options.mode === 'development';
  const installed = process.env['PORTSIDE_INSTALLED'];
  const settings = { ...forTests, ...(options.trust ? restricted : {}) };
  const windows: Workbench[] = [];
  let shared: { bridge: Bridge; server: Server; browser: Browser };

  before(async function () {
    this.timeout(120_000);
    assert.ok(development || installed, 'run UI tests with `npm test -- ui`');
    const bridge = await Bridge.listen();
    const [server, browser] = await Promise.all([
      Server.start({
        settings: { ...settings, ...options.settings },
        extensions: [companion, ...(development || !installed ? [] : [installed])],
        env: { ...bridge.env, ...options.env },
        trust: options.trust ?? false,
      }),
      launchBrowser(),
    ]);
    shared = { bridge, server, browser };
  });

  afterEach(async function () {
    const failed = this.currentTest?.state === 'failed';
    const title = this.currentTest?.fullTitle() ?? '';
    for (const [index, window] of windows.splice(0).entries()) {
      if (failed) await window.keep(`${title}${index ? ` ${index + 1}` : ''}`);
      await window.close();
      assert.deepEqual(window.outside, [], 'nothing beyond loopback is asked for');
    }
  });

  after(async () => {
    await Promise.all([shared.browser.close(), shared.server.stop()]);
    shared.bridge.close();
  });

  return {
    async open(openOptions = {}) {
      const all = { ...settings, ...options.settings, ...openOptions.settings };
      const window = await Workbench.open(shared, openOptions, all, development);
      windows.push(window);
      return window;
    },
  };
}

/** One window. What acts in it is the mouse and the keyboard; `bridge` reads, and sets up. */
export class Workbench {
  /** The document of Portside's view. */
  readonly view: FrameLocator;
  /** Addresses that were asked for beyond loopback. */
  readonly outside: string[] = [];
  private constructor(
    readonly page: Page,
    readonly server: Server,
    readonly bridge: Bridge,
    /** What is open, if anything is. */
    readonly folder: string | undefined,
    private readonly temporary: string | undefined,
  ) {
    this.view = viewFrame(page, 'portside.portside');
    page.on('request', request => {
      const own = /^(https?:\/\/127\.0\.0\.1:|https:\/\/[\w+.-]*vscode-resource\.vscode-cdn\.net\/|data:|blob:)/;
      if (!own.test(request.url())) this.outside.push(request.url());
    });
  }

  static async open(
    { bridge, server, browser }: { bridge: Bridge; server: Server; browser: Browser },
    options: OpenOptions,
    settings: Settings,
    development: boolean,
  ): Promise<Workbench> {
    const { folder, temporary } = makeFolder(options.folder ?? 'sample');
    for (const [name, text] of Object.entries(options.files ?? {})) {
      assert.ok(folder, 'files need a folder');
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const window = new Workbench(await newPage(browser, options), server, bridge, folder, temporary);
    server.writeSettings(settings);
    const before = bridge.connections;
    await loadWorkbench(window.page, server, {
      ...(folder ? { workspace: folder } : {}),
      ...(development ? { development: [root] } : {}),
    });
    await window.ready(before);
    await window.showView();
    return window;
  }

  /** Clicks Portside's tab in the secondary side bar, where VS Code shows its own Chat first. */
  async showView(): Promise<void> {
    await this.page.locator('.part.auxiliarybar').getByRole('tab', { name: 'Portside' }).click();
  }

  /** Changes some of the user's settings. Goes through the bridge, since an open window does not see a changed file. */
  async setSettings(settings: Settings): Promise<void> {
    await this.bridge.read(async (vscode, changed) => {
      const configuration = vscode.workspace.getConfiguration();
      for (const [key, value] of Object.entries(changed))
        await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    }, settings);
  }

  /** Switches the colour theme and waits until the view has it. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    await this.setSettings({ 'workbench.colorTheme': themes[theme] });
    await this.view.locator(`body[data-vscode-theme-kind="vscode-${theme}"]`).waitFor();
  }

  runCommand(title: string): Promise<void> {
    return runCommand(this.page, title);
  }

  async reload(): Promise<void> {
    const before = this.bridge.connections;
    await Promise.all([this.page.waitForEvent('load'), this.runCommand('Developer: Reload Window')]);
    await this.ready(before);
  }

  /** Ends the extension host as a crash does. Portside has to be installed for it to come back. */
  async crashExtensionHost(): Promise<void> {
    const before = this.bridge.connections;
    process.kill(await this.bridge.read(() => process.pid), 'SIGKILL');
    await this.bridge.connected(before);
  }

  /** Drags the border of the side bar until the view has that inner width. */
  async setViewWidth(width: number): Promise<void> {
    const bar = await this.page.locator('.part.auxiliarybar').boundingBox();
    assert.ok(bar, 'the secondary side bar is open');
    const distance = (sash: { x: number; width: number }): number => Math.abs(sash.x + sash.width / 2 - bar.x);
    const boxes = await Promise.all((await this.page.locator('.monaco-sash.vertical').all()).map(s => s.boundingBox()));
    const [sash] = boxes.flatMap(box => (box ? [box] : [])).sort((a, b) => distance(a) - distance(b));
    assert.ok(sash, 'its border can be dragged');
    const wider = width - (await this.view.locator('body').evaluate(() => innerWidth));
    const [x, y] = [sash.x + sash.width / 2, bar.y + bar.height / 3];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x - wider, y, { steps: 8 });
    await this.page.mouse.up();
  }

  /** A picture of the window in `shots/`. */
  async keep(name: string): Promise<void> {
    const file = path.join(root, 'shots', `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)}.png`);
    await this.page.screenshot({ path: file }).catch(() => {});
  }

  /** Closes the window as a user does: the extension host is told, and ends. */
  async close(): Promise<void> {
    if (!this.page.isClosed()) {
      await this.page.goto('about:blank').catch(() => {});
      await this.page.context().close();
    }
    if (this.temporary) rmSync(this.temporary, { recursive: true, force: true });
  }

  private async ready(connectionsBefore: number): Promise<void> {
    await workbenchReady(this.page);
    await this.bridge.connected(connectionsBefore);
  }
}

function makeFolder(folder: string): { folder?: string; temporary?: string } {
  if (folder === 'none') return {};
  if (folder === 'sample') {
    const sample = copySample();
    return { folder: sample, temporary: path.dirname(sample) };
  }
  if (folder !== 'empty') return { folder };
  const temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'portside-')));
  return { folder: temporary, temporary };
}
