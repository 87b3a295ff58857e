import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type JSX } from 'preact';
import { el } from './dom';
import { icon, type IconName } from './icons';

// The only file that knows the component toolkit: to replace it, replace this file.

export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

export type Appearance = 'primary' | 'secondary';

/** A labelled button for the transcript; what it does is bound by its `data-` attributes or a listener. */
export function labelledButton(
  label: string,
  options: { appearance?: Appearance; icon?: IconName; class?: string; data?: Record<string, string> } = {},
): HTMLElement {
  const button = document.createElement('vscode-button');
  button.setAttribute('appearance', options.appearance ?? 'secondary');
  if (options.class) button.className = options.class;
  for (const [name, value] of Object.entries(options.data ?? {})) button.setAttribute(`data-${name}`, value);
  if (options.icon) {
    const start = el('span', { slot: 'start' });
    start.append(icon(options.icon));
    button.append(start);
  }
  button.append(label);
  return button;
}

export function setDisabled(button: Element, disabled: boolean): void {
  button.toggleAttribute('disabled', disabled);
}

/** A labelled button for the frame around the transcript. */
export function Button(props: {
  children: ComponentChildren;
  onClick: () => void;
  appearance?: Appearance;
  disabled?: boolean;
  title?: string;
}): JSX.Element {
  return h('vscode-button', {
    appearance: props.appearance ?? 'secondary',
    disabled: props.disabled ?? false,
    title: props.title,
    onClick: props.onClick,
    children: props.children,
  });
}

/** Shows that something goes on; what it is must stand beside it in words. */
export function Progress(): JSX.Element {
  return h('vscode-progress-ring', { class: 'progress', 'aria-hidden': 'true' });
}
