import assert from 'node:assert/strict';
import type { Terminal, TerminalExit } from '../../../src/acp/ports';
import { Deferred } from '../../../src/base/async';
import { Emitter } from '../../../src/base/lifecycle';
import type { ChatEvent, ToolCall } from '../../../src/chat/state';
import { feedTerminal } from '../../../src/session/terminalFeed';
import { fold, toolCall, toolUpdate } from '../chat/events';
import { Session } from '../../../src/session/session';
import { FakeAgent, FakeLedger, quickTiming, settle, until } from './fakeAgent';

type Told = Extract<ChatEvent, { type: 'terminal' }>;

class Source implements Terminal {
  readonly id = 'x';
  readonly title = 'make';
  readonly out = new Emitter<string>();
  readonly end = new Deferred<TerminalExit>();
  readonly onDidOutput = this.out.event;
  readonly exited = this.end.promise;
  readonly told: Told[] = [];

  constructor(private readonly known = '') {
    feedTerminal(this, event => this.told.push(event));
  }
  output() {
    return { output: this.known, truncated: false };
  }
  kill = () => Promise.resolve();
  release = () => Promise.resolve();

  /** What the conversation shows in the end, by all events or by those that are kept. */
  shown(kept: boolean): ToolCall['terminals'][number] | undefined {
    const named = toolCall({ toolCallId: 't', content: [{ type: 'terminal', terminalId: 'x' }] });
    const [entry] = fold(named, ...this.told.filter(({ live }) => !kept || !live)).entries;
    return entry?.kind === 'tool' ? entry.terminals[0] : undefined;
  }
}

describe('feedTerminal', () => {
  it('tells what there was, what comes, and the end', async () => {
    const source = new Source('before ');
    source.out.fire('and ');
    source.out.fire('after');
    source.end.resolve({ exitCode: 3 });
    await settle();
    assert.deepEqual(source.shown(false), { terminalId: 'x', text: 'before and after', exit: { exitCode: 3 } });
    assert.equal(source.told.length, 3);
  });

  it('tells output while the command runs', async () => {
    const source = new Source();
    source.out.fire('one');
    await until(() => source.shown(false)?.text === 'one');
    source.out.fire('two');
    await until(() => source.shown(false)?.text === 'onetwo');
    assert.ok(!source.told.some(({ live }) => live));
  });

  it('tells only the end of a flood, and keeps a bounded part of it', async () => {
    const source = new Source();
    for (let round = 0; round < 20; round += 1) {
      for (let line = 0; line < 100; line += 1) source.out.fire(`${round} ${'x'.repeat(50_000)}\n`);
      const told = source.told.length;
      await until(() => source.told.length > told);
    }
    source.out.fire('the end');
    source.end.resolve({ signal: 'SIGTERM' });
    await settle();
    const size = (events: Told[]): number => events.reduce((sum, { piece }) => sum + (piece.data?.length ?? 0), 0);
    assert.ok(Math.max(...source.told.map(event => size([event]))) < 300_000);
    assert.ok(size(source.told.filter(({ live }) => !live)) < 2_000_000);
    const kept = source.shown(true);
    assert.deepEqual(kept, source.shown(false));
    assert.ok(kept);
    assert.ok(kept.text.endsWith('\nthe end'));
    assert.ok(kept.text.length > 200_000);
    assert.deepEqual(kept.exit, { signal: 'SIGTERM' });
  });
});

describe('output of a terminal of the client', () => {
  const piece = (data: string, terminalId = 'x'): ChatEvent => ({ type: 'terminal', piece: { terminalId, data } });
  const named = { toolCallId: 't', content: [{ type: 'terminal' as const, terminalId: 'x' }] };
  const textsOf = (...events: ChatEvent[]): string[][] =>
    fold(...events).entries.map(entry => (entry.kind === 'tool' ? entry.terminals.map(({ text }) => text) : []));

  it('waits until a call names the terminal', () => {
    assert.deepEqual(textsOf(piece('a'), piece('other', 'y')), []);
    assert.deepEqual(textsOf(toolCall({ toolCallId: 't' }), piece('a'), toolUpdate(named), piece('b')), [['ab']]);
    assert.deepEqual(textsOf(piece('a'), toolCall(named), piece('b')), [['ab']]);
    assert.deepEqual(fold(piece('a'), toolCall(named)).terminals, []);
  });

  it('stays when the content that named it is replaced', () => {
    assert.deepEqual(textsOf(toolCall(named), piece('a'), toolUpdate({ toolCallId: 't', content: [] }), piece('b')), [
      ['ab'],
    ]);
  });

  it('is bounded while nobody names it', () => {
    const many = Array.from({ length: 30 }, (_, index) => piece('a', `${index}`));
    assert.equal(fold(...many).terminals.length, 8);
  });
});

describe('a session with a command of its agent', () => {
  it('keeps the output in the ledger, but not all of a flood, and its end when the agent has gone', async () => {
    const agent = new FakeAgent();
    const ledger = new FakeLedger();
    ledger.create({ id: 's', agentId: 'fake', agentName: 'Fake', cwd: '/w', createdAt: 0 });
    const context = { id: 's', agent: { id: 'fake', name: 'Fake' }, cwd: '/w', connect: agent.connect, ledger };
    const session = new Session({ ...context, log: line => assert.fail(line), timing: quickTiming });
    session.prompt('go');
    await until(() => agent.connections[0]?.turns.length);
    const source = new Source();
    agent.last.sink?.terminalCreated(source);
    agent.last.tell({
      type: 'toolCall',
      isNew: true,
      call: { toolCallId: 't', content: [{ type: 'terminal', terminalId: 'x' }] },
    });
    for (let round = 0; round < 20; round += 1) source.out.fire(`${'x'.repeat(60_000)}\n`);
    source.out.fire('last words');
    agent.last.die({ reason: 'exited', message: 'gone' });
    await settle();
    source.end.resolve({ signal: 'SIGTERM' });
    await settle();
    const events = (await ledger.last())?.events ?? [];
    for (const conversation of [session.state.conversation, fold(...events)]) {
      const [shown] = conversation.entries.flatMap(entry => (entry.kind === 'tool' ? entry.terminals : []));
      assert.ok(shown);
      assert.ok(shown.text.endsWith('x\nlast words'));
      assert.deepEqual(shown.exit, { signal: 'SIGTERM' });
    }
    assert.ok(JSON.stringify(events).length < 500_000);
    session.dispose();
  });
});
