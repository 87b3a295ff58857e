import type { ViewDiff } from '../src/chat/view';
import { actionButton, el, hiddenText } from './dom';
import { icon } from './icons';
import { words } from './words';

/** A change of one file: its name, how much changed, some lines, and a button that opens the real diff. */
export function diffCard(diff: ViewDiff): HTMLElement {
  const open = actionButton('openDiff', words.openDiff, words.openDiff);
  open.dataset['index'] = String(diff.index);
  const head = el(
    'div',
    { class: 'boxHead' },
    icon('file'),
    el('span', { class: 'path grow', title: diff.path }, diff.label),
    ...(diff.isNew ? [el('span', { class: 'dim' }, words.newFile)] : []),
    el('span', { class: 'added' }, `+${diff.added}`),
    el('span', { class: 'removed' }, `−${diff.removed}`),
    open,
  );
  const card = el('div', { class: 'diff box' }, head);
  if (diff.preview.length > 0) card.append(preview(diff));
  return card;
}

function preview(diff: ViewDiff): HTMLElement {
  const rows = diff.preview.map(line => el('span', { class: `row ${rowClass(line)}` }, `${line}\n`));
  if (diff.partial) rows.push(el('span', { class: 'row more' }, '…', hiddenText(words.openDiff)));
  return el('pre', { tabindex: '0' }, ...rows);
}

function rowClass(line: string): string {
  if (line.startsWith('+')) return 'plus';
  return line.startsWith('-') ? 'minus' : '';
}
