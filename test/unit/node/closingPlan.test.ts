import assert from 'node:assert/strict';
import { closingPlan } from '../../../src/node/closingPlan';

describe('closingPlan', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    it(`ends within the 5 s that VS Code gives when it closes, on ${platform}`, () => {
      assert.deepEqual(closingPlan(platform, 'quick'), [
        { at: 0, do: 'endInput' },
        { at: 2500, do: 'signalTree', signal: 'SIGTERM' },
        { at: 4000, do: 'signalTree', signal: 'SIGKILL' },
      ]);
    });

    it(`waits for slow agents while VS Code lives, on ${platform}`, () => {
      assert.deepEqual(closingPlan(platform, 'patient'), [
        { at: 0, do: 'endInput' },
        { at: 7000, do: 'signalTree', signal: 'SIGTERM' },
        { at: 8500, do: 'signalTree', signal: 'SIGKILL' },
      ]);
    });
  }

  it('waits for nothing when something is to be killed', () => {
    assert.deepEqual(closingPlan('linux', 'now'), [
      { at: 0, do: 'endInput' },
      { at: 0, do: 'signalTree', signal: 'SIGTERM' },
      { at: 1500, do: 'signalTree', signal: 'SIGKILL' },
    ]);
  });

  it('ends the whole tree by force on Windows, which has no polite signal', () => {
    assert.deepEqual(closingPlan('win32', 'quick'), [
      { at: 0, do: 'endInput' },
      { at: 2500, do: 'killTreeByTaskkill' },
    ]);
    assert.deepEqual(closingPlan('win32', 'patient'), [
      { at: 0, do: 'endInput' },
      { at: 7000, do: 'killTreeByTaskkill' },
    ]);
  });
});
