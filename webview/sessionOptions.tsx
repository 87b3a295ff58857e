import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ConfigChoice, ConfigOption, SessionModes } from '../src/chat/update';
import type { ViewHead } from '../src/chat/view';
import type { Host } from './host';
import { words } from './words';

/** What can be chosen for the session. With options of its own the agent's modes are not shown. */
export function SessionOptions({ head, host }: { head: ViewHead; host: Host }): VNode | null {
  const { configOptions, modes } = head;
  if (configOptions && configOptions.length > 0)
    return (
      <>
        {configOptions.map(option => (
          <ConfigControl key={option.id} option={option} host={host} />
        ))}
      </>
    );
  return modes && modes.availableModes.length > 0 ? <ModeSelect modes={modes} host={host} /> : null;
}

function ModeSelect({ modes, host }: { modes: SessionModes; host: Host }): VNode {
  return (
    <Confirmed
      label={words.mode}
      title={modes.availableModes.find(({ id }) => id === modes.currentModeId)?.description}
      value={modes.currentModeId}
      change={modeId => host.request('setMode', { modeId })}
    >
      {withCurrent(
        modes.availableModes.map(({ id, name }) => ({ value: id, name })),
        modes.currentModeId,
      ).map(drawChoice)}
    </Confirmed>
  );
}

function ConfigControl({ option, host }: { option: ConfigOption; host: Host }): VNode {
  const change = (value: string | boolean): Promise<unknown> =>
    host.request('setConfigOption', { configId: option.id, value });
  if (option.type === 'boolean') return <Toggle option={option} change={change} />;
  return (
    <Confirmed label={option.name} title={option.description} value={option.value} change={change}>
      {drawChoices(withCurrent(option.choices, option.value))}
    </Confirmed>
  );
}

/** Shows the value that the agent has confirmed, and nothing else: a choice is drawn only once it has taken effect. */
function Confirmed(props: {
  label: string;
  title: string | undefined;
  value: string;
  change: (value: string) => Promise<unknown>;
  children: ComponentChildren;
}): VNode {
  const [asked, ask] = useAsked();
  return (
    <span class="select">
      <select
        aria-label={props.label}
        title={props.title ?? props.label}
        aria-busy={asked}
        value={props.value}
        onChange={event => {
          const wanted = event.currentTarget.value;
          event.currentTarget.value = props.value;
          if (wanted !== props.value) ask(props.change(wanted));
        }}
      >
        {props.children}
      </select>
    </span>
  );
}

function Toggle(props: {
  option: ConfigOption & { type: 'boolean' };
  change: (value: boolean) => Promise<unknown>;
}): VNode {
  const { name, description, value } = props.option;
  const [asked, ask] = useAsked();
  return (
    <label class="toggle" title={description}>
      <input
        type="checkbox"
        checked={value}
        aria-busy={asked}
        onClick={event => {
          event.preventDefault();
          ask(props.change(!value));
        }}
      />
      {name}
    </label>
  );
}

function useAsked(): [boolean, (answer: Promise<unknown>) => void] {
  const [count, setCount] = useState(0);
  const ask = (answer: Promise<unknown>): void => {
    setCount(n => n + 1);
    const done = (): void => setCount(n => n - 1);
    answer.then(done, done);
  };
  return [count > 0, ask];
}

/** A value that is not among the choices is shown all the same. */
function withCurrent(choices: readonly ConfigChoice[], value: string): readonly ConfigChoice[] {
  return choices.some(choice => choice.value === value) ? choices : [...choices, { value, name: value }];
}

function drawChoices(choices: readonly ConfigChoice[]): VNode[] {
  const groups = new Map<string | undefined, ConfigChoice[]>();
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice]);
  return [...groups].flatMap(([group, members]) =>
    group === undefined ? members.map(drawChoice) : [<optgroup label={group}>{members.map(drawChoice)}</optgroup>],
  );
}

function drawChoice({ value, name, description }: ConfigChoice): VNode {
  return (
    <option key={value} value={value} title={description}>
      {name}
    </option>
  );
}
