import assert from 'node:assert/strict';
import { readCustomAgents } from '../../../src/agents/customAgents';
import { proxyEnvironment } from '../../../src/agents/proxyEnvironment';

describe('agents of the settings', () => {
  it('reads the shape of other editors and ignores what it does not know', () => {
    const { agents, problems } = readCustomAgents({
      mine: { type: 'custom', name: ' Mine ', command: 'mine', args: ['--acp'], env: { A: 'b', N: 1 }, cwd: 'sub' },
      short: { command: 'short' },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(agents, [
      { id: 'mine', name: 'Mine', command: 'mine', args: ['--acp'], env: { A: 'b', N: '1' }, cwd: 'sub' },
      { id: 'short', name: 'short', command: 'short', args: [], env: {} },
    ]);
  });

  it('names malformed entries, and they hide no other', () => {
    const { agents, problems } = readCustomAgents(
      {
        none: null,
        empty: { command: ' ' },
        text: { command: 'x', args: '--acp' },
        mixed: { command: 'x', args: ['a', 1] },
        env: { command: 'x', env: { GOOD: 'y', BAD: ['z'] } },
        example: { command: 'x' },
        good: { command: 'good' },
      },
      ['example'],
    );
    assert.deepEqual(
      agents.map(agent => [agent.id, agent.env]),
      [
        ['env', { GOOD: 'y' }],
        ['good', {}],
      ],
    );
    for (const id of ['none', 'empty', 'text', 'mixed', 'env', 'example'])
      assert.equal(problems.filter(problem => problem.includes(`"${id}"`)).length, 1, id);
  });

  it('takes no setting for no agents, and says when it is no object', () => {
    assert.deepEqual(readCustomAgents(undefined), { agents: [], problems: [] });
    for (const value of [[], 'x', 3]) assert.equal(readCustomAgents(value).problems.length, 1);
  });
});

describe('proxies', () => {
  it('reach agents in both spellings', () => {
    assert.deepEqual(proxyEnvironment({}, { proxy: 'http://p:1', noProxy: ['localhost', '.corp'] }), {
      HTTP_PROXY: 'http://p:1',
      http_proxy: 'http://p:1',
      HTTPS_PROXY: 'http://p:1',
      https_proxy: 'http://p:1',
      NO_PROXY: 'localhost,.corp',
      no_proxy: 'localhost,.corp',
    });
  });

  it('are left alone where the environment has them', () => {
    assert.deepEqual(
      proxyEnvironment({ https_proxy: 'http://own', No_Proxy: '' }, { proxy: 'http://p', noProxy: ['x'] }),
      {
        HTTP_PROXY: 'http://p',
        http_proxy: 'http://p',
      },
    );
    assert.deepEqual(proxyEnvironment({}, { proxy: '', noProxy: [] }), {});
  });
});
