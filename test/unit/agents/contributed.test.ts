import assert from 'node:assert/strict';
import { contributedAgents } from '../../../src/agents/contributed';

const contribution = (agents: unknown, extension = 'a.b') => ({ extension, folder: '/ext/a.b', agents });

describe('agents of other extensions', () => {
  it('are known under the name of their extension', () => {
    const { agents, problems } = contributedAgents([
      contribution([{ id: 'x', name: 'X', command: 'x', args: ['acp'], env: { A: '1' } }]),
      contribution([{ id: 'x', command: './bin/x' }], 'c.d'),
    ]);
    assert.deepEqual(problems, []);
    assert.deepEqual(agents[0], {
      id: 'a.b/x',
      name: 'X',
      program: { kind: 'command', command: 'x' },
      args: ['acp'],
      env: { A: '1' },
      state: { kind: 'ready' },
      from: 'a.b',
    });
    assert.deepEqual([agents[1]?.id, agents[1]?.name], ['c.d/x', 'x']);
  });

  it('may lie in the folder of their extension', () => {
    const { agents } = contributedAgents([contribution([{ id: 'x', command: './bin/x' }])]);
    assert.deepEqual(agents[0]?.program, { kind: 'command', command: '/ext/a.b/bin/x' });
  });

  it('that are malformed are named, and hide nobody', () => {
    const good = { id: 'good', command: 'g' };
    for (const bad of [
      null,
      'x',
      {},
      { id: 'bad' },
      { id: 'bad', command: 7 },
      { id: 'bad', command: 'x', args: 'y' },
      good,
    ]) {
      const { agents, problems } = contributedAgents([contribution([good, bad]), contribution([good], 'c.d')]);
      assert.deepEqual(
        agents.map(({ id }) => id),
        ['a.b/good', 'c.d/good'],
      );
      assert.equal(problems.length, 1, JSON.stringify(bad));
      assert.match(problems[0] ?? '', /^a\.b: /);
    }
    assert.equal(contributedAgents([contribution({ id: 'x' }), contribution([good], 'c.d')]).agents.length, 1);
  });
});
