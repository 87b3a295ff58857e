import { existsSync } from 'node:fs';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Snapshot, ViewEntry, ViewHead, PatchOp } from '../../../src/chat/view';
import type { Opening } from '../../../src/contract/messages';
import { themeStyle, type ThemeKind } from './themes';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why these tests cannot run here, if so. */
export const noBrowser = existsSync(executablePath) ? undefined : `no Chromium at ${executablePath}`;

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

const origin = 'http://portside.test';

/** Bundles a script as the extension's build does, in memory: path -> text. */
export async function bundle(entry: string, minify = false): Promise<Map<string, string>> {
  const result = await build({
    bundle: true,
    minify,
    write: false,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target: 'chrome134',
    mainFields: ['module', 'main'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: { view: entry },
    outdir: '/bundle',
    logLevel: 'warning',
  });
  return new Map(result.outputFiles.map(file => [file.path.replace('/bundle', ''), file.text]));
}

/** What the host's page allows, to the letter. */
const policy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' ${origin}`,
    `style-src ${origin}`,
    `img-src data: ${origin}`,
    `font-src ${origin}`,
    `require-trusted-types-for 'script'`,
    'trusted-types fast-html',
  ].join('; ');

export interface Shown {
  page: Page;
  /** Errors of scripts and refusals of the policy, in order. */
  problems: string[];
}

/** Opens a page with the bundle's script and style sheet under the same policy as in the editor. */
export async function show(
  browser: Browser,
  files: Map<string, string>,
  options: {
    theme?: ThemeKind;
    width?: number;
    height?: number;
    init?: string;
    axe?: string;
    /** Without the policy, for a page that is not the view. */
    free?: boolean;
  } = {},
): Promise<Shown> {
  const { theme = 'vscode-dark', width = 420, height = 700 } = options;
  const page = await browser.newPage({ viewport: { width, height } });
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(String(error.stack ?? error)));
  page.on('console', message => {
    // The toolkit sets one style that a strict policy refuses; it draws all the same.
    if (message.type() === 'error' && !message.text().includes('inline style')) problems.push(message.text());
  });
  await page.route(`${origin}/**`, async route => {
    const path = new URL(route.request().url()).pathname;
    const nonce = 'test';
    if (path === '/')
      return route.fulfill({
        contentType: 'text/html',
        headers: options.free ? {} : { 'content-security-policy': policy(nonce) },
        body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/view.css"></head><body class="${theme}" data-vscode-theme-kind="${theme}"><script type="module" nonce="${nonce}" src="/view.js"></script></body></html>`,
      });
    if (path === '/theme.css') return route.fulfill({ contentType: 'text/css', body: themeStyle(theme) });
    const body = files.get(path);
    if (body === undefined) return route.fulfill({ status: 404 });
    return route.fulfill({ contentType: path.endsWith('.css') ? 'text/css' : 'text/javascript', body });
  });
  if (options.axe) await page.addInitScript({ path: options.axe });
  if (options.init) await page.addInitScript(options.init);
  await page.goto(`${origin}/`);
  return { page, problems };
}

/** A host that answers everything, in the page itself: what it was asked is kept for the test to read. */
const fakeHost = `
  window.asked = [];
  window.answers = {};
  window.refuse = {};
  window.acquireVsCodeApi = () => ({
    postMessage(message) {
      window.asked.push(message);
      if (message.type !== 'request') return;
      const { name, id } = message;
      const answer = name in window.refuse
        ? { type: 'answer', id, ok: false, message: window.refuse[name] }
        : { type: 'answer', id, ok: true, value: name === 'ready' ? window.opening : (window.answers[name] ?? {}) };
      setTimeout(() => window.postMessage(answer, '*'), name === 'ready' ? window.readyAfter : 0);
    },
  });
`;

export const head: ViewHead = {
  conversationId: 'c1',
  agent: { id: 'example', name: 'Example Agent', version: '1.0.0' },
  phase: 'ready',
  queue: [],
  commands: [],
};

export class View {
  private seq = 0;

  private constructor(
    readonly page: Page,
    readonly problems: string[],
  ) {}

  /** The whole view with a host behind it that tells this state when it is ready. */
  static async open(
    browser: Browser,
    files: Map<string, string>,
    options: {
      entries?: readonly ViewEntry[];
      head?: Partial<ViewHead>;
      memory?: Partial<Opening['memory']>;
      theme?: ThemeKind;
      width?: number;
      height?: number;
      /** Milliseconds until the host tells the state. */
      readyAfter?: number;
      /** Path of a script that is there before the view's own. */
      axe?: string;
    } = {},
  ): Promise<View> {
    const opening: Opening = {
      seq: 0,
      state: { head: { ...head, ...options.head }, entries: options.entries ?? [] },
      memory: { draft: '', scroll: { at: 'bottom' }, ...options.memory },
      mac: false,
    };
    const init = `${fakeHost}\nwindow.opening = ${JSON.stringify(opening)};\nwindow.readyAfter = ${options.readyAfter ?? 0};`;
    const { page, problems } = await show(browser, files, { ...options, init });
    await page.waitForFunction(() => document.querySelector('.header') !== null);
    await nextFrames(page, 3);
    return new View(page, problems);
  }

  /** Sends one patch, as the host does. */
  patch(...ops: PatchOp[]): Promise<void> {
    return this.send('patch', { seq: ++this.seq, ops });
  }

  snapshot(snapshot: Omit<Snapshot, 'seq'>): Promise<void> {
    return this.send('snapshot', { seq: this.seq, ...snapshot });
  }

  async send(name: string, data: unknown): Promise<void> {
    await this.page.evaluate(message => window.postMessage(message, '*'), { type: 'event', name, data });
    await nextFrames(this.page, 3);
  }

  /** What the host was asked under this name, in order. */
  asked(name: string): Promise<unknown[]> {
    return this.page.evaluate(
      wanted =>
        (window as unknown as { asked: { name: string; params?: unknown; data?: unknown }[] }).asked
          .filter(message => message.name === wanted)
          .map(message => message.params ?? message.data),
      name,
    );
  }

  async answer(name: string, value: unknown): Promise<void> {
    await this.page.evaluate(
      ([key, answer]) => {
        (window as unknown as { answers: Record<string, unknown> }).answers[key as string] = answer;
      },
      [name, value],
    );
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** Waits until so many frames have been drawn. */
export async function nextFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(async wanted => {
    for (let i = 0; i < wanted; i++) await new Promise(resolve => requestAnimationFrame(resolve));
  }, count);
}
