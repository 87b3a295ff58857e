import type { ErrorAction } from '../src/base/errors';
import { CodeBlock } from './codeBlock';
import { closest } from './dom';
import type { Host } from './host';
import { icon } from './icons';
import { actionLabels } from './words';

/** What buttons and links of the transcript do, for one listener on the whole of it. */
export function onTranscriptClick(event: Event, host: Host): void {
  const link = closest(event, 'a');
  if (link) {
    // Never followed by the view itself, and kept from the listeners of the page around it.
    event.preventDefault();
    event.stopPropagation();
    const href = link.getAttribute('href');
    if (href && event.type === 'click') host.tell('openLink', { href });
    return;
  }
  const button = closest(event, '[data-action]');
  if (button && event.type === 'click') run(button, host);
}

function run(button: HTMLElement, host: Host): void {
  const data = button.dataset;
  const entryId = button.closest('article')?.dataset['id'] ?? '';
  const index = Number(data['index'] ?? 0);
  switch (data['action']) {
    case 'copyCode':
    case 'insertCode': {
      const text = CodeBlock.of(button)?.text ?? '';
      if (data['action'] === 'insertCode') host.tell('insertAtCursor', { text });
      else void host.request('copyText', { text }).then(() => confirm(button));
      return;
    }
    case 'openLocation': {
      const line = data['line'] === undefined ? {} : { line: Number(data['line']) };
      return host.tell('openLocation', { path: data['path'] ?? '', ...line });
    }
    case 'openLink':
      return host.tell('openLink', { href: data['href'] ?? '' });
    case 'openDiff':
      return host.tell('openDiff', { entryId, index });
    case 'openChange':
      return host.tell('openChange', { entryId, index });
    case 'restoreTurn':
      return host.tell('restoreTurn', { entryId });
    case 'openOutput':
      return host.tell('openOutput', { entryId, index });
    case 'signIn':
      return host.tell('signIn', { methodId: data['value'] ?? '' });
    case 'act': {
      const action = data['value'] ?? '';
      if (isErrorAction(action)) host.tell('act', { entryId, action });
      return;
    }
    default:
      return;
  }
}

/** Shows for a moment that it was done. */
function confirm(button: HTMLElement): void {
  const before = [...button.childNodes];
  button.replaceChildren(icon('check'));
  setTimeout(() => button.replaceChildren(...before), 1500);
}

const isErrorAction = (word: string): word is ErrorAction => Object.hasOwn(actionLabels, word);
