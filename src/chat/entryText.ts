import { memo } from '../base/memo';
import type { ViewBlock, ViewEntry } from './view';

/** The words of an entry as they are shown, in the order in which they are read. */
export const entryText = memo((entry: ViewEntry): string => textsOf(entry).join('\n'));

function textsOf(entry: ViewEntry): string[] {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return entry.blocks.map(blockText);
    case 'tool':
      return [
        entry.title,
        ...entry.permissions.flatMap(permission => permission.subject ?? []),
        ...entry.content.flatMap(item => {
          if (item.type === 'block') return [blockText(item.block)];
          return item.type === 'output' ? [item.text] : [item.diff.label, ...item.diff.preview];
        }),
        ...entry.locations.map(location => location.label),
      ];
    case 'write':
      return [entry.diff.label, ...entry.diff.preview];
    case 'changes':
      return entry.files.map(file => file.label);
    case 'plan':
      return entry.entries.map(step => step.content);
    case 'error':
      return [entry.message, entry.details ?? ''];
    case 'note':
      return [entry.text, entry.details ?? ''];
    case 'unknown':
      return [entry.label, entry.raw];
  }
}

function blockText(block: ViewBlock): string {
  if (block.type === 'text') return block.text;
  return block.type === 'image' ? block.alt : block.label;
}
