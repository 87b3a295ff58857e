/** Outlines on a 16 by 16 grid, drawn with the colour of the text around them. */
const outlines = {
  add: 'M8 3v10M3 8h10',
  arrowDown: 'M8 3v9.5M4 8.5l4 4 4-4',
  arrowUp: 'M8 13V3.5M4 7.5l4-4 4 4',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  checkAll: 'M1.5 8.5l3 3L11 5M7.5 10.5l1 1L15 5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronUp: 'M4 10l4-4 4 4',
  circle: 'M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 8 2.8z',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  delete: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  edit: 'M3 13l.7-3L10.8 3l2.2 2.2-7.1 7.1zM9.3 4.5l2.2 2.2',
  error: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6 6l4 4M10 6l-4 4',
  execute: 'M2.5 3h11v10h-11zM5 6.2L7 8l-2 1.8M8.5 10h2.5',
  fetch: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-3.2 3-3.2 8 0 11M8 2.5c3.2 3 3.2 8 0 11',
  file: 'M4 2.5h5l3.5 3.5v7.5H4zM9 2.5V6h3.5',
  folder: 'M2.5 4h4l1.3 1.5h5.7v7h-11z',
  forbid: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 4.2l7.6 7.6',
  half: 'M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 8 2.8zM8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 7.2v4M8 4.8v.6',
  history: 'M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.8v3h3M8 5.2V8l2 1.4',
  insert: 'M2.5 3.5h11M2.5 12.5h11M2.5 8h5M13.5 8h-4M11 6.2L9.2 8l1.8 1.8',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h1M2.5 8h1M2.5 12h1',
  move: 'M2.5 8h10M9 4.5L12.5 8 9 11.5',
  question: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6.3 6.5a1.7 1.7 0 1 1 2.4 1.6c-.5.2-.7.5-.7 1M8 10.8v.5',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  send: 'M2.8 3l10.7 5-10.7 5 1.7-5zM4.5 8h4',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4z',
  stop: 'M4.5 4.5h7v7h-7z',
  swap: 'M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13',
  think: 'M6 11.5a4 4 0 1 1 4 0v1.2H6zM6.5 14.3h3',
  tool: 'M9.5 6.5a3 3 0 0 0 3.8-3.3L11.5 5 10.3 4.8 10 3.5l1.8-1.8A3 3 0 0 0 8 5.3L2.7 10.8a1.4 1.4 0 0 0 2 2z',
  warning: 'M8 2.8l5.8 10.4H2.2zM8 6.8v3M8 11.2v.5',
} as const;

export type IconName = keyof typeof outlines;

const svg = 'http://www.w3.org/2000/svg';

export const outlineOf = (name: IconName): string => outlines[name];

/** Decoration: what it says is always said in words too. */
export function icon(name: IconName): SVGElement {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('class', 'icon');
  element.setAttribute('viewBox', '0 0 16 16');
  element.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', outlines[name]);
  element.append(path);
  return element;
}

const kinds: Record<string, IconName> = {
  read: 'file',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  switch_mode: 'swap',
};

export const iconOfToolKind = (kind: string): IconName => (Object.hasOwn(kinds, kind) && kinds[kind]) || 'tool';
