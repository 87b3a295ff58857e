import type { ViewChangedFile, ViewEntry } from '../src/chat/view';
import { actionButton, el } from './dom';
import { icon } from './icons';
import { changesTitle, fileKindText, moreFilesText, skippedText, words } from './words';

type Changes = Extract<ViewEntry, { kind: 'changes' }>;

/** The files that a turn changed: each opens its difference, and all can be put back. */
export function changesCard({ files, more, skipped }: Changes): HTMLElement {
  const head = el(
    'div',
    { class: 'boxHead' },
    icon('edit'),
    el('span', { class: 'grow' }, changesTitle(files.length + more)),
    actionButton('restoreTurn', words.restore, icon('history')),
  );
  const list = el('ul', {}, ...files.map((file, index) => el('li', {}, fileButton(file, index))));
  const remarks = [...(more > 0 ? [moreFilesText(more)] : []), ...(skipped > 0 ? [skippedText(skipped)] : [])];
  return el(
    'div',
    { class: 'changes box' },
    head,
    list,
    ...remarks.map(text => el('div', { class: 'dim remark' }, text)),
  );
}

function fileButton(file: ViewChangedFile, index: number): HTMLElement {
  const name = file.oldLabel === undefined ? file.label : `${file.oldLabel} → ${file.label}`;
  const word = fileKindText[file.kind];
  const button = actionButton(
    'openChange',
    name,
    icon('file'),
    el('span', { class: 'path grow', title: file.path }, name),
    ...(word ? [el('span', { class: 'dim' }, word)] : []),
    ...(file.added === undefined ? [] : [el('span', { class: 'added' }, `+${file.added}`)]),
    ...(file.removed === undefined ? [] : [el('span', { class: 'removed' }, `−${file.removed}`)]),
  );
  button.dataset['index'] = String(index);
  // Named by all that stands in it.
  button.removeAttribute('aria-label');
  return button;
}
