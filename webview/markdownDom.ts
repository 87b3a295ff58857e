import type { Token } from 'markdown-it';
import { CodeBlock } from './codeBlock';
import { el } from './dom';
import { isAllowedLink, isDrawnImage, parseBlocks, type Block } from './markdown';
import { TableView, type Cell } from './tableView';

const blocksPerGroup = 25;

/**
 * The top-level blocks of a message, in groups of 25: a full group is laid out only while it is near the screen, and
 * there are few enough groups for the browser to look at each in every frame.
 */
export class BlockList {
  constructor(readonly root: HTMLElement) {}

  at(index: number): Element | undefined {
    return this.root.children[Math.floor(index / blocksPerGroup)]?.children[index % blocksPerGroup];
  }

  add(block: HTMLElement): void {
    let group = this.root.lastElementChild;
    if (!group || group.children.length === blocksPerGroup)
      group = this.root.appendChild(el('div', { class: 'blocks' }));
    group.append(block);
    if (group.children.length === blocksPerGroup) group.classList.add('full');
  }

  /** Removes all blocks from `count` on. */
  trim(count: number): void {
    while (this.root.children.length > Math.ceil(count / blocksPerGroup)) this.root.lastElementChild?.remove();
    const group = this.root.lastElementChild;
    if (!group) return;
    const wanted = count - (this.root.children.length - 1) * blocksPerGroup;
    while (group.children.length > wanted) group.lastElementChild?.remove();
    if (group.children.length < blocksPerGroup) group.classList.remove('full');
  }
}

/** Draws a whole text at once. What the streaming renderer ends with is the same, whatever the chunks were. */
export function renderMarkdown(text: string): HTMLElement {
  const list = new BlockList(el('div', { class: 'markdown' }));
  const { blocks } = parseBlocks(text.replace(/\r\n?/g, '\n').replace(/\0/g, '\ufffd'), {});
  for (const block of blocks) list.add(renderBlock(block));
  return list.root;
}

/** The element of one top-level block. */
export function renderBlock(block: Block): HTMLElement {
  const holder = el('div');
  renderBlockTokens(block.tokens, holder);
  const root = holder.firstElementChild;
  return root instanceof HTMLElement ? root : el('p');
}

function renderBlockTokens(tokens: readonly Token[], root: HTMLElement): void {
  let parent = root;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token || token.hidden) continue;
    if (token.type === 'inline') renderInline(token.children ?? [], parent);
    else if (token.type === 'fence') parent.append(new CodeBlock(languageOf(token.info), token.content).root);
    else if (token.type === 'code_block') parent.append(new CodeBlock('', token.content).root);
    else if (token.type === 'hr') parent.append(el('hr'));
    else if (token.type === 'table_open') {
      const end = tokens.findIndex(
        (other, at) => at > i && other.type === 'table_close' && other.level === token.level,
      );
      parent.append(renderTable(tokens.slice(i, end)).root);
      i = end;
    } else if (token.nesting === 1) parent = parent.appendChild(blockElement(token));
    else if (token.nesting === -1) parent = parent.parentElement ?? root;
  }
}

function blockElement(token: Token): HTMLElement {
  switch (token.type) {
    case 'bullet_list_open':
      return el('ul');
    case 'ordered_list_open':
      return el('ol', { start: token.attrGet('start')?.toString() });
    case 'list_item_open':
      return el('li');
    case 'blockquote_open':
      return el('blockquote');
    case 'heading_open':
      return document.createElement(/^h[1-6]$/.test(token.tag) ? token.tag : 'h6');
    default:
      return el('p');
  }
}

/** The first word of a fence's info string. */
export function languageOf(info: string): string {
  return /^[^\s{]*/.exec(info.trim())?.[0] ?? '';
}

/** The rows of a table's body, each with its cells drawn. */
export function tableRows(tokens: readonly Token[]): Cell[][] {
  const rows: Cell[][] = [];
  let cell: Cell | undefined;
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'th_open' || token.type === 'td_open') {
      cell = el(token.type === 'th_open' ? 'th' : 'td');
      const align = /text-align:(\w+)/.exec(String(token.attrGet('style')))?.[1];
      if (align) cell.classList.add(`align-${align}`);
      rows.at(-1)?.push(cell);
    } else if (token.type === 'inline' && cell) renderInline(token.children ?? [], cell);
  }
  return rows;
}

export function renderTable(tokens: readonly Token[]): TableView {
  const [head = [], ...body] = tableRows(tokens);
  const table = new TableView(head);
  table.setRows(0, body);
  return table;
}

function renderInline(tokens: readonly Token[], root: HTMLElement): void {
  let parent = root;
  for (const token of tokens) {
    switch (token.type) {
      case 'text':
      case 'text_special':
        if (token.content !== '') parent.append(token.content);
        break;
      case 'softbreak':
        parent.append('\n');
        break;
      case 'hardbreak':
        parent.append(el('br'));
        break;
      case 'code_inline':
        parent.append(el('code', {}, token.content));
        break;
      case 'image':
        parent.append(renderImage(token));
        break;
      case 'em_open':
      case 'strong_open':
      case 's_open':
        parent = parent.appendChild(
          document.createElement(token.tag === 'strong' || token.tag === 's' ? token.tag : 'em'),
        );
        break;
      case 'link_open':
        parent = parent.appendChild(linkElement(String(token.attrGet('href') ?? ''), token.attrGet('title')));
        break;
      default:
        if (token.nesting === -1 && parent !== root) parent = parent.parentElement ?? root;
        else if (token.content !== '') parent.append(token.content);
    }
  }
}

function linkElement(href: string, title: string | number | null): HTMLElement {
  if (!isAllowedLink(href)) return el('span');
  return el('a', { href, title: title ? `${title}\n${href}` : href });
}

/** A picture that would have to be loaded is a link instead. */
function renderImage(token: Token): HTMLElement {
  const src = String(token.attrGet('src') ?? '');
  const alt = (token.children ?? []).map(child => child.content).join('');
  if (isDrawnImage(src)) return el('img', { src, alt });
  const link = linkElement(src, null);
  link.append(alt || src);
  return link;
}
