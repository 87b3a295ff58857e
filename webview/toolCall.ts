import { messageOf } from '../src/base/errors';
import type { ViewEntry, ViewPermission, ViewToolContent } from '../src/chat/view';
import { AnsiOutput } from './ansi';
import { article, plain, type EntryView } from './article';
import { diffCard } from './diffCard';
import { actionButton, el, visibleText } from './dom';
import type { Host } from './host';
import { icon, iconOfToolKind } from './icons';
import { PermissionCard } from './permissionCard';
import { Blocks } from './textBlocks';
import { lineOf, statusText, words } from './words';

type ToolEntry = Extract<ViewEntry, { kind: 'tool' }>;

/** Kinds whose content is rarely looked at; it stays folded unless something needs the user. */
const quietKinds = new Set(['read', 'search', 'fetch', 'think']);

let nextId = 0;

export class ToolCallView implements EntryView {
  readonly root: HTMLElement;
  private readonly kindIcon = el('span', { class: 'kind' });
  private readonly title = el('span', { class: 'title', id: `tool${nextId++}` });
  private readonly status = el('span', { class: 'status' });
  private readonly fold = actionButton('', words.details, icon('chevronDown'));
  private readonly locations = el('div', { class: 'locations' });
  private readonly body = el('div', { class: 'toolBody', id: `tool${nextId++}` });
  private readonly content = el('div', { class: 'toolContent' });
  private readonly raw = el('details', { class: 'raw' }, el('summary', {}, icon('chevronDown'), words.raw));
  private readonly cards = el('div', { class: 'cards' });
  private readonly permissions = new Map<string, PermissionCard>();
  private parts: Part[] = [];
  /** What the user chose; else it depends on the call. */
  private unfolded: boolean | undefined;
  private wantsAttention = false;

  constructor(
    private entry: ToolEntry,
    private readonly host: Host,
  ) {
    const head = el('div', { class: 'toolHead' }, this.kindIcon, this.title, this.status, this.fold);
    this.body.append(this.content, this.raw);
    this.root = article(entry, '', head, this.locations, this.body, this.cards);
    this.root.removeAttribute('aria-label');
    this.root.setAttribute('aria-labelledby', this.title.id);
    this.fold.setAttribute('aria-controls', this.body.id);
    this.fold.addEventListener('click', () => this.setUnfolded(this.body.hidden !== false));
    this.raw.addEventListener('toggle', () => void this.showRaw());
    this.update(entry);
  }

  update(entry: ViewEntry): void {
    if (entry.kind !== 'tool') return;
    this.entry = entry;
    this.title.textContent = visibleText(entry.title);
    this.kindIcon.replaceChildren(icon(iconOfToolKind(entry.toolKind)));
    const waiting = entry.permissions.some(permission => permission.state === 'pending');
    this.status.textContent = waiting ? words.waitingForApproval : statusText(entry.status);
    this.status.className = `status ${waiting ? 'asking' : entry.status}`;
    this.locations.replaceChildren(...entry.locations.map(locationButton));
    this.updateContent(entry.content, !isOver(entry.status));
    this.raw.hidden = !entry.hasRaw;
    this.updatePermissions(entry.permissions);
    this.wantsAttention ||= waiting || entry.status === 'failed' || !quietKinds.has(entry.toolKind);
    this.updateFold();
  }

  append(block: number, text: string): void {
    this.parts[block]?.append?.(text);
  }

  private updateContent(content: readonly ViewToolContent[], open: boolean): void {
    for (const part of this.parts.splice(content.length)) part.node.remove();
    for (const [index, item] of content.entries()) {
      const standing = this.parts[index];
      if (standing?.update(item, open)) continue;
      const part = makePart(item, index, open);
      if (standing) standing.node.replaceWith(part.node);
      else this.content.append(part.node);
      this.parts[index] = part;
    }
  }

  private updatePermissions(permissions: readonly ViewPermission[]): void {
    for (const permission of permissions) {
      const card = this.permissions.get(permission.requestId);
      if (card) card.update(permission);
      else {
        const fresh = new PermissionCard(permission, this.host);
        this.permissions.set(permission.requestId, fresh);
        this.cards.append(fresh.root);
      }
    }
  }

  private setUnfolded(unfolded: boolean): void {
    this.unfolded = unfolded;
    // When there is nothing but raw data, one press is enough to see it.
    if (unfolded && this.entry.content.length === 0) this.raw.open = true;
    this.updateFold();
  }

  private updateFold(): void {
    const some = this.entry.content.length > 0 || this.entry.hasRaw;
    const unfolded = some && (this.unfolded ?? (this.wantsAttention && this.entry.content.length > 0));
    this.fold.hidden = !some;
    this.body.hidden = !unfolded;
    this.fold.setAttribute('aria-expanded', String(unfolded));
  }

  private async showRaw(): Promise<void> {
    if (!this.raw.open) return;
    const holder = el('div', {}, words.loading);
    this.raw.replaceChildren(...[...this.raw.children].slice(0, 1), holder);
    try {
      const { input, output } = await this.host.request('rawDetails', { entryId: this.entry.id });
      const parts = [rawPart(words.rawInput, input), rawPart(words.rawOutput, output)].flat();
      holder.replaceChildren(...(parts.length > 0 ? parts : [words.nothing]));
    } catch (error) {
      holder.textContent = messageOf(error);
    }
  }
}

function rawPart(label: string, text: string | undefined): HTMLElement[] {
  return text === undefined ? [] : [el('div', { class: 'dim' }, label), plain(text)];
}

const isOver = (status: string): boolean => status !== 'pending' && status !== 'in_progress';

function locationButton({ path, line, label }: ToolEntry['locations'][number]): HTMLElement {
  const name = label + (line === undefined || label.endsWith(lineOf(line)) ? '' : lineOf(line));
  const button = actionButton('openLocation', name, name);
  button.classList.add('link');
  button.title = path;
  button.dataset['path'] = path;
  if (line !== undefined) button.dataset['line'] = String(line);
  return button;
}

/** One piece of a call's content. `update` gives false when another piece has to be made. */
interface Part {
  node: HTMLElement;
  update(item: ViewToolContent, open: boolean): boolean;
  append?(text: string): void;
}

function makePart(item: ViewToolContent, index: number, open: boolean): Part {
  switch (item.type) {
    case 'block': {
      const blocks = new Blocks(el('div', { class: 'toolText', tabindex: '0' }));
      const update = (next: ViewToolContent, nextOpen: boolean): boolean => {
        if (next.type === 'block') blocks.update([next.block], nextOpen);
        return next.type === 'block';
      };
      update(item, open);
      return { node: blocks.root, update, append: text => blocks.append(0, text) };
    }
    case 'diff': {
      const drawn = JSON.stringify(item);
      return { node: diffCard(item.diff), update: next => JSON.stringify(next) === drawn };
    }
    case 'output':
      return outputPart(item, index);
  }
}

function outputPart(item: Extract<ViewToolContent, { type: 'output' }>, index: number): Part {
  const output = new AnsiOutput();
  output.root.setAttribute('aria-label', words.output);
  output.root.setAttribute('role', 'group');
  const foot = el('div', { class: 'outputFoot' });
  const node = el('div', { class: 'outputBox' }, output.root, foot);
  const update = (next: ViewToolContent): boolean => {
    if (next.type !== 'output') return false;
    keepAtEnd(output.root, () => output.set(next.text));
    const whole = actionButton('openOutput', words.showOutput, words.showOutput);
    whole.classList.add('link');
    whole.dataset['index'] = String(index);
    foot.replaceChildren(
      ...(next.clipped ? [el('span', { class: 'dim' }, words.outputClipped), whole] : []),
      ...(next.exit === undefined ? [] : [el('span', { class: 'dim' }, next.exit)]),
    );
    foot.hidden = !next.clipped && next.exit === undefined;
    return true;
  };
  update(item);
  return {
    node,
    update,
    append: text => keepAtEnd(output.root, () => output.append(text)),
  };
}

/** Changes a box that scrolls; it stays at its end if it was there. */
function keepAtEnd(box: HTMLElement, change: () => void): void {
  const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 4;
  change();
  if (follows) box.scrollTop = box.scrollHeight;
}
