import type { ViewBlock } from '../src/chat/view';
import { el } from './dom';
import { nextFrame } from './frame';
import { highlightLater } from './highlight';
import { icon } from './icons';
import { MarkdownStream } from './markdownStream';
import { words } from './words';

/** Quiet time after which a message that was said to be finished, and went on, counts as finished again. */
const quiet = 1000;

/** A text that may grow, drawn at most once a frame. */
class TextBlock {
  private readonly stream = new MarkdownStream(highlightLater);
  readonly root = this.stream.root;
  private text = '';
  private open = true;
  private lastGrown = 0;

  set(text: string): void {
    if (text === this.text) return;
    if (!text.startsWith(this.text)) {
      this.stream.clear();
      this.text = '';
    }
    this.append(text.slice(this.text.length));
  }

  append(text: string): void {
    this.text += text;
    this.stream.append(text);
    this.lastGrown = performance.now();
    nextFrame(this.draw);
  }

  setOpen(open: boolean): void {
    if (open === this.open) return;
    this.open = open;
    nextFrame(this.draw);
  }

  /** Draws at once, for what is not a stream. */
  finish(): void {
    this.open = false;
    this.stream.end();
  }

  private readonly draw = (now: number): boolean => {
    if (!this.stream.flush(now)) return false;
    if (this.open || this.stream.isEnded) return true;
    // A message that grows after its end is drawn as a whole for each end: not more often than once in a while.
    if (this.stream.wasEnded && now - this.lastGrown < quiet) return false;
    this.stream.end();
    return true;
  };
}

/** The content of a message or a tool call. */
export class Blocks {
  private parts: { block: ViewBlock; node: HTMLElement; text?: TextBlock }[] = [];

  constructor(readonly root: HTMLElement) {}

  /** `open`: more text may come. */
  update(blocks: readonly ViewBlock[], open: boolean): void {
    for (const part of this.parts.splice(blocks.length)) part.node.remove();
    for (const [index, block] of blocks.entries()) {
      const part = this.parts[index];
      if (block.type === 'text' && part?.text) {
        part.text.set(block.text);
        part.text.setOpen(open);
      } else if (!part || JSON.stringify(part.block) !== JSON.stringify(block)) this.put(index, block, open);
    }
  }

  append(index: number, text: string): void {
    this.parts[index]?.text?.append(text);
  }

  private put(index: number, block: ViewBlock, open: boolean): void {
    const part = makePart(block, open);
    const standing = this.parts[index];
    if (standing) standing.node.replaceWith(part.node);
    else this.root.append(part.node);
    this.parts[index] = part;
  }
}

function makePart(block: ViewBlock, open: boolean): { block: ViewBlock; node: HTMLElement; text?: TextBlock } {
  if (block.type !== 'text') return { block, node: drawBlock(block) };
  const text = new TextBlock();
  text.set(block.text);
  if (!open) text.finish();
  return { block, node: text.root, text };
}

function drawBlock(block: Exclude<ViewBlock, { type: 'text' }>): HTMLElement {
  switch (block.type) {
    case 'image':
      return drawImage(block.src, block.alt);
    case 'link': {
      const data = block.path === undefined ? { 'data-href': block.href } : { 'data-path': block.path };
      const action = block.path === undefined ? 'openLink' : 'openLocation';
      return el('button', { type: 'button', class: 'chip', 'data-action': action, ...data }, icon('file'), block.label);
    }
    case 'placeholder':
      return el('div', { class: 'chip' }, icon('info'), block.label);
  }
}

function drawImage(src: string, alt: string): HTMLElement {
  const image = el('img', { src, alt, class: 'picture' });
  image.addEventListener('error', () => {
    image.replaceWith(el('div', { class: 'chip' }, icon('warning'), `${words.failedToLoadImage}: ${alt}`));
  });
  return image;
}
