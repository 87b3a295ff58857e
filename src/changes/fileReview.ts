import { agentWrote, type Hunk, hunksOf, keepHunks, type ThreeWay, undoHunks } from './hunks';
import type { FileRef } from './ports';

/** What a file holds, one character for each byte (Latin-1), so that nothing is lost whatever its encoding is. */
export interface Version {
  readonly content: string;
  readonly mode: FileRef['mode'];
}

/** One file without the agent's changes, with them, and as it is now; undefined where it is not there. */
export interface FileVersions {
  readonly base: Version | undefined;
  readonly agent: Version | undefined;
  readonly current: Version | undefined;
}

export type HunkFilter = (hunk: Hunk) => boolean;

export interface UndoneFile {
  /** What the file is to be now; undefined: it is to go. */
  readonly current: Version | undefined;
  readonly agent: Version | undefined;
  /** Something that was asked for is left, because the user has changed it since. */
  readonly overlaps: boolean;
}

/** The hunks of a text file; undefined when it can only be reviewed as a whole (links, binary content). */
export function hunksOfFile(versions: FileVersions): readonly Hunk[] | undefined {
  return isText(versions) ? hunksOf(textsOf(versions)) : undefined;
}

/** Accepts what the agent did, or those hunks that `which` names: the new base. */
export function keepFile(versions: FileVersions, which?: HunkFilter): Version | undefined {
  if (!which || !isText(versions)) return versions.agent;
  const { base } = keepHunks(textsOf(versions), which);
  // The last hunk that is kept takes with it that the file is there, or gone, and its mode.
  return base === versions.agent?.content || hunksOf({ ...textsOf(versions), base }).length === 0
    ? withContent(versions.agent, base)
    : (withContent(versions.base, base) ?? withContent(versions.agent, base));
}

/**
 * Takes back what the agent did, or those hunks that `which` names. What the user wrote is left alone and reported,
 * unless `overUser` says that the user wants to lose it.
 */
export function undoFile(versions: FileVersions, which?: HunkFilter, overUser = false): UndoneFile {
  const { base, agent, current } = versions;
  if (sameVersion(current, base)) return { current, agent: base, overlaps: false };
  if (!which && (overUser || sameVersion(current, agent))) return { current: base, agent: base, overlaps: false };
  if (!isText(versions)) return { current, agent, overlaps: true };
  const { texts, overlaps } = undoHunks(textsOf(versions), which ?? (() => true), overUser);
  const isComplete = hunksOf(texts).length === 0;
  const result = (version: Version | undefined, content: string): Version | undefined => {
    if (content === '' && !(isComplete ? base : version)) return undefined;
    const mode = isComplete && base && version?.mode === agent?.mode ? base.mode : (version ?? base ?? agent)?.mode;
    return mode && { content, mode };
  };
  return { current: result(current, texts.current), agent: result(agent, texts.agent), overlaps: overlaps.length > 0 };
}

/** The agent goes on from `current`: what the user has changed since becomes part of the base. */
export function agentWroteFile(
  versions: FileVersions,
  next: Version | undefined,
): { base: Version | undefined; agent: Version | undefined } {
  const { base, agent, current } = versions;
  if (sameVersion(current, agent)) return { base, agent: next };
  if (!isText({ base, agent, current }) || !current) return { base: base ?? current, agent: next };
  const folded = agentWrote(textsOf(versions), next?.content ?? '').base;
  if (!base && folded === '') return { base, agent: next };
  return { base: { content: folded, mode: base?.mode ?? current.mode }, agent: next };
}

export function sameVersion(a: Version | undefined, b: Version | undefined): boolean {
  return a?.content === b?.content && a?.mode === b?.mode;
}

/** The same decision as git's, but over the whole content. */
function isText({ base, agent, current }: FileVersions): boolean {
  return [base, agent, current].every(
    version => !version || (version.mode !== 'link' && !version.content.includes('\0')),
  );
}

function textsOf({ base, agent, current }: FileVersions): ThreeWay {
  return { base: base?.content ?? '', agent: agent?.content ?? '', current: current?.content ?? '' };
}

function withContent(version: Version | undefined, content: string): Version | undefined {
  return version && { ...version, content };
}
