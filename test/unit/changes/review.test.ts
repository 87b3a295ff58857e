import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { Version } from '../../../src/changes/fileReview';
import type { CheckpointStore, FileChange, FileRef } from '../../../src/changes/ports';
import { decodeBytes, encodeBytes, Review, type ReviewedFile } from '../../../src/changes/review';

const signal = new AbortController().signal;
const root = '/w';

describe('the review of a session', () => {
  let blobs: Map<string, Uint8Array>;
  let disk: Map<string, Version>;
  let seen: Map<string, Version>;
  let saved: readonly ReviewedFile[];
  let review: Review;

  const nameOf = (version: Version): string => createHash('sha1').update(version.content, 'latin1').digest('hex');
  const content: CheckpointStore = {
    take: async () => [],
    compare: async () => [],
    find: async () => undefined,
    read: async (_, blob) => blobs.get(blob) ?? assert.fail(`no ${blob}`),
    put: async (_, bytes) => {
      const name = createHash('sha1').update(bytes).digest('hex');
      blobs.set(name, bytes);
      return name;
    },
  };
  const memory = {
    loadReview: async () => saved,
    saveReview: async (_: string, files: readonly ReviewedFile[]) =>
      void (saved = JSON.parse(JSON.stringify(files)) as ReviewedFile[]),
  };
  const refOf = (version: Version | undefined): FileRef | undefined => {
    if (!version) return undefined;
    blobs.set(nameOf(version), encodeBytes(version.content));
    return { blob: nameOf(version), mode: version.mode };
  };
  const write = (path: string, text: string | undefined): void => {
    if (text === undefined) disk.delete(path);
    else disk.set(path, { content: text, mode: 'file' });
  };
  /** Looks at the disk, as checkpoints do. */
  const look = (): FileChange[] => {
    const changes: FileChange[] = [];
    for (const path of new Set([...seen.keys(), ...disk.keys()])) {
      const [before, after] = [refOf(seen.get(path)), refOf(disk.get(path))];
      if (before?.blob === after?.blob) continue;
      const kind = !before ? 'added' : !after ? 'deleted' : 'modified';
      changes.push({ root, path, kind, kept: true, ...(before && { before }), ...(after && { after }) });
    }
    seen = new Map(disk);
    return changes;
  };
  const turn = async (number: number, agent: () => void, author: 'agent' | 'unknown' = 'agent'): Promise<void> => {
    look();
    agent();
    await review.record(number, look(), () => author, signal);
  };
  const undo = (path: string, overUser = false): Promise<{ overlaps: boolean }> =>
    review.undo({ root, path }, disk.get(path), { overUser, signal }, async ({ current }) =>
      write(path, current?.content),
    );
  const paths = (): string[] => review.files().map(file => file.path);

  beforeEach(() => {
    blobs = new Map();
    disk = new Map();
    seen = new Map();
    saved = [];
    review = new Review('s', content, memory);
  });

  it('lists what the agent changed over several turns, and undoes it', async () => {
    write('a', '1\n');
    write('b', '1\n');
    await turn(1, () => {
      write('a', '2\n');
      write('new', 'n\n');
    });
    await turn(2, () => {
      write('a', '3\n');
      write('b', undefined);
    });
    assert.deepEqual(
      review.files().map(file => [file.path, file.turns]),
      [
        ['a', [1, 2]],
        ['b', [2]],
        ['new', [1]],
      ],
    );
    for (const path of ['a', 'b', 'new']) assert.deepEqual(await undo(path), { overlaps: false });
    assert.deepEqual(
      [...disk].map(([path, { content: text }]) => [path, text]),
      [
        ['a', '1\n'],
        ['b', '1\n'],
      ],
    );
    assert.deepEqual(paths(), []);
  });

  it('does not list what came back to what it was', async () => {
    write('a', '1\n');
    await turn(1, () => write('a', '2\n'));
    await turn(2, () => write('a', '1\n'));
    assert.deepEqual(paths(), []);
  });

  it('gives back the text of the user that was there before the agent removed and rewrote a file', async () => {
    write('u', 'mine\n');
    await turn(1, () => write('u', 'mine\nbot\n'));
    await turn(1, () => write('u', undefined));
    await turn(1, () => write('u', 'mine\nbot\n'));
    await undo('u');
    assert.equal(disk.get('u')?.content, 'mine\n');
  });

  it('tells what the user saved during a turn from what the agent wrote', async () => {
    write('a', '1\n2\n3\n');
    write('b', 'b\n');
    look();
    write('b', 'mine\n');
    await review.userWrote({ root, path: 'b' }, disk.get('b'));
    write('a', 'mine\n1\n2\n3\n');
    await review.userWrote({ root, path: 'a' }, disk.get('a'));
    write('a', 'mine\n1\n2\nagent\n');
    await review.record(1, look(), () => 'agent', signal);
    assert.deepEqual(paths(), ['a']);
    await undo('a');
    assert.deepEqual([disk.get('a')?.content, disk.get('b')?.content], ['mine\n1\n2\n3\n', 'mine\n']);
  });

  it('tells who changed a file, the agent before the unknown', async () => {
    await turn(1, () => write('a', '1'), 'unknown');
    assert.equal(review.files()[0]?.author, 'unknown');
    await turn(2, () => write('a', '2'), 'agent');
    await turn(3, () => write('a', '3'), 'unknown');
    assert.equal(review.files()[0]?.author, 'agent');
  });

  it('takes a rename as a file that is gone and one that is new', async () => {
    const ref = refOf({ content: 'x', mode: 'file' })!;
    await review.record(
      1,
      [{ root, path: 'new', oldPath: 'old', kind: 'renamed', kept: true, before: ref, after: ref }],
      () => 'agent',
      signal,
    );
    assert.deepEqual(
      review.files().map(({ path, movedFrom, base, agent }) => [path, movedFrom, base?.blob, agent?.blob]),
      [
        ['new', 'old', undefined, ref.blob],
        ['old', undefined, ref.blob, undefined],
      ],
    );
  });

  it('asks before it loses what the user wrote', async () => {
    write('a', 'old\n');
    await turn(1, () => write('a', 'agent 1\nagent 2\n'));
    write('a', 'agent 1\nmine\nagent 2\n');
    assert.deepEqual(await undo('a'), { overlaps: true });
    assert.equal(disk.get('a')?.content, 'agent 1\nmine\nagent 2\n');
    assert.deepEqual(paths(), ['a']);
    assert.deepEqual(await undo('a', true), { overlaps: false });
    assert.equal(disk.get('a')?.content, 'old\n');
    assert.deepEqual(paths(), []);
  });

  it('keeps hunks, and then no longer lists them', async () => {
    write('a', '1\n2\n3\n');
    await turn(1, () => write('a', 'one\n2\nthree\n'));
    await review.keep({ root, path: 'a' }, disk.get('a'), signal, hunk => hunk.base.start === 0);
    await undo('a');
    assert.equal(disk.get('a')?.content, 'one\n2\n3\n');
    await turn(2, () => write('a', 'x'));
    await review.keep({ root, path: 'a' }, disk.get('a'), signal);
    assert.deepEqual(paths(), []);
  });

  it('changes nothing when the result cannot be written', async () => {
    write('a', '1');
    await turn(1, () => write('a', '2'));
    const failing = review.undo({ root, path: 'a' }, disk.get('a'), { signal }, () =>
      Promise.reject(new Error('read-only')),
    );
    await assert.rejects(failing, /read-only/);
    assert.deepEqual(paths(), ['a']);
    assert.deepEqual(await undo('a'), { overlaps: false });
  });

  it('refuses to take back what was too large to keep', async () => {
    const [before, after] = [refOf({ content: 'size 1', mode: 'file' })!, refOf({ content: 'size 2', mode: 'file' })!];
    await review.record(
      1,
      [{ root, path: 'large', kind: 'modified', kept: false, before, after }],
      () => 'agent',
      signal,
    );
    disk.set('large', { content: 'the large content', mode: 'file' });
    await assert.rejects(undo('large'), { code: 'checkpointGone' });
    assert.equal(disk.get('large')?.content, 'the large content');
    await review.keep({ root, path: 'large' }, disk.get('large'), signal);
    assert.deepEqual(paths(), []);
  });

  it('follows a restore, and comes back when that is taken back', async () => {
    write('a', '1');
    await turn(1, () => write('a', '2'));
    const before = review.files();
    write('a', '1');
    await review.restored(look());
    assert.deepEqual(paths(), []);
    await review.replace(before);
    assert.deepEqual(paths(), ['a']);
  });

  it('is the same after a reload', async () => {
    await turn(1, () => write('a', '1'));
    const again = new Review('s', content, memory);
    await again.load();
    assert.deepEqual(again.files(), review.files());
  });

  it('carries any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), bytes =>
        assert.deepEqual(encodeBytes(decodeBytes(bytes)), bytes),
      ),
      { numRuns: 20 },
    );
  });

  it('loses nothing of the user over any course of turns, edits, keeping and undoing', async () => {
    const change = fc.record({ at: fc.nat({ max: 8 }), remove: fc.nat({ max: 2 }), insert: fc.nat({ max: 2 }) });
    const action = fc.record({
      who: fc.constantFrom('agent', 'user', 'keep', 'undo'),
      path: fc.constantFrom('a', 'b'),
      change,
      remove: fc.integer({ min: 0, max: 9 }),
    });
    let unique = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async actions => {
        [disk, seen, saved] = [new Map(), new Map(), []];
        review = new Review('s', content, memory);
        write('a', '1\n2\n3\n4\n');
        const edit = (path: string, { at, remove, insert }: (typeof actions)[number]['change'], who: string): void => {
          const lines = (disk.get(path)?.content ?? '').match(/[^\n]*\n/g) ?? [];
          lines.splice(at, remove, ...Array.from({ length: insert }, () => `${who} ${unique++}\n`));
          write(path, lines.join(''));
        };
        const ofUser = (path: string): string[] => disk.get(path)?.content.match(/user \d+/g) ?? [];
        let number = 0;
        for (const { who, path, change: edited, remove } of actions) {
          if (who === 'user') edit(path, edited, 'user');
          else if (who === 'agent')
            await turn(++number, () => (remove === 9 ? write(path, undefined) : edit(path, edited, 'agent')));
          else {
            const before = ofUser(path);
            if (who === 'keep')
              await review.keep({ root, path }, disk.get(path), signal, hunk => hunk.base.start % 2 === 0);
            else await undo(path);
            for (const line of before) assert.ok(ofUser(path).includes(line), `${who} lost ${line}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
