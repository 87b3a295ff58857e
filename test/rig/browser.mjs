import { chromium } from 'playwright-core';
import { findChromium } from './paths.mjs';

const args = [
  '--no-sandbox', // it does not start as root with one
  ...['--disable-gpu', '--disable-dev-shm-usage', '--lang=en-US', '--password-store=basic'],
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--disable-quic',
  // Nothing but loopback is resolved.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** @returns {Promise<import('playwright-core').Browser>} */
export function launchBrowser() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium on the PATH, and CHROMIUM is not set');
  return chromium.launch({ executablePath, args });
}

/**
 * A fresh window: its storage is empty.
 * @param {import('playwright-core').Browser} browser
 * @param {{ width?: number, height?: number }} [size]
 */
export async function newPage(browser, { width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-US' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return context.newPage();
}
