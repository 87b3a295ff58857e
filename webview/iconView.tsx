import type { VNode } from 'preact';
import { outlineOf, type IconName } from './icons';

/** Decoration: what it says is always said in words too. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={outlineOf(name)} />
    </svg>
  );
}

export function IconButton(props: { name: IconName; label: string; onClick: () => void; disabled?: boolean }): VNode {
  return (
    <button
      type="button"
      class="iconButton"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      <Icon name={props.name} />
    </button>
  );
}
