import assert from 'node:assert/strict';
import {
  agentWroteFile,
  hunksOfFile,
  keepFile,
  undoFile,
  type FileVersions,
  type Version,
} from '../../../src/changes/fileReview';

const file = (content: string, mode: Version['mode'] = 'file'): Version => ({ content, mode });
const written = (base: Version | undefined, agent: Version | undefined): FileVersions => ({
  base,
  agent,
  current: agent,
});

describe('the review of one file', () => {
  it('undoes a new file by removing it, a removed one by writing it, a mode by setting it', () => {
    assert.equal(undoFile(written(undefined, file('x\n'))).current, undefined);
    assert.equal(undoFile(written(undefined, file(''))).current, undefined);
    assert.deepEqual(undoFile(written(file('x\n', 'executable'), undefined)).current, file('x\n', 'executable'));
    assert.deepEqual(undoFile(written(file('x'), file('x', 'executable'))).current, file('x'));
    assert.deepEqual(undoFile(written(file('target', 'link'), file('x'))).current, file('target', 'link'));
  });

  it('leaves a new file with what the user wrote into it, and says so', () => {
    const inside = { ...written(undefined, file('a\nb\n')), current: file('a\nmine\nb\n') };
    assert.deepEqual(undoFile(inside), { current: inside.current, agent: inside.agent, overlaps: true });
    const after = { ...written(undefined, file('a\nb\n')), current: file('a\nb\nmine\n') };
    assert.deepEqual(undoFile(after), { current: file('mine\n'), agent: undefined, overlaps: false });
    assert.equal(undoFile(inside, undefined, true).current, undefined);
  });

  it('does not overwrite a file that the user made where the agent removed one', () => {
    const texts = { ...written(file('old\n'), undefined), current: file('mine\n') };
    assert.deepEqual(undoFile(texts), { current: file('mine\n'), agent: undefined, overlaps: true });
  });

  it('takes binary content as a whole', () => {
    const texts = written(file('a\0'), file('b\0'));
    assert.equal(hunksOfFile(texts), undefined);
    assert.deepEqual(undoFile(texts).current, file('a\0'));
    assert.equal(undoFile({ ...texts, current: file('c\0') }).overlaps, true);
    assert.deepEqual(undoFile({ ...texts, current: file('c\0') }, undefined, true).current, file('a\0'));
  });

  it('has nothing to do where the user has taken it back already', () => {
    assert.deepEqual(undoFile({ base: file('a'), agent: file('b'), current: file('a') }), {
      current: file('a'),
      agent: file('a'),
      overlaps: false,
    });
  });

  it('keeps the whole, or some of it', () => {
    const texts = written(file('a\nb\nc\n'), file('A\nb\nC\n', 'executable'));
    assert.deepEqual(keepFile(texts), texts.agent);
    const first = keepFile(texts, hunk => hunk.base.start === 0);
    assert.deepEqual(first, file('A\nb\nc\n'));
    assert.deepEqual(
      keepFile({ ...texts, base: first }, () => true),
      texts.agent,
    );
    assert.equal(
      keepFile(written(file('a\n'), undefined), () => true),
      undefined,
    );
  });

  it('undoes some hunks and leaves the mode until the last', () => {
    const texts = written(file('a\nb\nc\n'), file('A\nb\nC\n', 'executable'));
    const first = undoFile(texts, hunk => hunk.base.start === 0);
    assert.deepEqual(first.current, file('a\nb\nC\n', 'executable'));
    assert.deepEqual(undoFile({ ...texts, ...first }, () => true).current, file('a\nb\nc\n'));
  });

  it('keeps what the user wrote when the agent writes again', () => {
    assert.deepEqual(agentWroteFile({ ...written(undefined, file('a\n')), current: file('a\nmine\n') }, file('b\n')), {
      base: file('mine\n'),
      agent: file('b\n'),
    });
    assert.deepEqual(
      agentWroteFile({ ...written(file('x\n'), undefined), current: file('mine\n') }, undefined).base,
      file('x\nmine\n'),
    );
    assert.equal(
      agentWroteFile({ ...written(undefined, file('a\n')), current: undefined }, file('b\n')).base,
      undefined,
    );
  });
});
