import { commandRows, visible, visibleShort } from '../chat/visible';
import type { PermissionOption } from '../chat/update';

/** One row of an approval's pick. Only `option` and `showInChat` do something. */
export type ApprovalRow =
  | { type: 'text'; label: string }
  | { type: 'option'; optionId: string; label: string; description?: string; icon: string }
  | { type: 'showInChat'; label: string };

export interface ApprovalQuestion {
  agent: string;
  /** What the tool call is called. */
  title: string;
  /** What it is about, verbatim: the whole command, or the paths. */
  subject?: string;
  options: readonly PermissionOption[];
}

/** A subject of more rows than this cannot be judged in a pick: there it can only be rejected or shown. */
const mostRows = 8;
/** So much is looked at to tell that a subject is too long, in characters: more does not fit into the rows. */
const mostCharacters = 10_000;
/** A row of the pick is cut behind about 75 characters of usual width. */
const rowWidth = 70;

const icons: Readonly<Record<string, string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'close',
  reject_always: 'circle-slash',
};

/** Title and rows of an approval's pick: the subject, then the agent's options, verbatim and in its order. */
export function approvalRows(question: ApprovalQuestion): { title: string; rows: ApprovalRow[] } {
  const { agent, title, subject, options } = question;
  const text = subject === undefined ? [] : commandRows(subject.slice(0, mostCharacters), rowWidth).flatMap(fitted);
  const more = (subject?.length ?? 0) > mostCharacters ? 'many' : text.length - mostRows + 1;
  const tooLong = text.length > mostRows;
  const shown = tooLong ? [...text.slice(0, mostRows - 1), `… ${more} more rows`] : text;
  const offered = tooLong ? options.filter(option => option.kind.startsWith('reject')) : options;
  const showInChat: ApprovalRow[] =
    tooLong || offered.length === 0 ? [{ type: 'showInChat', label: 'Show in Chat' }] : [];
  return {
    title: `${visibleShort(agent, 40)}: ${visibleShort(title, 120)}`,
    rows: [
      ...shown.map((label): ApprovalRow => ({ type: 'text', label: withoutIcons(label) })),
      ...showInChat,
      ...offered.map(optionRow),
    ],
  };
}

/** A row in pieces that fit into the pick: what is cut off could be what matters. */
function fitted(row: string): string[] {
  const pieces = [''];
  let width = 0;
  for (const character of row) {
    width += widthOf(character);
    if (width > rowWidth) {
      pieces.push('');
      width = widthOf(character);
    }
    pieces.push(`${pieces.pop() ?? ''}${character}`);
  }
  return pieces;
}

/** At most how wide a character is drawn, in lower case letters: the widest fonts of user interfaces were measured. */
function widthOf(character: string): number {
  if (/[mwMW@%]|[^\x20-\x7e]/.test(character)) return 1.65;
  return /[A-Z&+<=>~^#]/.test(character) ? 1.3 : 1;
}

function optionRow(option: PermissionOption): ApprovalRow {
  const label = withoutIcons(visible(option.name));
  const description = kindInWords(option);
  const icon = (Object.hasOwn(icons, option.kind) && icons[option.kind]) || 'question';
  return { type: 'option', optionId: option.optionId, label, icon, ...(description ? { description } : {}) };
}

/** What an option does, where its name does not say it: the name is the agent's, the kind is what counts. */
function kindInWords({ name, kind }: PermissionOption): string | undefined {
  if (!Object.hasOwn(icons, kind)) return undefined;
  const words = kind.split('_');
  return words.every(word => name.toLowerCase().includes(word)) ? undefined : words.join(' ');
}

/** `$(name)` stands for an icon in VS Code's lists: in a stranger's text it is only text. */
function withoutIcons(label: string): string {
  return label.replace(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, '\\$&');
}
