import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../../src/chat/state';
import { joinEvents } from '../../../src/node/ledgerEvents';
import { anyEvents, fold, says, thinks, toolCall, toolUpdate } from '../chat/events';

const joined = (events: readonly ChatEvent[]): ChatEvent[] =>
  events.reduce<ChatEvent[]>((kept, event) => {
    const last = kept.at(-1);
    const both = last && joinEvents(last, event);
    return both ? [...kept.slice(0, -1), both] : [...kept, event];
  }, []);

describe('events that are kept as one', () => {
  it('are the pieces of a message and the updates of a call', () => {
    assert.deepEqual(joined([says('a'), says('b'), says('c', 'm'), thinks('d', 'm')]), [
      says('ab'),
      says('c', 'm'),
      thinks('d', 'm'),
    ]);
    const updates = [
      toolCall({ toolCallId: 't', title: 'T' }),
      toolUpdate({ toolCallId: 't', status: 'in_progress', terminal: [{ terminalId: 'x', data: 'a' }] }),
      toolUpdate({ toolCallId: 't', status: 'completed', terminal: [{ terminalId: 'x', data: 'b' }] }),
    ];
    assert.deepEqual(joined(updates), [
      updates[0],
      toolUpdate({
        toolCallId: 't',
        status: 'completed',
        terminal: [
          { terminalId: 'x', data: 'a' },
          { terminalId: 'x', data: 'b' },
        ],
      }),
    ]);
  });

  it('fold to the same conversation, whatever the events', () => {
    fc.assert(
      fc.property(anyEvents, events => assert.deepEqual(fold(...joined(events)), fold(...events))),
      { numRuns: 500 },
    );
  });
});
