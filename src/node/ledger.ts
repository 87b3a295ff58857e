import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asString } from '../base/json';
import { messageOf } from '../base/errors';
import type { ChatEvent } from '../chat/state';
import type { KeptSession, LedgerPort, SessionMemory, SessionRecord } from '../session/ports';
import { joinEvents } from './ledgerEvents';

const fileName = 'ledger.sqlite';
const version = 1;
/** What is told is on disk this soon, in ms. */
const delayMs = 400;
/** How long another window may hold the file before we try again later, in ms. */
const busyMs = 250;
const mostFailures = 20;

const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    cwd TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    agent_session TEXT,
    memory TEXT NOT NULL DEFAULT '{}'
  );
  CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    event TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_of_session ON events (session, number);
`;

/** Nothing is kept where there is no database. */
const none: LedgerPort = {
  create() {},
  append() {},
  setAgentSession() {},
  setMemory() {},
  last: () => Promise.resolve(undefined),
  flush() {},
  dispose() {},
};

/**
 * Opens the ledger in a folder, which is made if need be. A file that is not a database is moved aside. Never throws:
 * where nothing can be kept, one line in the log says so.
 */
export function openLedger(folder: string, log: (line: string) => void): LedgerPort {
  const sqlite: { DatabaseSync: typeof DatabaseSync } | undefined = process.getBuiltinModule('node:sqlite');
  if (!sqlite) {
    log('Conversations are not kept: this runtime has no SQLite.');
    return none;
  }
  const file = path.join(folder, fileName);
  const open = (): Ledger => {
    const database = new sqlite.DatabaseSync(file);
    try {
      prepare(database);
      return new Ledger(database, log);
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    mkdirSync(folder, { recursive: true });
    try {
      return open();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      moveAside(file, log);
      return open();
    }
  } catch (error) {
    log(`Conversations are not kept: ${messageOf(error)}`);
    return none;
  }
}

function prepare(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`);
  const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (found > version) throw new Error('a later version of Portside has written them');
  database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${version}; COMMIT;`);
}

function isCorrupt(error: unknown): boolean {
  return /not a database|malformed|corrupt/i.test(messageOf(error));
}

function moveAside(file: string, log: (line: string) => void): void {
  const aside = `${file}.damaged-${Date.now()}`;
  for (const end of ['', '-wal', '-shm']) {
    try {
      renameSync(file + end, aside + end);
    } catch {
      // Not every part is always there.
    }
  }
  log(`The kept conversations could not be read; their file is now ${aside}`);
}

type Entry =
  | { type: 'create'; record: SessionRecord }
  | { type: 'event'; sessionId: string; event: ChatEvent }
  | { type: 'agentSession'; sessionId: string; agentSessionId: string }
  | { type: 'memory'; sessionId: string; memory: SessionMemory };

/** Collects what is told and writes it in one transaction a little later. */
class Ledger implements LedgerPort {
  private pending: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private closed = false;
  private readonly write: (entry: Entry) => void;

  constructor(
    private readonly database: DatabaseSync,
    private readonly log: (line: string) => void,
  ) {
    this.write = writer(database);
  }

  create(record: SessionRecord): void {
    this.add({ type: 'create', record });
  }

  append(sessionId: string, event: ChatEvent): void {
    const last = this.pending.at(-1);
    const joined = last?.type === 'event' && last.sessionId === sessionId ? joinEvents(last.event, event) : undefined;
    if (joined) this.pending.splice(-1, 1, { type: 'event', sessionId, event: joined });
    else this.add({ type: 'event', sessionId, event });
  }

  setAgentSession(sessionId: string, agentSessionId: string): void {
    this.add({ type: 'agentSession', sessionId, agentSessionId });
  }

  setMemory(sessionId: string, memory: SessionMemory): void {
    this.add({ type: 'memory', sessionId, memory });
  }

  async last(): Promise<KeptSession | undefined> {
    this.flush();
    try {
      const row = this.database.prepare('SELECT * FROM sessions ORDER BY number DESC LIMIT 1').get();
      if (!row) return undefined;
      const record = recordOf(row);
      const agentSessionId = asString(row['agent_session']);
      return {
        record,
        events: await this.eventsOf(record.id),
        memory: this.parsed<SessionMemory>(row['memory']) ?? {},
        ...(agentSessionId === undefined ? {} : { agentSessionId }),
      };
    } catch (error) {
      this.log(`The last conversation could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.closed || this.pending.length === 0) return;
    try {
      this.database.exec('BEGIN IMMEDIATE');
      try {
        for (const entry of this.pending) this.write(entry);
        this.database.exec('COMMIT');
      } catch (error) {
        this.database.exec('ROLLBACK');
        throw error;
      }
      this.pending = [];
      this.failures = 0;
    } catch (error) {
      this.failed(error);
    }
  }

  dispose(): void {
    if (this.closed) return;
    this.flush();
    clearTimeout(this.timer);
    this.closed = true;
    try {
      this.database.close();
    } catch (error) {
      this.log(`Closing the kept conversations failed: ${messageOf(error)}`);
    }
  }

  private add(entry: Entry): void {
    if (this.closed) return;
    this.pending.push(entry);
    this.timer ??= setTimeout(() => this.flush(), delayMs);
  }

  /** What was not written stays for the next time, until there is no hope. */
  private failed(error: unknown): void {
    this.failures += 1;
    if (this.failures === 1) this.log(`Keeping the conversation failed: ${messageOf(error)}`);
    if (this.failures < mostFailures) {
      this.timer = setTimeout(() => this.flush(), delayMs);
      return;
    }
    this.log('Conversations are not kept any more.');
    this.pending = [];
    this.closed = true;
    this.database.close();
  }

  /** A value that was damaged is left out: the rest of the conversation is worth more. */
  private parsed<T>(json: unknown): T | undefined {
    try {
      return JSON.parse(String(json)) as T;
    } catch (error) {
      this.log(`A part of the last conversation could not be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** With pauses, so that a long conversation does not hold up everything else. */
  private async eventsOf(sessionId: string): Promise<ChatEvent[]> {
    const read = this.database.prepare(
      'SELECT number, event FROM events WHERE session = ? AND number > ? ORDER BY number LIMIT 100',
    );
    const events: ChatEvent[] = [];
    let number = 0;
    for (;;) {
      const rows = read.all(sessionId, number);
      for (const row of rows) {
        const event = this.parsed<ChatEvent>(row['event']);
        if (event) events.push(event);
        number = Number(row['number']);
      }
      if (rows.length === 0) return events;
      await new Promise(resolve => setImmediate(resolve));
    }
  }
}

function writer(database: DatabaseSync): (entry: Entry) => void {
  const create = database.prepare(
    'INSERT OR IGNORE INTO sessions (id, agent_id, agent_name, cwd, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const event = database.prepare('INSERT INTO events (session, event) VALUES (?, ?)');
  const agentSession = database.prepare('UPDATE sessions SET agent_session = ? WHERE id = ?');
  // A patch of RFC 7396: what is absent stays.
  const memory = database.prepare(
    "UPDATE sessions SET memory = json_patch(iif(json_valid(memory), memory, '{}'), ?) WHERE id = ?",
  );
  return entry => {
    switch (entry.type) {
      case 'create': {
        const { id, agentId, agentName, cwd, createdAt } = entry.record;
        return run(create, id, agentId, agentName, cwd, createdAt);
      }
      case 'event':
        return run(event, entry.sessionId, JSON.stringify(entry.event));
      case 'agentSession':
        return run(agentSession, entry.agentSessionId, entry.sessionId);
      case 'memory':
        return run(memory, JSON.stringify(entry.memory), entry.sessionId);
    }
  };
}

function run(statement: StatementSync, ...values: (string | number)[]): void {
  statement.run(...values);
}

function recordOf(row: Record<string, unknown>): SessionRecord {
  return {
    id: String(row['id']),
    agentId: String(row['agent_id']),
    agentName: String(row['agent_name']),
    cwd: String(row['cwd']),
    createdAt: Number(row['created_at']),
  };
}
