import { signal, type ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AgentCommand } from '../src/chat/update';
import type { QueuedPrompt, ViewHead } from '../src/chat/view';
import { Button } from './controls';
import type { Host } from './host';
import { Icon, IconButton } from './iconView';
import { SessionOptions } from './sessionOptions';
import { hintFor, matchingCommands } from './slashCommands';
import { usageText, words } from './words';

interface Props {
  head: ReadonlySignal<ViewHead>;
  host: Host;
  composer: ComposerState;
}

/** What is typed, kept apart from what is drawn. */
export class ComposerState {
  readonly draft = signal('');
  private box: HTMLTextAreaElement | null = null;

  attach(box: HTMLTextAreaElement | null): void {
    this.box = box;
  }

  /** Puts the cursor into the message box, with text added at the end of the draft if given. */
  focus(insert?: string): void {
    if (insert) this.draft.value += this.draft.value === '' || /\s$/.test(this.draft.value) ? insert : ` ${insert}`;
    this.box?.focus();
    requestAnimationFrame(() => this.box?.setSelectionRange(this.draft.value.length, this.draft.value.length));
  }
}

export function Composer({ head, host, composer }: Props): VNode | null {
  const { conversationId, blocked, phase, queue, usage } = head.value;
  const draft = composer.draft.value;
  const running = phase === 'running' || phase === 'cancelling' || phase === 'connecting';
  const send = (): void => {
    const text = composer.draft.value;
    if (text.trim() === '') return;
    composer.draft.value = '';
    host.request('prompt', { text, conversationId }).catch(() => {
      // What was typed is never lost: it comes back when the host refuses it.
      if (composer.draft.value === '') composer.draft.value = text;
    });
  };
  if (blocked !== undefined) return null;
  return (
    <div class="composer">
      <Queue queue={queue} host={host} />
      <div class="inputBox">
        <MessageBox head={head} composer={composer} running={running} send={send} />
        <div class="inputBar">
          <SessionOptions head={head.value} host={host} />
          <span class="sendButtons">
            {running && (
              <Button disabled={phase === 'cancelling'} onClick={() => host.tell('stop', {})}>
                {words.stop}
              </Button>
            )}
            <Button appearance="primary" disabled={draft.trim() === ''} onClick={send}>
              {words.send}
            </Button>
          </span>
        </div>
      </div>
      {usage && <div class="usage dim">{usageText(usage)}</div>}
    </div>
  );
}

function MessageBox(props: {
  head: ReadonlySignal<ViewHead>;
  composer: ComposerState;
  running: boolean;
  send: () => void;
}): VNode {
  const { head, composer, running, send } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = composer.draft.value;
  const completion = useCompletion(head.value.commands, draft, text => (composer.draft.value = text));
  const hint = hintFor(head.value.commands, draft);
  useEffect(() => composer.attach(box.current), [composer]);

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, its keys are its own; 229 is how some report the last of them.
    if (event.isComposing || event.keyCode === 229) return;
    if (completion.onKey(event)) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div class="messageBox">
      {completion.list}
      <textarea
        ref={box}
        rows={1}
        aria-label={words.message}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={completion.list ? 'commands' : undefined}
        aria-activedescendant={completion.active}
        placeholder={running ? words.placeholderRunning : words.placeholder}
        spellcheck={false}
        value={draft}
        onInput={event => (composer.draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {hint !== undefined && <div class="hint dim">{hint}</div>}
    </div>
  );
}

interface Completion {
  list: VNode | null;
  /** Id of the option that Enter takes. */
  active: string | undefined;
  /** Gives true when the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

function useCompletion(commands: readonly AgentCommand[], draft: string, take: (text: string) => void): Completion {
  const [moved, setMoved] = useState({ draft: '', index: 0 });
  const [dismissed, setDismissed] = useState('');
  // Another text starts at its first match again.
  const index = moved.draft === draft ? moved.index : 0;
  const matches = dismissed === draft ? [] : matchingCommands(commands, draft);
  const chosen = matches[Math.min(index, matches.length - 1)];
  const accept = (command: AgentCommand): void => take(`/${command.name} `);
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (!chosen) return false;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const at = Math.min(index, matches.length - 1);
    if (step !== 0) setMoved({ draft, index: (at + step + matches.length) % matches.length });
    else if (key === 'Escape') setDismissed(draft);
    // A command that is already there in full is sent, not completed.
    else if ((key === 'Enter' && !shiftKey && draft !== `/${chosen.name}`) || (key === 'Tab' && !shiftKey))
      accept(chosen);
    else return false;
    return true;
  };
  const list = chosen ? <CommandList matches={matches} chosen={chosen} accept={accept} /> : null;
  return { list, active: chosen && optionId(chosen), onKey };
}

const optionId = (command: AgentCommand): string => `command-${command.name}`;

function CommandList(props: {
  matches: readonly AgentCommand[];
  chosen: AgentCommand;
  accept: (command: AgentCommand) => void;
}): VNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
  return (
    <ul ref={list} class="commands" id="commands" role="listbox" aria-label={words.commands} tabIndex={0}>
      {props.matches.map(command => (
        <li
          key={command.name}
          id={optionId(command)}
          role="option"
          aria-selected={command === props.chosen}
          // The cursor stays in the message box.
          onMouseDown={event => event.preventDefault()}
          onClick={() => props.accept(command)}
        >
          <span class="commandName">/{command.name}</span>
          {command.hint !== undefined && <span class="dim"> {command.hint}</span>}
          <span class="commandText dim">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}

function Queue({ queue, host }: { queue: readonly QueuedPrompt[]; host: Host }): VNode | null {
  if (queue.length === 0) return null;
  return (
    <>
      {queue.some(prompt => prompt.held) && <div class="queueHeld dim">{words.queueHeld}</div>}
      <ul class="queue" aria-label={words.queue}>
        {queue.map(prompt => (
          <Queued key={prompt.id} prompt={prompt} host={host} />
        ))}
      </ul>
    </>
  );
}

function Queued({ prompt, host }: { prompt: QueuedPrompt; host: Host }): VNode {
  const [edited, setEdited] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (edited === prompt.text) box.current?.focus();
  }, [edited]);
  const save = (): void => {
    if (edited !== undefined && edited.trim() !== '') host.tell('editQueued', { id: prompt.id, text: edited });
    setEdited(undefined);
  };
  if (edited === undefined)
    return (
      <li>
        <Icon name="list" />
        <span class="queuedText">{prompt.text}</span>
        <IconButton name="edit" label={words.edit} onClick={() => setEdited(prompt.text)} />
        <IconButton name="close" label={words.remove} onClick={() => host.tell('removeQueued', { id: prompt.id })} />
      </li>
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') setEdited(undefined);
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };
  return (
    <li>
      <textarea
        ref={box}
        rows={1}
        aria-label={words.edit}
        value={edited}
        onInput={event => setEdited(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton name="check" label={words.save} onClick={save} />
      <IconButton name="close" label={words.cancel} onClick={() => setEdited(undefined)} />
    </li>
  );
}
