import type { ViewEntry, ViewState } from '../src/chat/view';
import { el } from './dom';
import type { Change } from './store';
import { phaseText, words } from './words';

const longest = 1500;

/** Tells screen readers what is finished and what has changed, never the chunks of a stream. */
export class LiveRegion {
  readonly root = el('div', { class: 'hiddenText', role: 'status', 'aria-live': 'polite' });

  say(text: string): void {
    this.root.append(el('p', {}, text.length > longest ? `${text.slice(0, longest)}…` : text));
    while (this.root.children.length > 5) this.root.firstElementChild?.remove();
  }

  onChange({ before, after, ops }: Change): void {
    if (after.head.phase !== before.head.phase && phaseText[after.head.phase] !== '')
      this.say(phaseText[after.head.phase]);
    for (const op of ops) {
      if (op.op === 'insert') for (const entry of op.entries) this.onEntry(undefined, entry, after);
      else if (op.op === 'set')
        this.onEntry(
          before.entries.find(({ id }) => id === op.entry.id),
          op.entry,
          after,
        );
    }
  }

  private onEntry(before: ViewEntry | undefined, entry: ViewEntry, { head }: ViewState): void {
    switch (entry.kind) {
      case 'agent':
        if (!entry.open && (before?.kind !== 'agent' || before.open))
          this.say(
            `${head.agent?.name ?? words.agent}: ${entry.blocks.map(block => (block.type === 'text' ? block.text : '')).join(' ')}`,
          );
        return;
      case 'tool':
        if (asks(entry) && !(before && asks(before))) this.say(`${words.approvalNeeded}: ${entry.title}`);
        return;
      case 'error':
        if (!before) this.say(`${words.error}: ${entry.message}`);
        return;
      case 'note':
        if (!before) this.say(entry.text);
        return;
      case 'user':
      case 'thought':
      case 'write':
      case 'changes':
      case 'plan':
      case 'unknown':
        return;
    }
  }
}

function asks(entry: ViewEntry): boolean {
  return entry.kind === 'tool' && entry.permissions.some(permission => permission.state === 'pending');
}
