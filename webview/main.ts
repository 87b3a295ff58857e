import './styles.css';
import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import { Throttle } from '../src/base/async';
import { messageOf } from '../src/base/errors';
import { Channel } from '../src/contract/channel';
import type { HostEvents, HostRequests, ViewEvents } from '../src/contract/messages';
import { onTranscriptClick } from './actions';
import { Composer, ComposerState } from './composer';
import { registerControls } from './controls';
import { el } from './dom';
import { Finder, FindBox } from './find';
import { Activity, Header, Placeholder, Problem } from './header';
import type { Host } from './host';
import { LiveRegion } from './liveRegion';
import { Store } from './store';
import { Transcript } from './transcript';
import { words } from './words';

// Tells the bundler that this is a module in a package that is not one by default; otherwise nothing unused is left out.
export {};

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

document.title = words.view;
registerControls();

const api = acquireVsCodeApi();
const channel = new Channel<HostRequests, HostEvents, object, ViewEvents>(
  { post: message => api.postMessage(message) },
  {},
  {
    snapshot: snapshot => store.reset(snapshot),
    patch: patch => store.patch(patch),
    focusComposer: ({ insert }) => composer.focus(insert),
    openFind: () => finder.open(),
    reveal: ({ entryId }) => transcript.reveal(entryId)?.focus({ preventScroll: true }),
  },
  error => fail(error),
);

function fail(error: unknown): void {
  channel.send('failed', { message: describe(error) });
}

const live = new LiveRegion();
const problem = signal('');
const host: Host = {
  request: (name, params) => {
    // What the user says is seen, and what comes of it.
    if (name === 'prompt') transcript.jumpToEnd();
    const answer = channel.request(name, params);
    answer.then(
      () => (problem.value = ''),
      (error: unknown) => (problem.value = messageOf(error)),
    );
    return answer;
  },
  tell: (name, params) => void host.request(name, params).catch(() => {}),
};

const store = new Store(() => void open().catch(fail));
const composer = new ComposerState();
const transcript = new Transcript({ host, agentName: () => store.head.value.agent?.name ?? words.agent });
const finder = new Finder(host, transcript);

let shown: string | undefined;
let remembers = false;
const memory = new Throttle(120, () =>
  channel.send('remember', { draft: composer.draft.value, scroll: transcript.position() }),
);
const remember = (): void => {
  if (remembers) memory.trigger();
};

/** Gets the whole state: at the start, and when a patch was missed. */
async function open(): Promise<void> {
  const opening = await channel.request('ready', {});
  const first = shown === undefined;
  if (first) {
    // What was typed before the host answered stays.
    composer.draft.value ||= opening.memory.draft;
    shown = opening.state.head.conversationId;
    store.reset(opening);
    transcript.reset(opening.state.entries, opening.memory.scroll);
    store.onDidReset(state => {
      const same = shown === state.head.conversationId;
      shown = state.head.conversationId;
      transcript.reset(state.entries, same ? transcript.position() : { at: 'bottom' });
    });
    remembers = true;
  } else store.reset(opening);
}

store.onDidChange(change => {
  transcript.apply(change.ops, change.after.entries);
  live.onChange(change);
  finder.refresh();
});
transcript.onDidScroll(remember);
effect(() => {
  void composer.draft.value;
  remember();
});

const { head, isEmpty } = store;
const frame = {
  header: h(Header, { head, host }),
  placeholder: h(Placeholder, { head, host, isEmpty }),
  find: h(FindBox, { finder, onClose: () => composer.focus() }),
  footer: [h(Activity, { head, host }), h(Problem, { problem }), h(Composer, { head, host, composer })],
};
const holder = (name: keyof typeof frame): HTMLElement => {
  const element = el('div', { class: `${name}Holder` });
  render(frame[name], element);
  return element;
};
transcript.root.append(holder('placeholder'), holder('find'));
document.body.append(
  el('main', { 'aria-label': words.view }, holder('header'), transcript.root, holder('footer')),
  live.root,
);

for (const type of ['click', 'auxclick'])
  transcript.root.addEventListener(type, event => onTranscriptClick(event, host));
const tellFocus = (): void => channel.send('focus', { focused: document.hasFocus() });
window.addEventListener('focus', tellFocus);
window.addEventListener('blur', tellFocus);
document.addEventListener('visibilitychange', () => memory.flush());
window.addEventListener('pagehide', () => memory.flush());
window.addEventListener('message', event => channel.receive(event.data));
window.addEventListener('error', event => fail(event.error ?? event.message));
window.addEventListener('unhandledrejection', event => fail(event.reason));
void open().catch(fail);
tellFocus();

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}
