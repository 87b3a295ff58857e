import assert from 'node:assert/strict';
import {
  chooseDistribution,
  mayBeSet,
  parseRegistry,
  registryAgents,
  targetOf,
  type RegistryAgent,
} from '../../../src/agents/registry';

const binary = (cmd: string, more: object = {}) => ({
  'linux-x86_64': { archive: 'https://example.com/a.tar.gz', cmd, ...more },
});
const entry = (id: string, distribution: object, more: object = {}) => ({
  id,
  name: `The ${id}`,
  version: '1.2.3',
  description: 'd',
  distribution,
  ...more,
});
const parse = (...agents: unknown[]) => parseRegistry({ version: '1.0.0', agents, extensions: [] });
const only = (distribution: object): RegistryAgent => {
  const { agents, problems } = parse(entry('a', distribution));
  assert.deepEqual(problems, []);
  assert(agents[0]);
  return agents[0];
};
const refusal = (distribution: object): string => {
  const { agents, problems } = parse(entry('a', distribution));
  assert.deepEqual(agents, []);
  return problems[0]?.reason ?? '';
};

describe('the registry', () => {
  it('reads the three kinds of distribution', () => {
    const agent = only({
      binary: binary('./goose', { args: ['acp'], sha256: 'AB'.repeat(32), env: { GOOSE_MODE: 'x' } }),
      npx: { package: '@s/pkg@1.2.3', args: ['--acp'], cmd: 'prog' },
      uvx: { package: 'fast-agent-acp==0.10.1' },
    });
    assert.deepEqual(agent.binaries.get('linux-x86_64'), {
      program: {
        kind: 'binary',
        archive: 'https://example.com/a.tar.gz',
        cmd: 'goose',
        version: '1.2.3',
        sha256: 'ab'.repeat(32),
      },
      args: ['acp'],
      env: { GOOSE_MODE: 'x' },
    });
    assert.deepEqual(agent.npx?.program, { kind: 'npm', package: '@s/pkg', version: '1.2.3', bin: 'prog' });
    assert.deepEqual(agent.uvx?.program, { kind: 'uv', package: 'fast-agent-acp', version: '0.10.1' });
  });

  it('reads the other form of a uv version', () => {
    const program = { kind: 'uv', package: 'minion-code', version: '0.1.44' };
    assert.deepEqual(only({ uvx: { package: 'minion-code@0.1.44' } }).uvx?.program, program);
  });

  it('one malformed entry hides no other, and is named', () => {
    const good = entry('good', { npx: { package: 'good@1.0.0' } });
    const bad: [unknown, string, RegExp][] = [
      [null, '#1', /no object/],
      [{ ...good, id: 'Bad_Id' }, 'Bad_Id', /id/],
      [{ ...good, id: 'x', name: undefined }, 'x', /no name/],
      [{ ...good, id: 'x', distribution: [] }, 'x', /no distribution/],
      [{ ...good, id: 'x', distribution: { npx: { package: 'x@latest' } } }, 'x', /no exact version/],
      [{ ...good, id: 'x', distribution: { docker: {} } }, 'x', /nothing in it/],
    ];
    for (const [value, name, reason] of bad) {
      const { agents, problems } = parse(value, good);
      assert.deepEqual(
        agents.map(({ id }) => id),
        ['good'],
      );
      assert.equal(problems[0]?.entry, name);
      assert.match(problems[0]?.reason ?? '', reason);
    }
    const twice = parse(good, good);
    assert.equal(twice.agents.length, 1);
    assert.match(twice.problems[0]?.reason ?? '', /twice/);
  });

  it('keeps the good part of an entry whose other part is bad, and says so', () => {
    const { agents, problems } = parse(entry('a', { npx: { package: 'a@^1' }, binary: binary('./a') }));
    assert.equal(agents[0]?.npx, undefined);
    assert.equal(agents[0]?.binaries.size, 1);
    assert.match(problems[0]?.reason ?? '', /^npx: /);
  });

  it('is one problem when the file is no registry', () => {
    for (const value of [undefined, null, 'x', [], { agents: {} }])
      assert.deepEqual([parseRegistry(value).agents.length, parseRegistry(value).problems.length], [0, 1]);
  });

  const commands = {
    './goose': 'goose',
    'amp-acp.exe': 'amp-acp.exe',
    './dist-package\\cursor-agent.cmd': 'dist-package/cursor-agent.cmd',
    './bin\\devin.exe': 'bin/devin.exe',
    './coco-1.1+2.3-linux-amd64/cortex': 'coco-1.1+2.3-linux-amd64/cortex',
    './Applications/junie.app/Contents/MacOS/junie': 'Applications/junie.app/Contents/MacOS/junie',
  };
  for (const [written, wanted] of Object.entries(commands)) {
    it(`reads the cmd ${written}`, () => {
      const distribution = only({ binary: binary(written) }).binaries.get('linux-x86_64');
      assert(distribution?.program.kind === 'binary');
      assert.equal(distribution.program.cmd, wanted);
    });
  }

  it('refuses a cmd that leaves its folder', () => {
    for (const cmd of ['../x', './a/../../x', '/bin/sh', '\\\\host\\x', 'C:\\x', 'a\\..\\..\\x', './', 'a//b', 'a\0b'])
      assert.match(refusal({ binary: binary(cmd) }), /leaves its folder/, cmd);
  });

  it('refuses archives that are not https, or are installers, and a sha256 that is none', () => {
    for (const archive of ['http://example.com/a.zip', 'file:///a.zip', 'https://u:p@example.com/a.zip', 'a.zip'])
      assert.match(refusal({ binary: binary('./a', { archive }) }), /https/, archive);
    for (const archive of ['https://example.com/a.dmg', 'https://example.com/A.MSI?x=1'])
      assert.match(refusal({ binary: binary('./a', { archive }) }), /installers/, archive);
    assert.match(refusal({ binary: binary('./a', { sha256: 'abc' }) }), /sha256/);
  });

  it('refuses packages that are not pinned, or are no package names', () => {
    for (const name of [
      'x',
      'x@latest',
      'x@1',
      'x@^1.0.0',
      'x==1.0.0',
      '../x@1.0.0',
      'git+https://h/x@1.0.0',
      '-x y@1.0.0',
    ])
      assert.match(refusal({ npx: { package: name } }), /no exact version/, name);
    assert.match(refusal({ npx: { package: 'x@1.0.0', cmd: 'sh -c evil' } }), /cmd/);
  });

  it('refuses variables that could take over a process, in any spelling', () => {
    const names =
      'PATH Path HOME NODE_OPTIONS npm_config_registry LD_PRELOAD DYLD_INSERT_LIBRARIES PYTHONPATH UV_INDEX_URL ' +
      'GITHUB_TOKEN AWS_PROFILE SSH_AUTH_SOCK BASH_ENV GIT_SSH_COMMAND HTTPS_PROXY ELECTRON_RUN_AS_NODE';
    for (const name of names.split(' ')) {
      assert.equal(mayBeSet(name), false, name);
      assert.match(refusal({ npx: { package: 'x@1.0.0', env: { [name]: 'v' } } }), /may not set/, name);
    }
    for (const name of ['AUGMENT_DISABLE_AUTO_UPDATE', 'VT_ACP_ENABLED', 'FAST_AGENT_MODEL', 'PATHFINDER_MODE'])
      assert.equal(mayBeSet(name), true, name);
    assert.equal(mayBeSet('A=B'), false);
  });

  it('chooses the binary of this platform, else npm, else uv, as far as they are there', () => {
    const agent = only({
      binary: binary('./a'),
      npx: { package: 'a@1.0.0' },
      uvx: { package: 'a==1.0.0' },
    });
    const kind = (target: string | undefined, npm: boolean, uv: boolean) =>
      chooseDistribution(agent, { target, npm, uv })?.program.kind;
    assert.equal(kind('linux-x86_64', true, true), 'binary');
    assert.equal(kind('darwin-aarch64', true, true), 'npm');
    assert.equal(kind('darwin-aarch64', false, true), 'uv');
    assert.equal(kind('darwin-aarch64', false, false), undefined);
    assert.equal(kind(undefined, true, false), 'npm');
  });

  it('names the platform as the registry does', () => {
    assert.equal(targetOf('linux', 'x64'), 'linux-x86_64');
    assert.equal(targetOf('darwin', 'arm64'), 'darwin-aarch64');
    assert.equal(targetOf('win32', 'x64'), 'windows-x86_64');
    assert.equal(targetOf('freebsd', 'x64'), undefined);
    assert.equal(targetOf('linux', 'ia32'), undefined);
  });

  it('lists what can be installed here, and leaves out the rest', () => {
    const registry = parse(entry('one', { binary: binary('./one') }), entry('two', { uvx: { package: 'two==1.0.0' } }));
    const here = registryAgents(registry, { target: 'linux-x86_64', npm: true, uv: false });
    assert.deepEqual(
      here.map(({ id, state, program }) => [id, state.kind, program.kind]),
      [['one', 'notInstalled', 'binary']],
    );
  });
});
