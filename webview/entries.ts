import type { ErrorAction } from '../src/base/errors';
import type { SignInChoice } from '../src/chat/state';
import type { ViewBlock, ViewEntry } from '../src/chat/view';
import { article, plain, type EntryView } from './article';
import { labelledButton } from './controls';
import { changesCard } from './changesCard';
import { diffCard } from './diffCard';
import { el, hiddenText, visibleText } from './dom';
import type { Host } from './host';
import { icon, type IconName } from './icons';
import { LineChunks } from './lineChunks';
import { Blocks } from './textBlocks';
import { ToolCallView } from './toolCall';
import { actionLabels, changesTitle, planProgress, planStatusText, words } from './words';

export interface EntryContext {
  host: Host;
  agentName(): string;
}

type Kind<K extends ViewEntry['kind']> = Extract<ViewEntry, { kind: K }>;
type MessageEntry = Extract<ViewEntry, { blocks: unknown; open: boolean }>;

export function createEntryView(entry: ViewEntry, context: EntryContext): EntryView {
  switch (entry.kind) {
    case 'agent':
      return new MessageView(entry, context.agentName());
    case 'thought':
      return new ThoughtView(entry);
    case 'tool':
      return new ToolCallView(entry, context.host);
    default:
      return new StaticView(entry);
  }
}

class MessageView implements EntryView {
  readonly root: HTMLElement;
  private readonly blocks = new Blocks(el('div', { class: 'message' }));

  constructor(entry: MessageEntry, name: string) {
    this.root = article(entry, name, this.blocks.root);
    this.update(entry);
  }

  update(entry: ViewEntry): void {
    if (entry.kind === 'agent') this.blocks.update(entry.blocks, entry.open);
  }

  append(block: number, text: string): void {
    this.blocks.append(block, text);
  }
}

class ThoughtView implements EntryView {
  readonly root: HTMLElement;
  private readonly label = el('span');
  private readonly blocks = new Blocks(el('div', { class: 'message' }));

  constructor(entry: MessageEntry) {
    const summary = el('summary', {}, icon('chevronDown'), this.label);
    this.root = article(entry, words.thought, el('details', {}, summary, this.blocks.root));
    this.update(entry);
  }

  update(entry: ViewEntry): void {
    if (entry.kind !== 'thought') return;
    this.label.textContent = entry.open ? words.thinking : words.thought;
    this.root.classList.toggle('open', entry.open);
    this.blocks.update(entry.blocks, entry.open);
  }

  append(block: number, text: string): void {
    this.blocks.append(block, text);
  }
}

/** What is small and changes rarely is drawn anew. */
class StaticView implements EntryView {
  readonly root: HTMLElement;
  private drawn: string;

  constructor(entry: ViewEntry) {
    this.root = article(entry, nameOf(entry), ...draw(entry));
    this.drawn = JSON.stringify(entry);
  }

  update(entry: ViewEntry): void {
    const now = JSON.stringify(entry);
    if (now === this.drawn) return;
    this.drawn = now;
    this.root.replaceChildren(...draw(entry));
  }
}

function nameOf(entry: ViewEntry): string {
  switch (entry.kind) {
    case 'user':
      return words.you;
    case 'plan':
      return words.plan;
    case 'changes':
      return changesTitle(entry.files.length + entry.more);
    case 'error':
      return words.error;
    case 'write':
      return visibleText(entry.diff.label);
    case 'unknown':
      return visibleText(entry.label);
    case 'note':
    case 'agent':
    case 'thought':
    case 'tool':
      return words.note;
  }
}

function draw(entry: ViewEntry): Node[] {
  switch (entry.kind) {
    case 'user':
      return [el('div', { class: 'bubble' }, ...entry.blocks.map(drawUserBlock))];
    case 'plan':
      return drawPlan(entry);
    case 'changes':
      return [changesCard(entry)];
    case 'error':
    case 'note':
      return [drawNotice(entry)];
    case 'write':
      return [diffCard(entry.diff)];
    case 'unknown':
      return [
        el(
          'details',
          {},
          el('summary', {}, icon('question'), visibleText(entry.label), ' ', hiddenText(words.unknownContent)),
          plain(entry.raw),
        ),
      ];
    case 'agent':
    case 'thought':
    case 'tool':
      return [];
  }
}

/** The user's words stand as they were typed. */
function drawUserBlock(block: ViewBlock): Node {
  if (block.type === 'text') {
    const text = el('div', { class: 'typed' });
    new LineChunks(text).append(block.text);
    return text;
  }
  const blocks = new Blocks(el('div'));
  blocks.update([block], false);
  return blocks.root;
}

function drawPlan({ entries }: Kind<'plan'>): Node[] {
  const done = entries.filter(item => item.status === 'completed').length;
  const items = entries.map(item =>
    el(
      'li',
      { class: `planItem ${item.status === 'completed' ? 'done' : ''}` },
      icon(planIcon(item.status)),
      el('span', {}, item.content, ' ', hiddenText(`(${planStatusText(item.status)})`)),
    ),
  );
  return [
    el(
      'div',
      { class: 'plan box' },
      el(
        'div',
        { class: 'boxHead' },
        icon('list'),
        el('span', { class: 'grow' }, words.plan),
        el('span', { class: 'dim' }, planProgress(done, entries.length)),
      ),
      el('ul', {}, ...items),
    ),
  ];
}

function planIcon(status: string): IconName {
  if (status === 'completed') return 'check';
  return status === 'in_progress' ? 'half' : 'circle';
}

function drawNotice(entry: Kind<'error'> | Kind<'note'>): HTMLElement {
  const severity = entry.kind === 'error' ? 'error' : entry.severity;
  const text = entry.kind === 'error' ? entry.message : entry.text;
  const notice = el(
    'div',
    { class: `notice ${severity}` },
    el('div', { class: 'noticeText' }, icon(severity), el('span', {}, text)),
  );
  if (entry.details) notice.append(plain(entry.details));
  const methods = entry.kind === 'error' ? (entry.methods ?? []) : [];
  const first = methods.findIndex(({ understood }) => understood);
  const buttons = [
    ...methods.map((method, index) => methodButton(method, index === first)),
    ...entry.actions.map((action, index) => actButton(action, first < 0 && index === 0, entry)),
  ];
  if (buttons.length > 0) notice.append(el('div', { class: 'buttons' }, ...buttons));
  return notice;
}

function methodButton({ id, name, understood }: SignInChoice, isFirst: boolean): HTMLElement {
  const button = labelledButton(name, {
    appearance: isFirst ? 'primary' : 'secondary',
    data: { action: 'signIn', value: id },
  });
  if (understood) return button;
  button.setAttribute('disabled', '');
  button.title = words.unknownMethod;
  return button;
}

function actButton(action: ErrorAction, isFirst: boolean, entry: Kind<'error'> | Kind<'note'>): HTMLElement {
  const isSignIn = action === 'retry' && entry.kind === 'error' && entry.code === 'authRequired';
  return labelledButton(isSignIn ? words.signedIn : actionLabels[action], {
    appearance: isFirst ? 'primary' : 'secondary',
    data: { action: 'act', value: action },
  });
}
