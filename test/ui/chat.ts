import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { OpenOptions, Workbench } from './useWorkbench';

/** Waits until something holds that no locator can wait for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 40): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(100)) if (await holds()) return;
  assert.fail(`not within ${seconds} s: ${what}`);
}

/** The chat of one window, and the approvals that it asks for, as a user meets them: by mouse and keyboard. */
export class Chat {
  readonly page: Page;
  readonly view: FrameLocator;
  readonly feed: Locator;
  readonly scroller: Locator;
  readonly message: Locator;
  readonly stop: Locator;
  readonly jump: Locator;
  readonly queue: Locator;
  /** The quick pick that is open, and its rows. */
  readonly pick: Locator;
  readonly rows: Locator;
  /** A modal question of VS Code. */
  readonly dialog: Locator;

  constructor(readonly window: Workbench) {
    const { page, view } = window;
    this.page = page;
    this.view = view;
    this.feed = view.getByRole('feed', { name: 'Conversation' });
    this.scroller = view.locator('.scroller');
    this.message = view.getByRole('textbox', { name: 'Message' });
    this.stop = view.getByRole('button', { name: 'Stop', exact: true });
    this.jump = view.getByRole('button', { name: 'Jump to latest' });
    this.queue = view.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    this.pick = page.locator('.quick-input-widget:visible');
    this.rows = this.pick.locator('.monaco-list-row');
    this.dialog = page.locator('.monaco-dialog-box');
  }

  static async open(
    workbench: { open(options?: OpenOptions): Promise<Workbench> },
    options?: OpenOptions,
  ): Promise<Chat> {
    return new Chat(await workbench.open(options));
  }

  /** An entry by its accessible name: *You*, the agent's name, *Plan*, the title of a tool call... */
  article(name: string): Locator {
    return this.feed.getByRole('article', { name, exact: true });
  }

  said(text: string): Locator {
    return this.article('You').filter({ hasText: text });
  }

  button(name: string): Locator {
    return this.view.getByRole('button', { name, exact: true });
  }

  async type(text: string): Promise<void> {
    await this.message.click();
    await this.page.keyboard.type(text);
  }

  async send(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Sends a message and waits until it has been answered. */
  async turn(text: string): Promise<void> {
    await this.send(text);
    await this.said(text).last().waitFor();
    await this.idle();
  }

  async idle(): Promise<void> {
    await this.stop.waitFor({ state: 'hidden' });
  }

  /** What the pick offers, icons left out. */
  async offered(): Promise<string[]> {
    const names = await this.rows.locator('.label-name').allInnerTexts();
    return names.map(name => name.replaceAll('\u00a0', ' '));
  }

  /** Goes to a row of the open pick by arrow key and accepts it. Keys of the first moment do not count. */
  async choose(option: string): Promise<void> {
    await this.rows.filter({ hasText: option }).first().waitFor();
    const active = this.rows.and(this.page.locator('.focused'));
    let reached = 0;
    await until(`the row "${option}" is reached`, async () => {
      const label = (await active.count()) === 1 ? await active.locator('.label-name').first().innerText() : '';
      const isWanted = label.replaceAll('\u00a0', ' ') === option;
      // What Portside does with an arrow key comes a moment later.
      reached = isWanted ? reached + 1 : 0;
      if (reached === 3) return true;
      if (!isWanted) await this.page.keyboard.press('ArrowDown');
      return false;
    });
    await this.page.keyboard.press('Enter');
  }

  /** Presses a button of an approval's card. A card does not hear what is pressed right after it has appeared. */
  async answerCard(call: string, option: string): Promise<void> {
    const button = this.article(call).locator('.permission [data-option]').filter({ hasText: option }).first();
    await until(`"${option}" is answered in the chat`, async () => {
      if (await button.isVisible()) await button.click({ timeout: 2000 }).catch(() => {});
      await delay(200);
      return !(await button.isVisible());
    });
  }

  /** Opens a file of the folder in an editor, which then has the keyboard. */
  async openFile(name: string): Promise<void> {
    await this.window.runCommand('Go to File...');
    await this.page.keyboard.type(name);
    await this.rows
      .filter({ hasText: name.split('/').at(-1) ?? name })
      .first()
      .waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.monaco-editor.focused').first().waitFor();
  }

  /** The text of a file in its editor, and whether that is unsaved. */
  document(name: string): Promise<{ text: string; dirty: boolean } | undefined> {
    return this.window.bridge.read((vscode, end) => {
      const found = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(end));
      return found && { text: found.getText(), dirty: found.isDirty };
    }, name);
  }

  clipboard(): Promise<string> {
    return this.window.bridge.read(vscode => vscode.env.clipboard.readText());
  }

  /** Where the conversation is scrolled to. */
  position(): Promise<{ top: number; left: number }> {
    return this.scroller.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
      top: scrollTop,
      left: scrollHeight - clientHeight - scrollTop,
    }));
  }

  async scroll(by: number): Promise<void> {
    const box = await this.scroller.boundingBox();
    assert.ok(box, 'the conversation is shown');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await this.page.mouse.wheel(0, by);
  }
}
