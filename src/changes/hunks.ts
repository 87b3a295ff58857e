import { diffArrays } from 'diff';

/**
 * One file in three states. `base` is without the agent's changes, `agent` with them, `current` what is there now: the
 * user may have gone on from `agent`. Texts are compared by lines with their line ends, so that joining gives the very
 * same text again (CRLF, byte order mark, no final newline). Bytes decoded as Latin-1 work as well as text.
 */
export interface ThreeWay {
  readonly base: string;
  readonly agent: string;
  readonly current: string;
}

/** Lines from `start` up to, not including, `end`; 0-based. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A place that the agent changed and that still differs from `base`. */
export interface Hunk {
  readonly base: Range;
  readonly agent: Range;
  readonly current: Range;
  /** The user has written into this very place since: undoing it would lose that. */
  readonly overlap: boolean;
}

/** Texts with more changed lines than this count as changed from the first to the last of them. */
const maxEdits = 1000;

/** A stretch that differs between two texts. */
interface Edit {
  readonly old: Range;
  readonly new: Range;
}

/** A stretch outside of which neither the agent nor the user changed anything. */
interface Cluster {
  base: Range;
  agent: Range;
  current: Range;
  byAgent: boolean;
  byUser: boolean;
}

/** The agent's changes that are neither kept nor undone, in the order of their lines. */
export function hunksOf(texts: ThreeWay): readonly Hunk[] {
  const [base, current] = [splitLines(texts.base), splitLines(texts.current)];
  return clustersOf(texts)
    .filter(cluster => cluster.byAgent && !isUndone(cluster, base, current))
    .map(({ base, agent, current, byUser }) => ({ base, agent, current, overlap: byUser }));
}

/** Accepts hunks: their lines become part of the base. What the user wrote into them belongs to the user. */
export function keepHunks(texts: ThreeWay, which: (hunk: Hunk) => boolean): ThreeWay {
  const agent = splitLines(texts.agent);
  const kept = hunksOf(texts).filter(which);
  const base = replaceLines(
    splitLines(texts.base),
    kept.map(hunk => [hunk.base, linesIn(agent, hunk.agent)]),
  );
  return { ...texts, base };
}

export interface Undone {
  readonly texts: ThreeWay;
  /** Hunks that were asked for and left alone, as the user has written into them. */
  readonly overlaps: readonly Hunk[];
}

/**
 * Takes hunks back. Where the user has written into one, it is left alone and reported, unless `overUser` says that
 * the user wants it; nothing else that the user wrote is ever touched.
 */
export function undoHunks(texts: ThreeWay, which: (hunk: Hunk) => boolean, overUser = false): Undone {
  const asked = hunksOf(texts).filter(which);
  const undone = asked.filter(hunk => overUser || !hunk.overlap);
  const base = splitLines(texts.base);
  const revert = (text: string, side: 'agent' | 'current'): string =>
    replaceLines(
      splitLines(text),
      undone.map(hunk => [hunk[side], linesIn(base, hunk.base)]),
    );
  return {
    texts: { base: texts.base, agent: revert(texts.agent, 'agent'), current: revert(texts.current, 'current') },
    overlaps: asked.filter(hunk => !undone.includes(hunk)),
  };
}

/**
 * The agent writes on from `current`. What the user has changed up to now becomes part of the base, so that undoing all
 * of the agent's changes, the earlier and the new, leaves it in place.
 */
export function agentWrote(texts: ThreeWay, next: string): ThreeWay {
  return { base: withUserEdits(texts), agent: next, current: next };
}

/** The base with the user's changes, and without the agent's. */
function withUserEdits(texts: ThreeWay): string {
  const [base, agent, current] = [splitLines(texts.base), splitLines(texts.agent), splitLines(texts.current)];
  const replacements = clustersOf(texts)
    .filter(cluster => cluster.byUser && !isUndone(cluster, base, current))
    .map((cluster): Replacement => {
      const now = linesIn(current, cluster.current);
      if (!cluster.byAgent) return [cluster.base, now];
      return [cluster.base, mergeLines(linesIn(base, cluster.base), linesIn(agent, cluster.agent), now)];
    });
  return replaceLines(base, replacements);
}

/** Lines of `base` that the user did not delete, with the lines that the user wrote, each where it stands in `agent`. */
function mergeLines(base: readonly string[], agent: readonly string[], current: readonly string[]): string[] {
  const byAgent = editsBetween(base, agent);
  const byUser = editsBetween(agent, current);
  const result: string[] = [];
  let inBase = 0;
  for (let line = 0; line <= agent.length; line++) {
    const agentEdit = byAgent.find(({ new: range }) => range.start === line);
    if (agentEdit) {
      result.push(...base.slice(agentEdit.old.start, agentEdit.old.end));
      inBase = agentEdit.old.end;
    }
    const userEdit = byUser.find(({ old }) => old.start === line);
    if (userEdit) result.push(...current.slice(userEdit.new.start, userEdit.new.end));
    if (line === agent.length || byAgent.some(({ new: range }) => isWithin(line, range))) continue;
    if (!byUser.some(({ old }) => isWithin(line, old))) result.push(...base.slice(inBase, inBase + 1));
    inBase++;
  }
  return result;
}

function clustersOf(texts: ThreeWay): Cluster[] {
  const [base, agent, current] = [splitLines(texts.base), splitLines(texts.agent), splitLines(texts.current)];
  const edits = [
    ...editsBetween(base, agent).map(edit => ({ edit, at: edit.new, byAgent: true })),
    ...editsBetween(agent, current).map(edit => ({ edit, at: edit.old, byAgent: false })),
  ].sort((a, b) => a.at.start - b.at.start || a.at.end - b.at.end);
  const clusters: Cluster[] = [];
  // How many lines base and current have more than agent, up to here.
  let [moreInBase, moreInCurrent] = [0, 0];
  for (const { edit, at, byAgent } of edits) {
    let cluster = clusters.at(-1);
    if (!cluster || !meet(cluster, at, byAgent)) {
      const start = { base: at.start + moreInBase, current: at.start + moreInCurrent };
      cluster = {
        base: { start: start.base, end: start.base },
        agent: at,
        current: { start: start.current, end: start.current },
        byAgent: false,
        byUser: false,
      };
      clusters.push(cluster);
    }
    if (byAgent) moreInBase += lengthOf(edit.old) - lengthOf(edit.new);
    else moreInCurrent += lengthOf(edit.new) - lengthOf(edit.old);
    cluster.agent = { start: cluster.agent.start, end: Math.max(cluster.agent.end, at.end) };
    cluster.base = { start: cluster.base.start, end: cluster.agent.end + moreInBase };
    cluster.current = { start: cluster.current.start, end: cluster.agent.end + moreInCurrent };
    if (byAgent) cluster.byAgent = true;
    else cluster.byUser = true;
  }
  return clusters;
}

/** Edits of one side never meet; those of two sides meet when they share lines, or both are at the same gap. */
function meet(cluster: Cluster, at: Range, byAgent: boolean): boolean {
  const isOnlyOwn = byAgent ? !cluster.byUser : !cluster.byAgent;
  if (isOnlyOwn) return false;
  if (at.start < cluster.agent.end) return true;
  return at.start === cluster.agent.start && at.end === cluster.agent.end && lengthOf(at) === 0;
}

function isUndone({ base, current }: Cluster, baseLines: readonly string[], currentLines: readonly string[]): boolean {
  if (lengthOf(base) !== lengthOf(current)) return false;
  return baseLines.slice(base.start, base.end).every((line, index) => line === currentLines[current.start + index]);
}

function editsBetween(from: readonly string[], to: readonly string[]): Edit[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let tail = 0;
  while (
    tail < from.length - start &&
    tail < to.length - start &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  )
    tail++;
  const [fromEnd, toEnd] = [from.length - tail, to.length - tail];
  if (start === fromEnd && start === toEnd) return [];
  const parts = diffArrays(from.slice(start, fromEnd), to.slice(start, toEnd), { maxEditLength: maxEdits });
  if (!parts) return [{ old: { start, end: fromEnd }, new: { start, end: toEnd } }];
  const edits: Edit[] = [];
  let [inFrom, inTo] = [start, start];
  for (const { added, removed, count } of parts) {
    const [nextFrom, nextTo] = [inFrom + (added ? 0 : count), inTo + (removed ? 0 : count)];
    if (added || removed) {
      // What is removed and what is added in its place come one after the other.
      const last = edits.at(-1);
      const joins = last?.old.end === inFrom && last.new.end === inTo;
      if (joins) edits.pop();
      const from = joins ? { old: last.old.start, new: last.new.start } : { old: inFrom, new: inTo };
      edits.push({ old: { start: from.old, end: nextFrom }, new: { start: from.new, end: nextTo } });
    }
    [inFrom, inTo] = [nextFrom, nextTo];
  }
  return edits;
}

/** Lines with their ends; none for the empty text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function linesIn(lines: readonly string[], { start, end }: Range): readonly string[] {
  return lines.slice(start, end);
}

function lengthOf({ start, end }: Range): number {
  return end - start;
}

function isWithin(line: number, { start, end }: Range): boolean {
  return start <= line && line < end;
}

type Replacement = readonly [Range, readonly string[]];

function replaceLines(lines: readonly string[], replacements: readonly Replacement[]): string {
  const result: (readonly string[])[] = [];
  let at = 0;
  for (const [range, replacement] of replacements) {
    result.push(lines.slice(at, range.start), replacement);
    at = range.end;
  }
  return joinLines([...result, lines.slice(at)].flat());
}

/** A last line without an end gets one when something follows it now: two lines never become one. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      if (next === undefined || line.endsWith('\n')) return line;
      return line + (next.endsWith('\r\n') ? '\r\n' : '\n');
    })
    .join('');
}
