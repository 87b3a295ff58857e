import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestFailed } from '../../../src/acp/errors';
import { parseTraffic } from '../../../src/acp/traffic';
import type { TrafficRecord } from '../../../src/acp/ports';
import { asObject, asString, type JsonObject } from '../../../src/base/json';
import type { PermissionOutcome } from '../../../src/chat/update';
import { cleanUp, filePorts, openSession, RecordingSink, replayed, textPrompt, until } from '../../fakes/agents';

afterEach(cleanUp);

const messagesOf = (records: readonly TrafficRecord[], direction: TrafficRecord['direction']): JsonObject[] =>
  records.filter(record => record.direction === direction).map(record => asObject(record.message) ?? {});

/** The options that were chosen when the trace was recorded, in order. */
function choicesOf(records: readonly TrafficRecord[]): PermissionOutcome[] {
  return messagesOf(records, 'toAgent').flatMap(({ result }) => {
    const outcome = asObject(asObject(result)?.['outcome']);
    const optionId = asString(outcome?.['optionId']);
    return outcome ? [optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }] : [];
  });
}

describe('recorded traffic', () => {
  const folder = 'test/traces';
  for (const file of readdirSync(folder).filter(name => name.endsWith('.jsonl'))) {
    it(`of ${file} plays again as it was: nothing is lost, and every turn ends as it did`, async () => {
      const records = parseTraffic(readFileSync(join(folder, file), 'utf8'));
      const said = messagesOf(records, 'fromAgent');
      const asked = messagesOf(records, 'toAgent');
      const choices = choicesOf(records);
      const sink = new RecordingSink(() => Promise.resolve(choices.shift() ?? { outcome: 'cancelled' }));
      const connection = await replayed(join(folder, file), { ports: filePorts({}) }).connect();
      const { sessionId } = await openSession(connection, sink);
      for (const { id, method } of asked.filter(message => message['method'] === 'session/prompt')) {
        const answer = said.find(message => message['method'] === undefined && message['id'] === id);
        const turn = connection.prompt(sessionId, textPrompt(`${String(method)} again`));
        const error = asObject(answer?.['error']);
        if (!error) assert.deepEqual(await turn, { stopReason: asObject(answer?.['result'])?.['stopReason'] });
        else
          await assert.rejects(
            turn,
            (thrown: unknown) => thrown instanceof RequestFailed && thrown.code === error['code'],
          );
      }
      const updates = said.filter(({ method }) => method === 'session/update').length;
      await until(() => sink.updates.length === updates);
      assert.deepEqual(
        sink.updates.filter(({ type }) => type === 'unknown'),
        [],
      );
      assert.equal(sink.questions.length, said.filter(({ method }) => method === 'session/request_permission').length);
    });
  }
});
