import assert from 'node:assert/strict';
import {
  detectedAgents,
  installableAgents,
  mergeSources,
  sources,
  type Candidate,
  type Source,
} from '../../../src/agents/detect';

const agent = (id: string, command = `/bin/${id}`, more: Partial<Candidate> = {}): Candidate => ({
  id,
  name: id,
  program: { kind: 'command', command },
  args: [],
  state: { kind: 'ready' },
  ...more,
});
const both = { npm: true, uv: true };

describe('merging the sources of agents', () => {
  it('keeps the order of the sources, whatever the order in which they answer', () => {
    const results = [...sources].reverse().map(source => ({ source, agents: [agent(`of-${source}`)] }));
    const merged = mergeSources(results);
    assert.deepEqual(
      merged.agents.map(({ id }) => id),
      sources.map(source => `of-${source}`),
    );
  });

  it('names a source that failed, and hides nobody', () => {
    const merged = mergeSources([
      { source: 'detected', failed: 'EACCES' },
      { source: 'user', agents: [agent('mine')] },
      { source: 'registry', failed: 'offline' },
    ]);
    assert.deepEqual(
      merged.agents.map(({ id }) => id),
      ['mine'],
    );
    assert.deepEqual(merged.failed, [
      { source: 'detected', reason: 'EACCES' },
      { source: 'registry', reason: 'offline' },
    ]);
  });

  const origins = (results: [Source, Candidate][]) =>
    mergeSources(results.map(([source, candidate]) => ({ source, agents: [candidate] }))).agents.map(row => [
      row.id,
      ...row.origins.map(({ source }) => source),
    ]);

  it('shows the same program once, with both origins', () => {
    assert.deepEqual(
      origins([
        ['user', agent('work', '/usr/bin/gemini', { args: ['--acp'] })],
        ['detected', agent('gemini', '/usr/bin/gemini', { args: ['--acp'] })],
      ]),
      [['work', 'user', 'detected']],
    );
  });

  it('follows links: two names of one file are one program', () => {
    const program = (command: string) => ({ kind: 'command', command, realPath: '/opt/gemini.js' }) as const;
    const results: [Source, Candidate][] = [
      ['user', agent('a', '', { program: program('/usr/bin/gemini') })],
      ['contributed', agent('b', '', { program: program('/home/me/.local/bin/gemini') })],
    ];
    assert.deepEqual(origins(results), [['a', 'user', 'contributed']]);
  });

  it('keeps a program with other arguments apart', () => {
    assert.deepEqual(
      origins([
        ['user', agent('fast', '/usr/bin/gemini', { args: ['--acp', '--model', 'flash'] })],
        ['detected', agent('gemini', '/usr/bin/gemini', { args: ['--acp'] })],
      ]),
      [
        ['fast', 'user'],
        ['gemini', 'detected'],
      ],
    );
  });

  it("lets the user's entry of an id serve, and still shows the other origin", () => {
    const [row] = mergeSources([
      { source: 'detected', agents: [agent('goose', '/usr/bin/goose')] },
      { source: 'user', agents: [agent('goose', '/home/me/goose')] },
    ]).agents;
    assert.deepEqual(row?.program, { kind: 'command', command: '/home/me/goose' });
    assert.equal(row?.origins.length, 2);
  });

  it('knows a pasted npx command and the package of the registry as one', () => {
    const npm = { kind: 'npm', package: '@agentclientprotocol/codex-acp', version: '2.6.0' } as const;
    assert.deepEqual(
      origins([
        ['user', agent('pasted', 'npx', { args: ['-y', '@agentclientprotocol/codex-acp@latest'] })],
        ['registry', agent('codex-acp', '', { program: npm, state: { kind: 'notInstalled' } })],
      ]),
      [['pasted', 'user', 'registry']],
    );
  });

  it("joins the registry's id with the catalogue's, and prefers what is installed", () => {
    const found = new Map([['claude', { path: '/usr/bin/claude' }]]);
    const entry = agent('claude-acp', '', {
      program: { kind: 'npm', package: '@agentclientprotocol/claude-agent-acp', version: '0.70.0' },
      state: { kind: 'notInstalled' },
    });
    const { agents } = mergeSources([
      { source: 'registry', agents: [entry] },
      { source: 'detected', agents: detectedAgents(found, both) },
    ]);
    assert.deepEqual(
      agents.map(row => [row.id, row.state.kind, ...row.origins.map(({ source }) => source)]),
      [['claude', 'ready', 'detected', 'registry']],
    );
  });

  it('takes a later origin that is there over an earlier one that has to be installed', () => {
    const [row] = mergeSources([
      { source: 'contributed', agents: [agent('x', '/a', { state: { kind: 'notInstalled' } })] },
      { source: 'remote', agents: [agent('x', '/b')] },
    ]).agents;
    assert.deepEqual(row?.program, { kind: 'command', command: '/b' });
    assert.equal(row?.origins[0].source, 'contributed');
  });
});

describe('agents on the machine', () => {
  const detect = (commands: string[], installers = both) =>
    detectedAgents(new Map(commands.map(name => [name, { path: `/bin/${name}` }])), installers);

  it('finds each by its command', () => {
    const found = detect(['gemini', 'vibe-acp', 'unrelated']);
    assert.deepEqual(
      found.map(({ id, program, args }) => [id, program, args]),
      [
        ['gemini', { kind: 'command', command: '/bin/gemini' }, ['--acp']],
        ['vibe', { kind: 'command', command: '/bin/vibe-acp' }, []],
      ],
    );
  });

  it('prefers an adapter that is installed over one that has to be', () => {
    assert.equal(detect(['claude'])[0]?.program.kind, 'npm');
    assert.deepEqual(detect(['claude', 'claude-agent-acp'])[0]?.program, {
      kind: 'command',
      command: '/bin/claude-agent-acp',
    });
  });

  it('says what is missing when an adapter cannot be installed', () => {
    const [codex] = detect(['codex'], { npm: false, uv: true });
    assert.equal(codex?.state.kind, 'broken');
    assert.match(JSON.stringify(codex?.state), /\/bin\/codex needs an adapter.*npm/);
  });

  it('takes neither npx nor node as a sign of any agent', () => {
    assert.deepEqual(detect(['npx', 'npm', 'node', 'uvx']), []);
  });

  it('is not sure of a command with a common name', () => {
    assert.equal(detect(['agent'])[0]?.state.kind, 'unsure');
    assert.equal(detect(['cursor-agent', 'agent'])[0]?.state.kind, 'ready');
  });

  it('offers for installation only what can be installed here', () => {
    const kinds = (installers: typeof both) =>
      new Set(installableAgents(installers).map(({ program }) => program.kind));
    assert.deepEqual(kinds({ npm: false, uv: false }), new Set(['instructions']));
    assert(kinds({ npm: true, uv: false }).has('npm') && !kinds({ npm: true, uv: false }).has('uv'));
    assert(kinds(both).has('uv'));
  });
});
