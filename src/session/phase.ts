import type { PhaseName } from '../chat/view';

/** What moves a session from one phase to another. */
export type PhaseSignal =
  | 'connect'
  /** The agent runs and has a session open. */
  | 'opened'
  | 'connectFailed'
  | 'authRequired'
  /** The user gave up waiting for the start. */
  | 'connectStopped'
  | 'promptSent'
  | 'cancel'
  /** The agent has answered the prompt, in whatever way. */
  | 'turnOver'
  /** The process or the link has ended, or was ended. */
  | 'lost';

const table: Readonly<Record<PhaseName, Partial<Record<PhaseSignal, PhaseName>>>> = {
  idle: { connect: 'connecting' },
  connecting: {
    opened: 'ready',
    connectFailed: 'disconnected',
    authRequired: 'needsAuth',
    connectStopped: 'idle',
  },
  ready: { promptSent: 'running', lost: 'disconnected' },
  running: { cancel: 'cancelling', turnOver: 'ready', authRequired: 'needsAuth', lost: 'disconnected' },
  cancelling: { turnOver: 'ready', lost: 'disconnected' },
  needsAuth: { connect: 'connecting', opened: 'ready', lost: 'disconnected' },
  disconnected: { connect: 'connecting' },
};

/** The phase that follows, or `undefined` where the signal has no place. */
export function nextPhase(phase: PhaseName, signal: PhaseSignal): PhaseName | undefined {
  return table[phase][signal];
}
