import assert from 'node:assert/strict';
import type { PhaseName } from '../../../src/chat/view';
import { nextPhase, type PhaseSignal } from '../../../src/session/phase';

const phases: PhaseName[] = ['idle', 'connecting', 'ready', 'running', 'cancelling', 'needsAuth', 'disconnected'];
const signals: PhaseSignal[] = [
  'connect',
  'opened',
  'connectFailed',
  'authRequired',
  'connectStopped',
  'promptSent',
  'cancel',
  'turnOver',
  'lost',
];

/** Every way there is; what is not here is no way. */
const ways = [
  'idle connect connecting',
  'needsAuth connect connecting',
  'needsAuth opened ready',
  'needsAuth lost disconnected',
  'disconnected connect connecting',
  'connecting opened ready',
  'connecting connectFailed disconnected',
  'connecting authRequired needsAuth',
  'connecting connectStopped idle',
  'ready promptSent running',
  'ready lost disconnected',
  'running cancel cancelling',
  'running turnOver ready',
  'running authRequired needsAuth',
  'running lost disconnected',
  'cancelling turnOver ready',
  'cancelling lost disconnected',
];

describe('phases', () => {
  for (const phase of phases)
    it(`of a session that is ${phase} change only by the signals that belong there`, () => {
      const found = signals.flatMap(signal => {
        const next = nextPhase(phase, signal);
        return next ? [`${phase} ${signal} ${next}`] : [];
      });
      assert.deepEqual(found.toSorted(), ways.filter(way => way.startsWith(`${phase} `)).toSorted());
    });

  it('let a prompt be sent only where nothing else runs, and end a turn only where one runs', () => {
    assert.deepEqual(
      phases.filter(phase => nextPhase(phase, 'promptSent')),
      ['ready'],
    );
    assert.deepEqual(
      phases.filter(phase => nextPhase(phase, 'turnOver')),
      ['running', 'cancelling'],
    );
  });
});
