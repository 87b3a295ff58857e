import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { agentWrote, hunksOf, keepHunks, type ThreeWay, undoHunks } from '../../../src/changes/hunks';

const all = (): boolean => true;
const lines = (...names: string[]): string => names.map(name => `${name}\n`).join('');
/** The agent has written; the user has not. */
const written = (base: string, agent: string): ThreeWay => ({ base, agent, current: agent });

describe('hunks', () => {
  it('are the places that differ between base and agent', () => {
    const texts = written(lines('a', 'b', 'c', 'd', 'e'), lines('a', 'B', 'c', 'e', 'f'));
    assert.deepEqual(hunksOf(texts), [
      { base: { start: 1, end: 2 }, agent: { start: 1, end: 2 }, current: { start: 1, end: 2 }, overlap: false },
      { base: { start: 3, end: 4 }, agent: { start: 3, end: 3 }, current: { start: 3, end: 3 }, overlap: false },
      { base: { start: 5, end: 5 }, agent: { start: 4, end: 5 }, current: { start: 4, end: 5 }, overlap: false },
    ]);
  });

  it('are undone and kept one by one', () => {
    let texts = written(lines('a', 'b', 'c'), lines('A', 'b', 'C'));
    const [first, second] = hunksOf(texts);
    texts = undoHunks(texts, hunk => hunk.base.start === first!.base.start).texts;
    assert.equal(texts.current, lines('a', 'b', 'C'));
    texts = keepHunks(texts, hunk => hunk.base.start === second!.base.start);
    assert.equal(texts.base, lines('a', 'b', 'C'));
    assert.deepEqual(hunksOf(texts), []);
  });

  it('move with what the user writes elsewhere', () => {
    const texts = {
      ...written(lines('a', 'b', 'c'), lines('a', 'B', 'c')),
      current: lines('mine', 'a', 'B', 'c', 'mine too'),
    };
    assert.deepEqual(hunksOf(texts)[0]?.current, { start: 2, end: 3 });
    const { texts: undone, overlaps } = undoHunks(texts, all);
    assert.deepEqual(overlaps, []);
    assert.equal(undone.current, lines('mine', 'a', 'b', 'c', 'mine too'));
  });

  it('next to which the user has written are undone without it', () => {
    const texts = {
      ...written(lines('a', 'd'), lines('a', 'b', 'c', 'd')),
      current: lines('a', 'before', 'b', 'c', 'after', 'd'),
    };
    assert.equal(undoHunks(texts, all).texts.current, lines('a', 'before', 'after', 'd'));
  });

  it('into which the user has written are left alone and reported', () => {
    for (const current of [lines('a', 'b', 'mine', 'c', 'd'), lines('a', 'b', 'd'), lines('a', 'mine', 'c', 'd')]) {
      const texts = { ...written(lines('a', 'd'), lines('a', 'b', 'c', 'd')), current };
      const { texts: undone, overlaps } = undoHunks(texts, all);
      assert.deepEqual([overlaps.length, overlaps[0]?.overlap, undone.current], [1, true, current]);
      assert.equal(undoHunks(texts, all, true).texts.current, lines('a', 'd'));
    }
  });

  it('are reported when the user wrote where the agent deleted', () => {
    const texts = { ...written(lines('a', 'b', 'c'), lines('a', 'c')), current: lines('a', 'b, but mine', 'c') };
    assert.equal(undoHunks(texts, all).overlaps.length, 1);
  });

  it('are gone when the user has taken them back by hand', () => {
    const texts = { ...written(lines('a', 'b', 'c'), lines('a', 'B', 'c')), current: lines('a', 'b', 'c') };
    assert.deepEqual(hunksOf(texts), []);
    assert.equal(agentWrote(texts, lines('a', 'b', 'c', 'd')).base, lines('a', 'b', 'c'));
  });

  it('give exactly the old text back', () => {
    const samples = ['', 'x', 'x\n', 'x\r\ny\r\n', 'x\r\ny', 'a\r\nb\nc\r\n', '\ufeffx\n', '\ufeff', '\n', '\r\n\r\n'];
    for (const base of samples) {
      for (const agent of samples) {
        const texts = written(base, agent);
        assert.equal(undoHunks(texts, all).texts.current, base, JSON.stringify([base, agent]));
        assert.equal(keepHunks(texts, all).base, agent, JSON.stringify([base, agent]));
        assert.equal(hunksOf(texts).length > 0, base !== agent);
      }
    }
  });

  it('never glue two lines together', () => {
    const texts = { ...written('a', 'a\nb\n'), current: 'a\nb\nmine\n' };
    assert.equal(undoHunks(texts, all).texts.current, 'a\nmine\n');
    const windows = { ...written('a', 'a\r\nb\r\n'), current: 'a\r\nb\r\nmine\r\n' };
    assert.equal(undoHunks(windows, all).texts.current, 'a\r\nmine\r\n');
  });

  it('work for a file with very many changes', () => {
    const base = Array.from({ length: 20_000 }, (_, i) => `old ${i}\n`).join('');
    const agent = Array.from({ length: 20_000 }, (_, i) => `new ${i}\n`).join('');
    const texts = { ...written(base, agent), current: `${agent}mine\n` };
    assert.equal(undoHunks(texts, all).texts.current, `${base}mine\n`);
  });

  it('of a second write hold what the user wrote after the first', () => {
    const first = { ...written(lines('a', 'b'), lines('a', 'B')), current: lines('mine', 'a', 'B') };
    const second = agentWrote(first, lines('mine', 'a', 'B', 'c'));
    assert.equal(undoHunks(second, all).texts.current, lines('mine', 'a', 'b'));
    const inside = { ...written(lines('a', 'd'), lines('a', 'b', 'c', 'd')), current: lines('a', 'b', 'mine', 'd') };
    assert.equal(undoHunks(agentWrote(inside, lines('agent only')), all).texts.current, lines('a', 'mine', 'd'));
  });
});

describe('whatever agent and user write', () => {
  const eol = fc.constantFrom('\n', '\r\n');
  const place = fc.nat({ max: 12 });
  /** An edit removes some lines at a place and writes new ones there, each of which is unique. */
  const edit = fc.record({ at: place, remove: fc.nat({ max: 3 }), insert: fc.nat({ max: 3 }), end: eol });
  type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
  const start = fc.record({
    names: fc.array(fc.constantFrom('x', 'y', '', '}'), { maxLength: 12 }),
    end: eol,
    mark: fc.constantFrom('', '\ufeff'),
    last: fc.boolean(),
  });
  const textOf = ({ names, end, mark, last }: typeof start extends fc.Arbitrary<infer T> ? T : never): string => {
    const text = mark + names.map(name => name + end).join('');
    return last || !text.endsWith(end) ? text : text.slice(0, -end.length);
  };

  let unique = 0;
  const apply = (text: string, edits: readonly Edit[], who: string): string => {
    for (const { at, remove, insert, end } of edits) {
      const all = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const from = Math.min(at, all.length);
      const added = Array.from({ length: insert }, () => `${who} ${unique++}${end}`);
      const before = all.slice(0, from);
      if (added.length > 0 && before.length > 0 && !before.at(-1)!.endsWith('\n')) before.push(`${before.pop()}${end}`);
      text = [...before, ...added, ...all.slice(from + remove)].join('');
    }
    return text;
  };
  const ofUser = (text: string): string[] => text.match(/user \d+/g) ?? [];
  const ofAgent = (text: string): string[] => text.match(/agent \d+/g) ?? [];
  const edits = fc.array(edit, { maxLength: 4 });
  const choice = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });

  it('nothing of the user is lost by undoing, and what is left of the agent is reported', () => {
    fc.assert(
      fc.property(start, edits, edits, choice, (initial, byAgent, byUser, chosen) => {
        const base = textOf(initial);
        const agent = apply(base, byAgent, 'agent');
        const texts = { base, agent, current: apply(agent, byUser, 'user') };
        const hunks = hunksOf(texts);
        const isChosen = (hunk: { agent: { start: number; end: number } }): boolean =>
          chosen[
            hunks.findIndex(other => other.agent.start === hunk.agent.start && other.agent.end === hunk.agent.end) % 8
          ] ?? true;
        const { texts: undone, overlaps } = undoHunks(texts, isChosen);
        assert.deepEqual(ofUser(undone.current), ofUser(texts.current));
        assert.ok(overlaps.every(hunk => hunk.overlap));
        const rest = undoHunks(undone, all);
        assert.deepEqual(ofUser(rest.texts.current), ofUser(texts.current));
        if (rest.overlaps.length + overlaps.length === 0) assert.deepEqual(ofAgent(rest.texts.current), []);
      }),
      { numRuns: 400 },
    );
  });

  it('undoing everything without a user gives the base, keeping everything gives the agent', () => {
    fc.assert(
      fc.property(start, edits, (initial, byAgent) => {
        const base = textOf(initial);
        const texts = written(base, apply(base, byAgent, 'agent'));
        assert.equal(undoHunks(texts, all).texts.current, base);
        assert.equal(keepHunks(texts, all).base, texts.agent);
        assert.deepEqual(hunksOf(keepHunks(texts, all)), []);
        assert.deepEqual(hunksOf(undoHunks(texts, all).texts), []);
      }),
      { numRuns: 300 },
    );
  });

  it('hunk by hunk, in any mix of keeping and undoing, the rest stays what it was', () => {
    fc.assert(
      fc.property(start, edits, choice, (initial, byAgent, keeps) => {
        const base = textOf(initial);
        let texts = written(base, apply(base, byAgent, 'agent'));
        const isFirst = () => {
          let first = true;
          return () => {
            const result = first;
            first = false;
            return result;
          };
        };
        for (let step = 0; hunksOf(texts).length > 0; step++) {
          const before = hunksOf(texts).length;
          texts = keeps[step % 8] ? keepHunks(texts, isFirst()) : undoHunks(texts, isFirst()).texts;
          assert.ok(hunksOf(texts).length < before);
        }
        assert.equal(texts.base, texts.current);
      }),
      { numRuns: 300 },
    );
  });

  it('nothing of the user is lost over several writes of the agent with edits in between', () => {
    fc.assert(
      fc.property(start, fc.array(fc.tuple(edits, edits), { minLength: 1, maxLength: 4 }), (initial, rounds) => {
        const base = textOf(initial);
        let texts: ThreeWay = { base, agent: base, current: base };
        const mine = new Set<string>();
        for (const [byAgent, byUser] of rounds) {
          texts = agentWrote(texts, apply(texts.current, byAgent, 'agent'));
          const current = apply(texts.current, byUser, 'user');
          const now = ofUser(current);
          for (const line of ofUser(texts.current)) if (!now.includes(line)) mine.delete(line);
          for (const line of now) mine.add(line);
          texts = { ...texts, current };
        }
        const { texts: undone, overlaps } = undoHunks(texts, all);
        for (const line of ofUser(texts.current)) assert.ok(ofUser(undone.current).includes(line), line);
        // What the agent deleted comes back too; from a hunk that is left alone it is still to be had.
        const there = ofUser(overlaps.length === 0 ? undone.current : undone.current + undone.base);
        for (const line of mine) assert.ok(there.includes(line), line);
      }),
      { numRuns: 300 },
    );
  });

  it('undoing leaves exactly the edits that the user made elsewhere', () => {
    const distinct = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('replace', 'delete', 'insert')), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(distinct, parts => {
        // Each part has lines of its own, so that no two edits touch.
        const build = (agentToo: boolean, userToo: boolean): string =>
          parts
            .map(([isAgent, kind], index) => {
              const [head, middle, tail] = ['head', 'middle', 'tail'].map(name => `${name} ${index}\n`);
              const isDone = isAgent ? agentToo : userToo;
              if (!isDone) return `${head}${middle}${tail}`;
              return {
                replace: `${head}new ${index}\n${tail}`,
                delete: `${head}${tail}`,
                insert: `${head}${middle}more ${index}\n${tail}`,
              }[kind];
            })
            .join('');
        const texts = { base: build(false, false), agent: build(true, false), current: build(true, true) };
        const { texts: undone, overlaps } = undoHunks(texts, all);
        assert.deepEqual(overlaps, []);
        assert.equal(undone.current, build(false, true));
        assert.equal(agentWrote(texts, texts.current).base, build(false, true));
      }),
      { numRuns: 200 },
    );
  });
});
