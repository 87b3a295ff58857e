import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import { h, type ComponentChildren, type JSX } from 'preact';

// The only file that knows the component toolkit: to replace it, replace this file.

export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

export type Appearance = 'primary' | 'secondary';

/** A labelled button for the transcript; what it does is bound by its `data-` attributes or a listener. */
export function labelledButton(
  label: string,
  options: { appearance?: Appearance; data?: Record<string, string> } = {},
): HTMLElement {
  const button = document.createElement('vscode-button');
  button.setAttribute('appearance', options.appearance ?? 'secondary');
  for (const [name, value] of Object.entries(options.data ?? {})) button.setAttribute(`data-${name}`, value);
  button.append(label);
  return button;
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
