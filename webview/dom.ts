type Attributes = Record<string, string | undefined>;

/** An element with attributes and children; there is no way from a string to markup in this view. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A native button. `action` is what the transcript's click listener looks for. */
export function actionButton(action: string, label: string, ...children: (Node | string)[]): HTMLButtonElement {
  const named = children.some(child => typeof child === 'string');
  const button = el('button', {
    type: 'button',
    'data-action': action,
    ...(named ? {} : { 'aria-label': label, title: label }),
  });
  button.append(...children);
  return button;
}

/** Text for screen readers only. */
export function hiddenText(text: string): HTMLElement {
  return el('span', { class: 'hiddenText' }, text);
}

// Control characters and those that change the direction or the look of what stands beside them.
const deceptive = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** One line of an agent's words as they are: what could disguise them is made visible. */
export function visibleText(text: string, limit = 500): string {
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ↵ ').replace(deceptive, c => `\\u{${c.charCodeAt(0).toString(16)}}`);
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** The element with `selector` around the target of an event, within the listener's own tree. */
export function closest(event: Event, selector: string): HTMLElement | undefined {
  const target = event.target instanceof Element ? event.target.closest(selector) : null;
  return target instanceof HTMLElement ? target : undefined;
}
