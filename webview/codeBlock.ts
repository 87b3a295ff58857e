import { actionButton, el } from './dom';
import { icon } from './icons';
import { LineChunks, type Run } from './lineChunks';
import { words } from './words';

const blocks = new WeakMap<Element, CodeBlock>();

/** A block of code with its buttons. It can grow, and be coloured once it no longer does. */
export class CodeBlock {
  readonly root: HTMLElement;
  private readonly chunks: LineChunks;
  private content = '';

  constructor(
    readonly language: string,
    text = '',
  ) {
    const code = el('code');
    this.chunks = new LineChunks(code);
    this.root = el(
      'div',
      { class: 'code' },
      el(
        'div',
        { class: 'codeBar' },
        el('span', { class: 'language' }, language),
        actionButton('copyCode', words.copy, icon('copy')),
        actionButton('insertCode', words.insertAtCursor, icon('insert')),
      ),
      el('pre', { tabindex: '0' }, code),
    );
    blocks.set(this.root, this);
    this.append(text);
  }

  /** The code block whose root, or a part of it, is `element`. */
  static of(element: Element): CodeBlock | undefined {
    const root = element.closest('.code');
    return root ? blocks.get(root) : undefined;
  }

  get text(): string {
    return this.content;
  }

  append(text: string): void {
    this.content += text;
    this.chunks.append(text);
  }

  /** `runs` must hold the same text. */
  paint(runs: Iterable<Run>): void {
    this.chunks.paint(runs);
  }
}
