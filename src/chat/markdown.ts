import { previewOf } from './changePreview';
import type { Conversation, Entry, FileWrite, ToolCall } from './state';
import { titleOf } from './title';
import { partsOf } from './toolParts';
import type { ContentBlock } from './update';

/** The whole conversation as one Markdown document, for copying. */
export function conversationToMarkdown(c: Conversation): string {
  const sections = c.entries.map(entry => sectionOf(entry).trimEnd()).filter(text => text !== '');
  return [...(c.title === undefined ? [] : [`# ${c.title}`]), ...sections].join('\n\n') + '\n';
}

function sectionOf(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `## User\n\n${blocks(entry.content)}`;
    case 'agent':
      return `## Agent\n\n${blocks(entry.content)}`;
    case 'thought':
      return quote(`*Thought*\n\n${blocks(entry.content)}`);
    case 'tool':
      return callText(entry);
    case 'write':
      return `**Wrote** ${changeText(entry)}`;
    case 'changes':
      return ['**Changed files**', '', ...entry.files.map(file => `- \`${file.path}\` (${file.kind})`)].join('\n');
    case 'plan':
      return [
        '**Plan**',
        '',
        ...entry.entries.map(step => `- [${step.status === 'completed' ? 'x' : ' '}] ${step.content}`),
      ].join('\n');
    case 'error':
      return quote([`**Error:** ${entry.message}`, ...(entry.details ? [fence(entry.details)] : [])].join('\n\n'));
    case 'note':
      return quote([entry.text, ...(entry.details ? [entry.details] : [])].join('\n\n'));
    case 'unknown':
      return `*${entry.label}*\n\n${fence(JSON.stringify(entry.raw, undefined, 2), 'json')}`;
  }
}

function callText(call: ToolCall): string {
  const parts = partsOf(call).map(part => {
    if (part.type === 'block') return blockText(part.block);
    return part.type === 'change' ? changeText(part.change) : fence(part.text);
  });
  return [`**Tool:** ${titleOf(call)} (${call.status})`, ...parts].join('\n\n');
}

function changeText(change: FileWrite): string {
  const { added, removed, preview, partial } = previewOf(change);
  const lines = partial ? [...preview, '…'] : preview;
  return `\`${change.path}\` (+${added} −${removed})\n\n${fence(lines.join('\n'), 'diff')}`;
}

function blocks(content: readonly ContentBlock[]): string {
  return content.map(blockText).join('\n\n');
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `*(${block.mimeType})*`;
    case 'resourceLink':
      return `[${block.title ?? block.name}](<${block.uri}>)`;
    case 'resource':
      return block.text === undefined ? `<${block.uri}>` : `<${block.uri}>\n\n${fence(block.text)}`;
    case 'unknown':
      return `*(${block.label})*`;
  }
}

function quote(text: string): string {
  return text
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n');
}

/** A fence that is longer than any in the text. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), match => match[0].length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text.replace(/\n$/, '')}\n${marks}`;
}
