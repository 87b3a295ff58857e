import { append, removeAt, replaceAt } from './entries';
import { nameOf, placeOf } from './entryIndex';
import { samePath } from './samePath';
import type { Conversation, FileWrite, ToolCall } from './state';
import type { ToolCallPatch } from './update';

/** A file was written: it belongs to the latest call of the turn that names the file, else it stands for itself. */
export function addWrite(c: Conversation, write: FileWrite): Conversation {
  for (let at = c.entries.length - 1; at >= 0; at--) {
    const entry = c.entries[at];
    if (entry?.turn !== c.turn) break;
    if (entry.kind === 'tool' && names(entry, write.path)) {
      return replaceAt(c, at, { ...entry, writes: [...entry.writes, write] });
    }
  }
  return append(c, { kind: 'write', ...write });
}

/** When a call tells a diff only after the file was written, the write moves to it and is not shown twice. */
export function absorbWrites(c: Conversation, callAt: number, patch: ToolCallPatch): Conversation {
  const diffs = patch.content?.filter(item => item.type === 'diff') ?? [];
  if (diffs.length === 0 || placeOf(c.entries, nameOf.write) < 0) return c;
  let next = c;
  let place = callAt;
  for (let at = c.entries.length - 1; at >= 0; at--) {
    const entry = next.entries[at];
    if (entry?.turn !== c.turn) break;
    if (entry.kind !== 'write') continue;
    if (!diffs.some(diff => diff.newText === entry.after && samePath(diff.path, entry.path))) continue;
    const call = next.entries[place];
    if (call?.kind !== 'tool') break;
    const { path, before, after } = entry;
    const write = { path, after, ...(before === undefined ? {} : { before }) };
    next = removeAt(replaceAt(next, place, { ...call, writes: [write, ...call.writes] }), at);
    if (at < place) place--;
  }
  return next;
}

function names(call: ToolCall, path: string): boolean {
  return (
    call.content.some(item => item.type === 'diff' && samePath(item.path, path)) ||
    call.locations.some(location => samePath(location.path, path))
  );
}
