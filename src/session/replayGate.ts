import { delay } from '../base/async';
import type { Update } from '../chat/update';

/**
 * Holds back the conversation that an agent tells again while it loads a session whose transcript is at hand. What
 * only is the session's state (commands, mode, options, title, usage) passes.
 */
export class ReplayGate {
  private isClosed = false;
  private heard = false;
  private lastHeard = 0;

  passes(update: Update): boolean {
    if (!this.isClosed || isState(update)) return true;
    this.heard = true;
    this.lastHeard = performance.now();
    return false;
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.isClosed = false;
  }

  /**
   * Opens once the replay is over. Some agents answer before they replay: then it waits `wait` ms for it to begin, and
   * until nothing has come for `quiet` ms.
   */
  async settle({ wait, quiet }: { wait: number; quiet: number }, signal: AbortSignal): Promise<void> {
    if (!this.heard) {
      await delay(wait, signal);
      while (performance.now() - this.lastHeard < quiet) await delay(quiet, signal);
    }
    this.open();
  }
}

function isState(update: Update): boolean {
  switch (update.type) {
    case 'commands':
    case 'mode':
    case 'configOptions':
    case 'sessionInfo':
    case 'usage':
      return true;
    case 'userChunk':
    case 'agentChunk':
    case 'thoughtChunk':
    case 'toolCall':
    case 'plan':
    case 'planRemoved':
    case 'notice':
    case 'compaction':
    case 'unknown':
      return false;
  }
}
