import type { OpenedSession } from '../acp/connection';
import { errorCodes, RequestFailed } from '../acp/errors';
import type { SessionSink } from '../acp/ports';
import { quirksOf } from '../agents/quirks';
import type { SessionConnection } from './ports';
import type { ReplayGate } from './replayGate';

export interface Opening {
  agentId: string;
  cwd: string;
  /** The agent's own id of the session to go on with. */
  earlier: string | undefined;
  /** The transcript is at hand: what the agent tells of it again passes no further than `gate`. */
  hasTranscript: boolean;
  sink: SessionSink;
  gate: ReplayGate;
  /** How long a replay may be late, in ms. */
  replay: { wait: number; quiet: number };
  signal: AbortSignal;
  /** See `LineContext`. */
  onOpened(opened: OpenedSession): void;
  log(line: string): void;
}

/**
 * Opens a session of the agent: the earlier one by resuming or else loading it, where that fails or is not offered a
 * new one. Throws what the connection throws when there can be no new one either, or when the agent wants a sign-in.
 */
export async function openAgentSession(
  connection: SessionConnection,
  opening: Opening,
): Promise<{ opened: OpenedSession; isNew: boolean }> {
  const { cwd, earlier, sink, signal } = opening;
  for (const reopen of waysBack(connection, opening)) {
    if (earlier === undefined) break;
    try {
      return { opened: await reopen({ sessionId: earlier, cwd }), isNew: false };
    } catch (error) {
      opening.gate.open();
      if (!(error instanceof RequestFailed) || error.code === errorCodes.authRequired) throw error;
      opening.log(`The earlier session was not opened: ${error.message} (${error.code})`);
    }
  }
  const opened = await connection.newSession({ cwd }, sink, signal);
  opening.onOpened(opened);
  return { opened, isNew: true };
}

type WayBack = (params: { sessionId: string; cwd: string }) => Promise<OpenedSession>;

function waysBack(connection: SessionConnection, opening: Opening): WayBack[] {
  const { agentId, hasTranscript, sink, gate, replay, signal, onOpened } = opening;
  const resume: WayBack = async params => {
    const opened = await connection.resumeSession(params, sink, signal);
    onOpened(opened);
    return opened;
  };
  const load: WayBack = async params => {
    if (hasTranscript) gate.close();
    const opened = await connection.loadSession(params, sink, signal);
    onOpened(opened);
    if (hasTranscript) await gate.settle(replay, signal);
    return opened;
  };
  const canLoad = connection.facts.loadSession && !quirksOf({ agentId }).loadBroken;
  return [...(connection.facts.resume ? [resume] : []), ...(canLoad ? [load] : [])];
}
