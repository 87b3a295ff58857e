import { messageOf } from '../src/base/errors';
import type { ViewPermission } from '../src/chat/view';
import { plain } from './article';
import { el, visibleText } from './dom';
import type { Host } from './host';
import { icon, type IconName } from './icons';
import { optionKindText, words } from './words';

/** For this long after a card has come into sight no press counts: it was meant for what stood there before. */
const deafFor = 500;

/** A question of the agent. Only a press that began and ended on a button that was there to be read answers it. */
export class PermissionCard {
  readonly root = el('div', { class: 'permission box', role: 'group' });
  private readonly heading = el('span', { class: 'grow' });
  private readonly buttons = el('div', { class: 'options' });
  private readonly options: readonly HTMLButtonElement[];
  private readonly outcome = el('div', { class: 'outcome' });
  private readonly sight: IntersectionObserver;
  private hearsFrom = Infinity;
  private pressedDeaf = false;
  private answering = false;

  constructor(
    private permission: ViewPermission,
    private readonly host: Host,
  ) {
    this.root.append(el('div', { class: 'boxHead' }, icon('shield'), this.heading));
    if (permission.subject) {
      const subject = plain(permission.subject);
      subject.setAttribute('aria-label', words.approvalFor);
      subject.setAttribute('role', 'group');
      this.root.append(subject);
    }
    this.root.append(this.buttons, this.outcome);
    this.options = permission.options.map(optionButton);
    this.buttons.append(...this.options);
    this.sight = new IntersectionObserver(entries => this.onSight(entries.some(entry => entry.isIntersecting)));
    this.sight.observe(this.buttons);
    for (const type of ['pointerdown', 'keydown'] as const) this.root.addEventListener(type, this.onPress, true);
    this.root.addEventListener('click', this.onClick, true);
    this.update(permission);
  }

  update(permission: ViewPermission): void {
    this.permission = permission;
    const pending = permission.state === 'pending';
    this.heading.textContent = pending ? words.approvalNeeded : words.approval;
    this.root.setAttribute('aria-label', this.heading.textContent);
    this.buttons.hidden = !pending;
    this.root.classList.toggle('pending', pending);
    if (!pending) this.sight.disconnect();
    const chosen = permission.options.find(option => option.optionId === permission.optionId);
    if (pending) this.outcome.replaceChildren(...(permission.options.length === 0 ? [words.noOptions] : []));
    else if (chosen) this.outcome.replaceChildren(icon(iconOf(chosen.kind)), visibleText(chosen.name));
    else this.outcome.replaceChildren(icon('close'), words.withdrawn);
    for (const button of this.options) button.disabled = this.answering;
  }

  private onSight(seen: boolean): void {
    if (!seen) this.hearsFrom = Infinity;
    else if (this.hearsFrom === Infinity) this.hearsFrom = performance.now() + deafFor;
  }

  private get hears(): boolean {
    return performance.now() >= this.hearsFrom && document.visibilityState === 'visible';
  }

  private readonly onPress = (event: Event): void => {
    const repeated = event instanceof KeyboardEvent && event.repeat;
    this.pressedDeaf = !this.hears || repeated;
    if (repeated && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
  };

  private readonly onClick = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('[data-option]') : null;
    if (!button) return;
    event.stopPropagation();
    const deaf = this.pressedDeaf || !this.hears;
    this.pressedDeaf = false;
    if (deaf || this.answering || this.permission.state !== 'pending') return;
    void this.answer(button.getAttribute('data-option') ?? '');
  };

  private async answer(optionId: string): Promise<void> {
    this.answering = true;
    this.update(this.permission);
    try {
      await this.host.request('answerPermission', { requestId: this.permission.requestId, optionId });
    } catch (error) {
      this.answering = false;
      this.update(this.permission);
      this.outcome.textContent = messageOf(error);
    }
  }
}

/** The agent's words as its name, and what it really does, by its kind, as its description. */
function optionButton({ optionId, name, kind }: ViewPermission['options'][number]): HTMLButtonElement {
  const attributes = {
    type: 'button',
    class: `option ${classOf(kind)}`,
    'data-option': optionId,
    title: optionKindText(kind),
  };
  return el('button', attributes, icon(iconOf(kind)), el('span', {}, visibleText(name)));
}

function classOf(kind: string): string {
  if (kind.startsWith('allow_') && iconOf(kind) !== 'question') return 'allow';
  return kind.startsWith('reject_') && iconOf(kind) !== 'question' ? 'reject' : 'neutral';
}

function iconOf(kind: string): IconName {
  switch (kind) {
    case 'allow_once':
      return 'check';
    case 'allow_always':
      return 'checkAll';
    case 'reject_once':
      return 'close';
    case 'reject_always':
      return 'forbid';
    default:
      return 'question';
  }
}
