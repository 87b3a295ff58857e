// Versions and ranges as npm writes them, as far as a client meets them: `engines.node`, pinned packages, `--version`.

/** Numbers of a version, most significant first, and what follows `-` (a pre-release). */
export interface Version {
  numbers: readonly [number, number, number];
  preRelease?: string;
}

const versionText = /(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?/;

/** The first version that is in `text` (`v22.1.0`, `goose 1.46.0 (abc)`), or undefined. */
export function readVersion(text: string): Version | undefined {
  const found = versionText.exec(text);
  if (!found) return undefined;
  const [, major, minor, patch, preRelease] = found;
  return { numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)], ...(preRelease ? { preRelease } : {}) };
}

/** Below 0 when `a` is older than `b`, above 0 when it is newer. A pre-release is older than its release. */
export function compareVersions(a: Version, b: Version): number {
  for (const place of [0, 1, 2] as const) {
    const difference = a.numbers[place] - b.numbers[place];
    if (difference !== 0) return difference;
  }
  if (a.preRelease === b.preRelease) return 0;
  if (a.preRelease === undefined) return 1;
  if (b.preRelease === undefined) return -1;
  return a.preRelease.localeCompare(b.preRelease, 'en', { numeric: true });
}

type Bound = { operator: '>=' | '>' | '<' | '<='; version: Version };

const at = (major: number, minor = 0, patch = 0): Version => ({ numbers: [major, minor, patch] });

/** `1.2` or `1.x` as the half-open range that it stands for; undefined bounds mean "any". */
function partial(text: string): { from: Version; until?: Version } | undefined {
  const parts = text.replace(/^v/, '').split('-')[0]?.split('.') ?? [];
  if (!parts.every(part => /^(\d+|[xX*])$/.test(part)) || parts.length > 3) return undefined;
  const [major, minor, patch] = parts.map(part => (/\d/.test(part) ? Number(part) : undefined));
  if (major === undefined) return { from: at(0) };
  if (minor === undefined) return { from: at(major), until: at(major + 1) };
  if (patch === undefined) return { from: at(major, minor), until: at(major, minor + 1) };
  return { from: readVersion(text) ?? at(major, minor, patch), until: at(major, minor, patch + 1) };
}

/** Where a caret or tilde range ends: the next major, minor or patch, by the leftmost number that may not change. */
function rangeEnd({ numbers: [major, minor, patch] }: Version, operator: string, given: number): Version {
  if (given === 1 || (operator === '^' && major > 0)) return at(major + 1);
  if (given === 2 || operator !== '^' || minor > 0) return at(major, minor + 1);
  return at(major, minor, patch + 1);
}

/** One comparator (`^1.2`, `>=3`, `4.x`) as bounds; undefined when it is not understood. */
function bounds(comparator: string): Bound[] | undefined {
  const [, operator = '', text = ''] = /^(\^|~>?|>=|<=|>|<|=)?(.*)$/.exec(comparator) ?? [];
  const range = partial(text);
  if (!range) return undefined;
  const { from, until } = range;
  const given = text.split('.').filter(part => /\d/.test(part)).length;
  const below = (version: Version | undefined): Bound[] => (version ? [{ operator: '<', version }] : []);
  switch (operator) {
    case '>=':
      return [{ operator: '>=', version: from }];
    case '>':
      return [until && given < 3 ? { operator: '>=', version: until } : { operator: '>', version: from }];
    case '<':
      return below(from);
    case '<=':
      return below(until);
    case '^':
    case '~':
    case '~>':
      return [{ operator: '>=', version: from }, ...below(until && rangeEnd(from, operator, given))];
    default:
      return [{ operator: '>=', version: from }, ...below(until)];
  }
}

function holds(version: Version, { operator, version: limit }: Bound): boolean {
  const order = compareVersions(version, limit);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

/**
 * Whether `version` is in `range` (`>=22`, `^20.19 || >=22.12`, `18.x`, `1.2 - 2.3`).
 * Undefined when the range is not understood: the caller decides what a stranger's typing is worth.
 */
export function satisfies(version: Version, range: string): boolean | undefined {
  let understood = false;
  for (const alternative of range.split('||')) {
    const plain = alternative
      .trim()
      .replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2')
      .replace(/(\^|~>?|>=|<=|>|<|=)\s+/g, '$1');
    const parsed = plain === '' ? [[]] : plain.split(/\s+/).map(bounds);
    if (parsed.some(part => part === undefined)) continue;
    understood = true;
    if (parsed.every(part => part?.every(bound => holds(version, bound)))) return true;
  }
  return understood ? false : undefined;
}
