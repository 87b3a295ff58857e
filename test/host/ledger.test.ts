import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { emptyConversation, reduce } from '../../src/chat/reduce';
import type { ChatEvent } from '../../src/chat/state';
import { openLedger } from '../../src/node/ledger';
import type { LedgerPort, SessionRecord } from '../../src/session/ports';

const record = (id: string): SessionRecord => ({ id, agentId: 'a', agentName: 'Agent', cwd: '/w', createdAt: 7 });
const says = (text: string, messageId?: string): ChatEvent => ({
  type: 'update',
  update: { type: 'agentChunk', content: { type: 'text', text }, ...(messageId === undefined ? {} : { messageId }) },
});
const prompt: ChatEvent = { type: 'prompt', content: [{ type: 'text', text: 'go' }] };

describe('the ledger', () => {
  let folder: string;
  let lines: string[];
  const open: LedgerPort[] = [];
  const ledger = (): LedgerPort => {
    const opened = openLedger(folder, line => lines.push(line));
    open.push(opened);
    return opened;
  };
  const file = () => path.join(folder, 'ledger.sqlite');
  const database = (): DatabaseSync => new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file());

  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'portside-ledger-')), 'made', 'on demand');
    lines = [];
  });

  afterEach(() => {
    open.splice(0).forEach(one => one.dispose());
    rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true });
  });

  it('gives nothing when nothing was kept', async () => {
    assert.equal(await ledger().last(), undefined);
    assert.deepEqual(lines, []);
  });

  it('gives the last session again, whole and in order, also in another process', async () => {
    const first = ledger();
    first.create(record('one'));
    first.append('one', prompt);
    first.create(record('two'));
    first.append('two', prompt);
    first.append('one', says('other'));
    first.append('two', says('Hel'));
    first.append('two', says('lo'));
    first.append('two', { type: 'turnEnded', stopReason: 'end_turn' });
    first.setAgentSession('two', 's-1');
    first.setMemory('two', { draft: 'half a thou', queue: [{ id: 'q', text: 'next' }] });
    first.setMemory('two', { scroll: { at: 'bottom' } });
    first.dispose();
    assert.deepEqual(await ledger().last(), {
      record: record('two'),
      agentSessionId: 's-1',
      events: [prompt, says('Hello'), { type: 'turnEnded', stopReason: 'end_turn' }],
      memory: { draft: 'half a thou', queue: [{ id: 'q', text: 'next' }], scroll: { at: 'bottom' } },
    });
    assert.deepEqual(lines, []);
  });

  it('writes by itself within half a second, without being asked', async () => {
    const first = ledger();
    first.create(record('one'));
    first.append('one', says('kept'));
    const reader = ledger();
    for (let kept = await reader.last(); kept?.events.length !== 1; kept = await reader.last()) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  });

  it('keeps a stream as few rows, which fold to the same conversation', async () => {
    const events: ChatEvent[] = [
      prompt,
      ...Array.from({ length: 5_000 }, (_, index) => says(`${index} `, index < 2_500 ? 'm1' : 'm2')),
      ...Array.from({ length: 500 }, (_, index): ChatEvent => ({
        type: 'update',
        update: {
          type: 'toolCall',
          isNew: index === 0,
          call: {
            toolCallId: 't',
            status: 'in_progress',
            content: [{ type: 'content', block: { type: 'text', text: 'x'.repeat(index * 10) } }],
            terminal: [{ terminalId: 'x', data: `${index}` }],
          },
        },
      })),
      { type: 'turnEnded', stopReason: 'end_turn' },
    ];
    const first = ledger();
    first.create(record('one'));
    events.forEach(event => first.append('one', event));
    const kept = await first.last();
    assert.equal(kept?.events.length, 6);
    assert.deepEqual(kept.events.reduce(reduce, emptyConversation), events.reduce(reduce, emptyConversation));
  });

  it('moves a damaged file aside and goes on', async () => {
    ledger().dispose();
    writeFileSync(file(), 'this is no database, but it is long enough to look like one'.repeat(100));
    const second = ledger();
    second.create(record('new'));
    assert.equal((await second.last())?.record.id, 'new');
    const [aside] = readdirSync(folder).filter(name => name.includes('.damaged-') && !/-(wal|shm)$/.test(name));
    assert.ok(aside);
    assert.match(readFileSync(path.join(folder, aside), 'utf8'), /^this is no database/);
    assert.equal(lines.length, 1);
  });

  it('loses no more of a conversation than the parts that are damaged', async () => {
    const first = ledger();
    first.create(record('one'));
    for (const event of [prompt, says('a', '1'), says('b', '2'), says('c', '3')]) first.append('one', event);
    first.dispose();
    const damaging = database();
    damaging.exec("UPDATE events SET event = '{bad' WHERE number = 3; UPDATE sessions SET memory = '{bad'");
    damaging.close();
    const second = ledger();
    second.setMemory('one', { draft: 'new' });
    second.append('one', says('d', '4'));
    const kept = await second.last();
    assert.deepEqual(kept?.events, [prompt, says('a', '1'), says('c', '3'), says('d', '4')]);
    assert.deepEqual(kept?.memory, { draft: 'new' });
    assert.equal(lines.length, 1);
  });

  it('leaves a file of a later version alone', async () => {
    ledger().dispose();
    const later = database();
    later.exec('PRAGMA user_version = 99');
    later.close();
    const second = ledger();
    second.create(record('new'));
    assert.equal(await second.last(), undefined);
    assert.match(lines.join('\n'), /later version/);
    assert.deepEqual(
      readdirSync(folder).filter(name => name.includes('.damaged-')),
      [],
    );
  });

  it('says once that it cannot keep anything, and never throws', async () => {
    writeFileSync(path.dirname(path.dirname(folder)) + '/made', 'a file where a folder has to be');
    const none = ledger();
    none.create(record('x'));
    none.append('x', prompt);
    none.flush();
    assert.equal(await none.last(), undefined);
    assert.equal(lines.length, 1);
  });

  it('waits for another window that writes, and loses nothing', async () => {
    const mine = ledger();
    const other = ledger();
    other.create(record('other'));
    other.flush();
    const blocker = database();
    blocker.exec('BEGIN IMMEDIATE');
    mine.create(record('mine'));
    mine.append('mine', prompt);
    mine.flush();
    blocker.exec('COMMIT');
    blocker.close();
    mine.append('mine', says('later'));
    assert.deepEqual((await mine.last())?.events, [prompt, says('later')]);
    assert.equal((await other.last())?.record.id, 'mine');
    assert.match(lines.join('\n'), /locked/);
  });
});
