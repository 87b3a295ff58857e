import { Sequencer } from '../base/async';
import { messageOf } from '../base/errors';
import type { ChatEvent } from '../chat/state';
import type { Update } from '../chat/update';
import type { AgentLine } from './agentLine';

/**
 * Changes modes and options of the agent, one after the other. Only what the agent confirms is recorded; a refusal is
 * noted, and what was shown stays.
 */
export class AgentSettings {
  private readonly sequence = new Sequencer();

  constructor(
    private readonly line: () => AgentLine | undefined,
    private readonly record: (event: ChatEvent) => void,
  ) {}

  setMode(modeId: string): void {
    this.change('The mode was not changed', async ({ connection, sessionId }) => {
      await connection.setMode(sessionId, modeId);
      return { type: 'mode', modeId };
    });
  }

  setConfigOption(configId: string, value: string | boolean): void {
    this.change('The option was not changed', async ({ connection, sessionId }) => {
      const options = await connection.setConfigOption(sessionId, configId, value);
      return options && { type: 'configOptions', options };
    });
  }

  private change(refusal: string, ask: (open: NonNullable<AgentLine['open']>) => Promise<Update | undefined>): void {
    void this.sequence.run(async () => {
      const line = this.line();
      try {
        if (!line?.open) throw new Error('the agent is not running');
        const update = await ask(line.open);
        if (update && this.line() === line) this.record({ type: 'update', update });
      } catch (error) {
        this.record({ type: 'note', severity: 'warning', text: `${refusal}: ${messageOf(error)}` });
      }
    });
  }
}
