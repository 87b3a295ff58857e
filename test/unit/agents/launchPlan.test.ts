import assert from 'node:assert/strict';
import { describeOrigins, describeProgram } from '../../../src/agents/describe';
import { mergeSources, userAgents, type Candidate } from '../../../src/agents/detect';
import { planOf } from '../../../src/agents/launchPlan';
import type { Program } from '../../../src/agents/program';

const candidate = (program: Program, more: Partial<Candidate> = {}): Candidate => ({
  id: 'a',
  name: 'A',
  program,
  args: ['--acp'],
  state: { kind: 'ready' },
  ...more,
});
const npm = { kind: 'npm', package: '@s/a', version: '1.2.3' } as const;

describe('the plan of an agent that was found', () => {
  const plan = (program: Program) => {
    const found = planOf(candidate(program));
    return found && [found.command, ...found.args].join(' ');
  };

  it('runs its command, its package, or its tool of uv', () => {
    assert.equal(plan({ kind: 'command', command: '/bin/a', realPath: '/opt/a' }), '/bin/a --acp');
    assert.equal(plan({ kind: 'uv', package: 'a', version: '1.0.0' }), 'uvx a==1.0.0 --acp');
    assert.equal(plan({ kind: 'uv', package: 'a', version: '1.0.0', bin: 'b' }), 'uvx --from a==1.0.0 b --acp');
    const found = planOf(candidate(npm, { env: { K: 'v' }, cwd: '/w' }));
    assert.deepEqual(found, {
      agentId: 'a',
      name: 'A',
      command: 'npx',
      args: ['--acp'],
      npm,
      env: { K: 'v' },
      cwd: '/w',
    });
  });

  it('is none for what cannot be started from here', () => {
    assert.equal(plan({ kind: 'instructions', url: 'https://example.com' }), undefined);
    assert.equal(plan({ kind: 'remote', url: 'wss://example.com' }), undefined);
    assert.equal(plan({ kind: 'binary', archive: 'https://example.com/a.zip', cmd: 'a', version: '1' }), undefined);
    assert.equal(plan({ kind: 'own' }), undefined);
  });

  it('is told in one line', () => {
    assert.equal(describeProgram(candidate(npm)), 'npm @s/a 1.2.3 --acp');
    assert.equal(describeProgram(candidate({ kind: 'command', command: '/bin/a' })), '/bin/a --acp');
  });

  it('says where the agent comes from, and what is wrong with it', () => {
    const origins = (...results: Parameters<typeof mergeSources>[0]) => {
      const [row] = mergeSources(results).agents;
      return row && describeOrigins(row);
    };
    const user = { source: 'user', agents: [candidate({ kind: 'command', command: '/bin/a' })] } as const;
    const registry = { source: 'registry', agents: [candidate(npm, { state: { kind: 'notInstalled' } })] } as const;
    const extension = { source: 'contributed', agents: [candidate(npm, { from: 'x.y' })] } as const;
    const unsure = candidate(npm, { state: { kind: 'unsure', why: 'others are called so' } });
    assert.equal(origins(user, registry), 'settings');
    assert.equal(origins(registry), 'can be installed');
    assert.equal(origins(user, extension), 'settings · extension x.y');
    assert.equal(origins({ source: 'detected', agents: [unsure] }), 'found on this machine · others are called so');
  });
});

describe("the user's own agents", () => {
  const agent = { id: 'a', name: 'A', args: [], env: {} };
  const found = new Map([['gemini', { path: '/bin/gemini', realPath: '/opt/gemini.js' }]]);
  const states = (command: string, by?: typeof found) => userAgents([{ ...agent, command }], by)[0]?.state.kind;

  it('are broken only when a plain name is nowhere', () => {
    assert.equal(states('gemini', found), 'ready');
    assert.equal(states('gemni', found), 'broken');
    assert.equal(states('gemni'), 'ready', 'before the search has ended');
    for (const command of ['/opt/x', './x', 'C:\\x\\y.exe']) assert.equal(states(command, found), 'ready');
  });

  it('are known as the program behind their command', () => {
    const [mine] = userAgents([{ ...agent, command: 'gemini' }], found);
    assert.deepEqual(mine?.program, { kind: 'command', command: 'gemini', realPath: '/opt/gemini.js' });
  });
});
