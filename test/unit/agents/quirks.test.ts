import assert from 'node:assert/strict';
import { quirksOf } from '../../../src/agents/quirks';

describe('quirks', () => {
  it('only gemini gets an empty text for a missing file', () => {
    assert.equal(quirksOf({ agentId: 'gemini' }).missingFileAnswer, '');
    for (const agentId of ['claude', 'codex', 'qwen', 'copilot', 'stranger'])
      assert.equal(quirksOf({ agentId }).missingFileAnswer, undefined, agentId);
  });

  it('knows the mode that asks nothing', () => {
    const modes = { claude: 'bypassPermissions', qwen: 'yolo', gemini: 'yolo', codex: 'agent-full-access' };
    for (const [agentId, mode] of Object.entries(modes)) assert.equal(quirksOf({ agentId }).autoApproveMode, mode);
  });

  it('holds for an agent that the user named otherwise', () => {
    assert.equal(quirksOf({ agentId: 'work', command: '/opt/bin/gemini', args: ['--acp'] }).missingFileAnswer, '');
    assert.equal(quirksOf({ agentId: 'g', command: 'npx', args: ['@github/copilot', '--acp'] }).stdioMcp, 'refused');
  });

  it('is empty for a stranger', () => {
    assert.deepEqual(quirksOf({ agentId: 'stranger', command: 'my-agent' }), {});
    assert.deepEqual(quirksOf({ agentId: 'constructor' }), {});
  });
});
