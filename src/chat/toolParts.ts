import { memo } from '../base/memo';
import { samePath } from './samePath';
import type { Entry, FileWrite, ToolCall } from './state';
import type { ContentBlock, ToolContent } from './update';

/** How much of an output the view is sent, in characters; its start moves in steps, so that growth stays an addition. */
const outputLimit = 64 * 1024;
const outputStep = outputLimit / 2;

/** What a tool call shows, in order: what the view draws at an index is the part at that index. */
export type ToolPart =
  | { type: 'block'; block: ContentBlock }
  | { type: 'change'; change: FileWrite }
  | { type: 'output'; text: string; exit?: string };

/**
 * The parts of a tool call. Where the client itself wrote a file, what was written stands in place of the agent's own
 * words about it; terminals that no content names come last.
 */
export const partsOf = memo((call: ToolCall): readonly ToolPart[] => {
  const written = writtenFiles(call.writes);
  const shown = new Set<string>();
  const parts: ToolPart[] = [];
  for (const item of call.content) {
    if (item.type === 'terminal') {
      shown.add(item.terminalId);
      parts.push(outputPart(call.terminals.find(one => one.terminalId === item.terminalId)));
    } else if (item.type === 'diff') {
      const at = written.findIndex(write => samePath(write.path, item.path));
      if (at < 0) parts.push({ type: 'change', change: changeOfDiff(item) });
      else parts.push(...written.splice(at, 1).map(change => ({ type: 'change' as const, change })));
    } else parts.push(blockPart(item));
  }
  parts.push(...written.map(change => ({ type: 'change' as const, change })));
  const others = call.terminals.filter(one => !shown.has(one.terminalId));
  return [...parts, ...others.map(outputPart)];
});

/** The changes of an entry, before and after; `index` of a diff in the view counts them. */
export function changesOf(entry: Entry): readonly FileWrite[] {
  if (entry.kind === 'write') return [entry];
  return entry.kind === 'tool' ? partsOf(entry).flatMap(part => (part.type === 'change' ? [part.change] : [])) : [];
}

/** The whole text of the output that the view draws at `index` of a tool call, if there is one. */
export function outputOf(entry: Entry, index: number): string | undefined {
  const part = entry.kind === 'tool' ? partsOf(entry)[index] : undefined;
  if (part?.type === 'output') return part.text;
  return part?.type === 'block' && part.block.type === 'text' ? part.block.text : undefined;
}

/** The end of an output, as much as the view is sent. */
export function clipOutput(text: string): { text: string; clipped: boolean } {
  if (text.length <= outputLimit) return { text, clipped: false };
  const start = Math.ceil((text.length - outputLimit) / outputStep) * outputStep;
  const splitsPair = /[\uDC00-\uDFFF]/.test(text.charAt(start));
  return { text: text.slice(splitsPair ? start + 1 : start), clipped: true };
}

const changeOfDiff = memo((diff: Extract<ToolContent, { type: 'diff' }>): FileWrite => {
  const { path, oldText, newText } = diff;
  return { path, after: newText, ...(oldText === undefined ? {} : { before: oldText }) };
});

/** One change per file: from what it held before the first write to what the last one left. */
function writtenFiles(writes: readonly FileWrite[]): FileWrite[] {
  const files = new Map<string, FileWrite>();
  for (const write of writes) {
    const first = files.get(write.path);
    files.set(write.path, first ? joined(first, write) : write);
  }
  return [...files.values()];
}

const joins = memo((_last: FileWrite): { change?: FileWrite } => ({}));

/** The same pair gives the same object, so that its difference is counted once. */
function joined(first: FileWrite, last: FileWrite): FileWrite {
  const known = joins(last);
  known.change ??= { ...first, after: last.after };
  return known.change;
}

function blockPart(item: Extract<ToolContent, { type: 'content' | 'unknown' }>): ToolPart {
  if (item.type === 'unknown') return { type: 'block', block: item };
  const { block } = item;
  return block.type === 'text' && block.text.length > outputLimit
    ? { type: 'output', text: block.text }
    : { type: 'block', block };
}

function outputPart(terminal: ToolCall['terminals'][number] | undefined): ToolPart {
  const exit = exitText(terminal?.exit);
  return { type: 'output', text: terminal?.text ?? '', ...(exit === undefined ? {} : { exit }) };
}

function exitText(exit: { exitCode?: number; signal?: string } | undefined): string | undefined {
  if (exit?.signal !== undefined) return `ended by ${exit.signal}`;
  return exit?.exitCode === undefined ? undefined : `exit code ${exit.exitCode}`;
}
