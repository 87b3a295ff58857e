import type { ReadonlySignal, Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ViewHead } from '../src/chat/view';
import { Button, Progress } from './controls';
import { visibleText } from './dom';
import type { Host } from './host';
import { Icon, IconButton } from './iconView';
import { phaseText, seconds, words } from './words';

interface Props {
  head: ReadonlySignal<ViewHead>;
  host: Host;
}

/** Who answers, and where. */
export function Header({ head, host }: Props): VNode {
  const { agent, folder, title, blocked } = head.value;
  const name = agent ? visibleText(agent.name, 80) : words.noAgent;
  const topic = title === undefined ? undefined : visibleText(title, 200);
  return (
    <div class="header">
      <button
        type="button"
        class="agentName"
        title={agent?.version ? `${name} ${agent.version}` : words.chooseAgent}
        aria-label={`${name}. ${words.chooseAgent}`}
        disabled={blocked !== undefined}
        onClick={() => host.tell('chooseAgent', {})}
      >
        <span class="ellipsis">{name}</span>
        <Icon name="chevronDown" />
      </button>
      {folder !== undefined && <span class="folder ellipsis dim">{folder}</span>}
      <span class="grow ellipsis dim sessionTitle" title={topic}>
        {topic}
      </span>
      <IconButton
        name="add"
        label={words.newSession}
        disabled={blocked !== undefined}
        onClick={() => host.tell('newSession', {})}
      />
    </div>
  );
}

/** What is going on, for how long, and the way to end it. */
export function Activity({ head, host }: Props): VNode | null {
  const { activity, phase } = head.value;
  const text = activity?.text ?? phaseText[phase];
  const elapsed = useElapsed(activity?.since);
  if (text === '') return null;
  return (
    <div class="activity">
      <Progress />
      <span class="grow">{text}</span>
      {elapsed !== undefined && <span class="dim">{seconds(elapsed)}</span>}
      {activity?.cancellable && phase !== 'running' && (
        <button type="button" class="link" onClick={() => host.tell('stop', {})}>
          {words.cancel}
        </button>
      )}
    </div>
  );
}

/** Seconds since a moment (epoch ms), counted while it is on the screen. */
function useElapsed(since: number | undefined): number | undefined {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (since === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return since === undefined ? undefined : Math.max(0, Math.floor((now - since) / 1000));
}

/** Why the last thing that was asked of the host did not happen. */
export function Problem({ problem }: { problem: Signal<string> }): VNode | null {
  if (problem.value === '') return null;
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <span class="grow">{problem.value}</span>
      <IconButton name="close" label={words.dismiss} onClick={() => (problem.value = '')} />
    </div>
  );
}

/** Stands in place of a conversation where none can be. */
export function Placeholder({ head, host, isEmpty }: Props & { isEmpty: ReadonlySignal<boolean> }): VNode | null {
  const { blocked } = head.value;
  if (blocked === undefined && !isEmpty.value) return null;
  if (blocked === 'untrusted')
    return (
      <div class="placeholder">
        <Icon name="shield" />
        <p>{words.untrusted}</p>
      </div>
    );
  if (blocked === 'noFolder')
    return (
      <div class="placeholder">
        <Icon name="folder" />
        <p>{words.noFolder}</p>
        <Button appearance="primary" onClick={() => host.tell('act', { entryId: '', action: 'openFolder' })}>
          {words.openFolder}
        </Button>
      </div>
    );
  return (
    <div class="placeholder">
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
    </div>
  );
}
