import assert from 'node:assert/strict';
import { catalogue, identify, knownCommands, packageName, programName } from '../../../src/agents/catalogue';
import { readVersion } from '../../../src/base/versions';

/** What people use today: command, arguments. */
const expected: Record<string, [command: string, ...args: string[]]> = {
  qwen: ['qwen', '--acp'],
  codebuddy: ['codebuddy', '--acp'],
  goose: ['goose', 'acp'],
  auggie: ['auggie', '--acp'],
  kimi: ['kimi', 'acp'],
  opencode: ['opencode', 'acp'],
  droid: ['droid', 'exec', '--output-format', 'acp'],
  copilot: ['copilot', '--acp', '--stdio'],
  qoder: ['qodercli', '--acp'],
  vibe: ['vibe-acp'],
  openclaw: ['openclaw', 'acp'],
  nanobot: ['nanobot', '--experimental-acp'],
  kiro: ['kiro-cli', 'acp'],
  gemini: ['gemini', '--acp'],
};

describe('the catalogue', () => {
  for (const [id, [command, ...args]] of Object.entries(expected)) {
    it(`starts ${id} as ${[command, ...args].join(' ')}`, () => {
      const agent = catalogue.find(row => row.id === id);
      assert.equal(agent?.commands[0], command);
      assert.deepEqual(agent?.args, args);
    });
  }

  it('starts Claude Code and Codex by their adapters, whose own CLIs speak no ACP', () => {
    for (const [id, cli] of [
      ['claude', 'claude'],
      ['codex', 'codex'],
    ]) {
      const agent = catalogue.find(row => row.id === id);
      assert.deepEqual(agent?.companions, [cli]);
      assert.equal(agent?.install.kind, 'npm');
      assert(!agent?.commands.includes(cli ?? ''));
    }
  });

  it('names nothing twice, pins exact versions and links to https pages only', () => {
    const ids = catalogue.flatMap(({ id, registryId }) => [...new Set([id, registryId ?? id])]);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(new Set(knownCommands).size, knownCommands.length);
    for (const { id, install, homePage, minNode, ambiguous = [], commands } of catalogue) {
      assert.match(homePage, /^https:\/\/[\w.-]+/, id);
      if ('version' in install) assert.match(install.version, /^\d+\.\d+\.\d+$/, id);
      if (install.kind === 'npm') for (const extra of install.with ?? []) assert.match(extra, /@\d+\.\d+\.\d+$/, id);
      if (minNode) assert.equal(readVersion(minNode)?.numbers.join('.'), minNode);
      for (const name of ambiguous) assert(commands.includes(name), id);
    }
  });

  it('does not take npx, node or a package manager for an agent', () => {
    for (const name of ['npx', 'npm', 'node', 'uv', 'uvx', 'bunx', 'pnpm']) assert(!knownCommands.includes(name));
  });

  it('knows an agent again by id, registry id, command and package', () => {
    assert.equal(identify({ agentId: 'claude-acp' })?.id, 'claude');
    assert.equal(identify({ agentId: 'mine', command: 'C:\\Tools\\gemini.CMD', args: ['--acp'] })?.id, 'gemini');
    assert.equal(identify({ command: '/opt/x/qwen' })?.id, 'qwen');
    const npx = { command: '/usr/bin/npx', args: ['-y', '@google/gemini-cli@0.61.0', '--acp'] };
    assert.equal(identify(npx)?.id, 'gemini');
    assert.equal(identify({ command: 'cat', args: ['@google/gemini-cli'] }), undefined);
    assert.equal(identify({}), undefined);
  });

  it('takes names apart', () => {
    assert.equal(programName('C:\\a b\\agent.exe'), 'agent');
    assert.equal(programName('/a/b/agent.sh'), 'agent.sh');
    assert.equal(packageName('@s/n@1.2.3'), '@s/n');
    assert.equal(packageName('n'), 'n');
  });
});
