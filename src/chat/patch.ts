import { sameJson } from '../base/sameJson';
import { without } from '../base/without';
import type { Patch, PatchOp, Snapshot, ViewEntry, ViewHead, ViewState } from './view';

/** Gives one view what changed since it was told last. Numbers grow by one with each patch. */
export class PatchSource {
  private seq = 0;
  private last: ViewState | undefined;

  /** The whole state; patches go on from here. */
  snapshot(view: ViewState): Snapshot {
    this.last = view;
    return { seq: this.seq, state: view };
  }

  /** What changed since the last call, or `undefined`. Before the first snapshot there is nothing to go on from. */
  next(view: ViewState): Patch | undefined {
    if (!this.last) return undefined;
    const ops = difference(this.last, view);
    this.last = view;
    return ops.length > 0 ? { seq: ++this.seq, ops } : undefined;
  }
}

/** The state after a patch. What the patch does not name keeps its identity. Throws when it does not fit. */
export function applyPatch(state: ViewState, patch: Patch): ViewState {
  return patch.ops.reduce(applyOp, state);
}

function applyOp(state: ViewState, op: PatchOp): ViewState {
  switch (op.op) {
    case 'head':
      return { ...state, head: patchedHead(state.head, op.head) };
    case 'insert':
      return { ...state, entries: state.entries.toSpliced(op.at, 0, ...op.entries) };
    case 'set':
      return { ...state, entries: state.entries.with(indexOf(state, op.entry.id), op.entry) };
    case 'remove':
      return { ...state, entries: state.entries.toSpliced(indexOf(state, op.id), 1) };
    case 'append': {
      const at = indexOf(state, op.id);
      const entry = state.entries[at];
      return entry ? { ...state, entries: state.entries.with(at, lengthened(entry, op.block, op.text)) } : state;
    }
  }
}

function indexOf(state: ViewState, id: string): number {
  const at = state.entries.findLastIndex(entry => entry.id === id);
  if (at < 0) throw new Error(`No entry ${id}`);
  return at;
}

function lengthened(entry: ViewEntry, index: number, text: string): ViewEntry {
  if (entry.kind === 'tool') {
    const item = entry.content[index];
    if (item?.type !== 'output') throw new Error(`No output ${index} in ${entry.id}`);
    return { ...entry, content: entry.content.with(index, { ...item, text: item.text + text }) };
  }
  const block = 'blocks' in entry ? entry.blocks[index] : undefined;
  if (!('blocks' in entry) || block?.type !== 'text') throw new Error(`No text ${index} in ${entry.id}`);
  return { ...entry, blocks: entry.blocks.with(index, { ...block, text: block.text + text }) };
}

function patchedHead(head: ViewHead, fields: Extract<PatchOp, { op: 'head' }>['head']): ViewHead {
  const removed = headFields.filter(key => fields[key] === null);
  // The fields that are set to `null` are exactly those that may be absent.
  return without({ ...head, ...fields }, ...removed) as ViewHead;
}

const headFields = [
  'conversationId',
  'agent',
  'folder',
  'phase',
  'activity',
  'title',
  'queue',
  'commands',
  'modes',
  'configOptions',
  'usage',
  'blocked',
] as const satisfies (keyof ViewHead)[];

/** Fails to compile when a field of the head is missing in the list. */
type AllFields = Exclude<keyof ViewHead, (typeof headFields)[number]> extends never ? true : never;
true satisfies AllFields;

function difference(old: ViewState, now: ViewState): PatchOp[] {
  return [...headDifference(old.head, now.head), ...entriesDifference(old.entries, now.entries)];
}

function headDifference(old: ViewHead, now: ViewHead): PatchOp[] {
  if (old === now) return [];
  const changed = headFields.filter(key => !sameJson(old[key], now[key]));
  if (changed.length === 0) return [];
  return [{ op: 'head', head: Object.fromEntries(changed.map(key => [key, now[key] ?? null])) }];
}

/** One pass over both lists; the ids are only looked up where the lists part. */
function entriesDifference(old: readonly ViewEntry[], now: readonly ViewEntry[]): PatchOp[] {
  if (old === now) return [];
  const ops: PatchOp[] = [];
  const left = once(() => new Set(old.map(entry => entry.id)));
  const right = once(() => new Set(now.map(entry => entry.id)));
  let from = 0;
  let at = 0;
  while (from < old.length || at < now.length) {
    const before = old[from];
    const after = now[at];
    if (before && after?.id === before.id) {
      if (before !== after) ops.push(...entryDifference(before, after));
      from++;
      at++;
    } else if (before && (!after || !right().has(before.id) || left().has(after.id))) {
      // Gone, or moved: then it comes back at its new place as a new one.
      ops.push({ op: 'remove', id: before.id });
      left().delete(before.id);
      from++;
    } else {
      const start = at++;
      for (let next = now[at]; next && !left().has(next.id); next = now[at]) at++;
      ops.push({ op: 'insert', at: start, entries: now.slice(start, at) });
    }
  }
  return ops;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function entryDifference(old: ViewEntry, now: ViewEntry): PatchOp[] {
  const growth = growthOf(old, now);
  if (growth) return growth.text === '' ? [] : [{ op: 'append', id: now.id, ...growth }];
  return [{ op: 'set', entry: now }];
}

/** Where and by what text an entry has grown, if that is all that changed; an empty text when nothing has. */
function growthOf(old: ViewEntry, now: ViewEntry): { block: number; text: string } | undefined {
  if (old.kind !== now.kind) return undefined;
  const [before, after] = [textsOf(old), textsOf(now)];
  if (before.items.length !== after.items.length || !sameJson(before.rest, after.rest)) return undefined;
  const changed = after.items.flatMap((item, block) => (sameJson(item, before.items[block]) ? [] : [block]));
  const [block, ...others] = changed;
  if (block === undefined) return { block: 0, text: '' };
  const [from, to] = [before.items[block], after.items[block]];
  if (others.length > 0 || !isText(from) || !isText(to) || !to.text.startsWith(from.text)) return undefined;
  return sameJson({ ...from, text: '' }, { ...to, text: '' })
    ? { block, text: to.text.slice(from.text.length) }
    : undefined;
}

function textsOf(entry: ViewEntry): { items: readonly { type: string }[]; rest: object } {
  if (entry.kind === 'tool') return { items: entry.content, rest: without(entry, 'content') };
  if ('blocks' in entry) return { items: entry.blocks, rest: without(entry, 'blocks') };
  return { items: [], rest: entry };
}

function isText(item: { type: string } | undefined): item is { type: 'text' | 'output'; text: string } {
  return item?.type === 'text' || item?.type === 'output';
}
