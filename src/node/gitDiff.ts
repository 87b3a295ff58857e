import type { FileChange, FileRef } from '../changes/ports';
import { splitFields } from './git';

/**
 * Reads the output of `git diff-tree -r -z --raw [--numstat]`: first all raw records, then all counts.
 * @param isKept whether the content of a path is in the store
 */
export function parseDiff(output: Buffer, root: string, isKept: (path: string) => boolean): FileChange[] {
  const fields = splitFields(output);
  const changes: FileChange[] = [];
  let at = 0;
  const next = (): string => fields[at++] ?? '';
  while (fields[at]?.startsWith(':')) {
    const [mode = '', newMode = '', blob = '', newBlob = '', status = ''] = next().slice(1).split(' ');
    const first = next();
    const path = status.startsWith('R') ? next() : first;
    const before = fileRef(mode, blob);
    const after = fileRef(newMode, newBlob);
    const kept = isKept(path) && isKept(first);
    changes.push({
      root,
      path,
      kind: kindOf(status),
      kept,
      ...(path === first ? {} : { oldPath: first }),
      ...(before && { before }),
      ...(after && { after }),
    });
  }
  const counts = new Map<string, { added: number; removed: number }>();
  while (at < fields.length) {
    const [added = '', removed = '', path = ''] = next().split('\t');
    // An empty path: the old and the new path of a rename follow.
    if (!path) next();
    const name = path || next();
    if (added !== '-') counts.set(name, { added: Number(added), removed: Number(removed) });
  }
  return changes.map(change => (change.kept ? { ...change, ...counts.get(change.path) } : change));
}

function kindOf(status: string): FileChange['kind'] {
  switch (status[0]) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    default:
      return 'modified';
  }
}

/** Reads a mode and a name as git writes them; nothing for what is not a file. */
export function fileRef(mode: string, blob: string): FileRef | undefined {
  switch (mode) {
    case '100644':
      return { mode: 'file', blob };
    case '100755':
      return { mode: 'executable', blob };
    case '120000':
      return { mode: 'link', blob };
    default:
      return undefined;
  }
}
