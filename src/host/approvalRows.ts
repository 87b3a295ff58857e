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
/** A row of the pick is cut at about 75 characters; East Asian characters and emoji are twice as wide. */
const rowWidth = 70;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const icons: Readonly<Record<string, string>> = {
  allow_once: 'check',
  allow_always: 'check-all',
  reject_once: 'close',
  reject_always: 'circle-slash',
};

/** Title and rows of an approval's pick: the subject, then the agent's options, verbatim and in its order. */
export function approvalRows(question: ApprovalQuestion): { title: string; rows: ApprovalRow[] } {
  const { agent, title, subject, options } = question;
  const text = subject === undefined ? [] : commandRows(subject, wide.test(subject) ? rowWidth / 2 : rowWidth);
  const tooLong = text.length > mostRows;
  const shown = tooLong ? [...text.slice(0, mostRows - 1), `… ${text.length - mostRows + 1} more rows`] : text;
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

function optionRow(option: PermissionOption): ApprovalRow {
  const label = withoutIcons(visible(option.name));
  const description = kindInWords(option);
  const icon = icons[option.kind] ?? 'question';
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
