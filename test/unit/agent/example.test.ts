import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentConnection } from '../../../src/acp/connection';
import { ConnectionEnded, RequestFailed } from '../../../src/acp/errors';
import { FileError, type ClientPorts, type FilePort } from '../../../src/acp/ports';
import type { PermissionRequest, ToolCallPatch } from '../../../src/chat/update';
import { Terminals } from '../../../src/node/terminals';
import {
  cleanUp,
  example,
  filePorts,
  openSession,
  RecordingSink,
  temporaryFolder,
  textPrompt,
  until,
} from '../../fakes/agents';

afterEach(cleanUp);

const disk: FilePort = {
  read: (_, { path }) =>
    readFile(path, 'utf8').catch(() => {
      throw new FileError('notFound', path);
    }),
  write: async (_, path, content) => {
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    await writeFile(path, content);
    return before === undefined ? {} : { before };
  },
};

const choose = (optionId: string) => (request: PermissionRequest) => {
  assert.ok(request.options.some(option => option.optionId === optionId));
  return Promise.resolve({ outcome: 'selected' as const, optionId });
};

interface Scene {
  connection: AgentConnection;
  sink: RecordingSink;
  sessionId: string;
  folder: string;
  say(text: string): Promise<{ stopReason: string }>;
}

async function scene(sink = new RecordingSink(choose('allow')), more = {}): Promise<Scene> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'greet.ts'), 'export const hi = 1;\n');
  writeFileSync(join(folder, 'README.md'), '# Read me\n');
  const connection = await example({ cwd: folder, ports: filePorts(disk), ...more }).connect();
  const { sessionId } = await openSession(connection, sink, folder);
  return { connection, sink, sessionId, folder, say: text => connection.prompt(sessionId, textPrompt(text)) };
}

const callsOf = (sink: RecordingSink): ToolCallPatch[] =>
  sink.updates.flatMap(update => (update.type === 'toolCall' ? [update.call] : []));
const terminalText = (sink: RecordingSink): string =>
  callsOf(sink)
    .flatMap(call => call.terminal ?? [])
    .map(piece => piece.data ?? '')
    .join('');
const line = '// A line from the Example agent.\n';

describe('the Example agent', () => {
  it('says who it is, what it can do, and what can be set', async () => {
    const { connection, sink, say } = await scene();
    assert.equal(connection.facts.title, 'Example agent');
    assert.equal(connection.facts.loadSession, false);
    await until(() => sink.updates.some(({ type }) => type === 'commands'));
    const commands = sink.updates.flatMap(update => (update.type === 'commands' ? update.commands : []));
    assert.deepEqual(
      commands.map(({ name }) => name),
      ['tour', 'edit', 'long', 'ask', 'run', 'terminal', 'slow', 'fail', 'noise', 'crash'],
    );
    assert.deepEqual(await say('hello'), { stopReason: 'end_turn' });
    assert.match(sink.text, /Example agent[\s\S]*portside\.agents[\s\S]*> hello/);
    const before = sink.text.length;
    await say('again');
    assert.ok(!sink.text.slice(before).includes('portside.agents'));
  });

  it('shows everything on its tour', async () => {
    const { sink, say, folder } = await scene();
    assert.deepEqual(await say('/tour'), { stopReason: 'end_turn' });
    const kinds = new Set(sink.updates.map(({ type }) => type));
    for (const kind of ['agentChunk', 'thoughtChunk', 'plan', 'toolCall'] as const) assert.ok(kinds.has(kind), kind);
    const plans = sink.updates.flatMap(update => (update.type === 'plan' ? [update.entries] : []));
    assert.ok(plans.length >= 3);
    assert.ok(plans.at(-1)?.every(({ status }) => status === 'completed'));
    assert.deepEqual(sink.writes, [
      { path: join(folder, 'greet.ts'), before: 'export const hi = 1;\n', after: `export const hi = 1;\n${line}` },
    ]);
    assert.deepEqual(
      sink.questions.map(({ request }) => request.options.map(({ kind }) => kind)),
      [['allow_once', 'allow_always', 'reject_once']],
    );
  });

  it('changes nothing that it may not', async () => {
    for (const [answer, stopReason, status] of [
      [choose('reject'), 'end_turn', 'failed'],
      [() => Promise.resolve({ outcome: 'cancelled' as const }), 'cancelled', 'pending'],
    ] as const) {
      const sink = new RecordingSink(answer);
      const { say, folder } = await scene(sink);
      assert.deepEqual(await say('/edit'), { stopReason });
      assert.deepEqual(sink.writes, []);
      assert.equal(readFileSync(join(folder, 'greet.ts'), 'utf8'), 'export const hi = 1;\n');
      assert.equal(callsOf(sink).at(-1)?.status, status);
    }
  });

  it('edits the file that is named, takes the line away again, and makes a file that is missing', async () => {
    const { sink, say, folder } = await scene();
    await say('/edit README.md');
    await say('/edit README.md');
    await say('/edit new.py');
    assert.equal(readFileSync(join(folder, 'README.md'), 'utf8'), '# Read me\n');
    assert.equal(readFileSync(join(folder, 'new.py'), 'utf8'), '# A line from the Example agent.\n');
    assert.equal(sink.writes[2]?.before, undefined);
    const diffs = callsOf(sink).flatMap(call => call.content ?? []);
    assert.deepEqual(
      diffs.map(content => (content.type === 'diff' ? content.oldText : content.type)),
      ['# Read me\n', '# Read me\nA line from the Example agent.\n', undefined],
    );
  });

  it('asks no more once it may always edit, and tells the mode', async () => {
    const sink = new RecordingSink(choose('always'));
    const { say } = await scene(sink);
    await say('/edit');
    await say('/edit');
    assert.equal(sink.questions.length, 1);
    assert.equal(sink.writes.length, 2);
    assert.ok(sink.updates.some(update => update.type === 'mode' && update.modeId === 'acceptEdits'));
  });

  it('takes its options', async () => {
    const { connection, sink, sessionId, say } = await scene();
    await connection.setConfigOption(sessionId, 'mode', 'acceptEdits');
    await connection.setConfigOption(sessionId, 'thoughts', false);
    const options = await connection.setConfigOption(sessionId, 'answers', 'brief');
    assert.deepEqual(
      options?.map(({ id, value }) => [id, value]),
      [
        ['mode', 'acceptEdits'],
        ['answers', 'brief'],
        ['thoughts', false],
      ],
    );
    await assert.rejects(connection.setConfigOption(sessionId, 'answers', 'odd'), RequestFailed);
    await say('/tour');
    assert.equal(sink.questions.length, 0);
    assert.ok(!sink.updates.some(({ type }) => type === 'thoughtChunk'));
  });

  it('works on the disk with a client that has no files', async () => {
    const { say, folder } = await scene(new RecordingSink(choose('allow')), { ports: {} });
    await say('/edit');
    assert.equal(readFileSync(join(folder, 'greet.ts'), 'utf8'), `export const hi = 1;\n${line}`);
  });

  it('streams as much as it is told to, always the same', async () => {
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { sink, say } = await scene();
      await say('hi');
      const before = sink.text.length;
      const chunks = sink.updates.length;
      await say('/long 64');
      texts.push(sink.text.slice(before));
      assert.ok(sink.updates.length - chunks > 3000);
    }
    assert.equal(texts[0]?.length, 64 * 1024);
    assert.equal(texts[0], texts[1]);
    for (const piece of ['## ', '```ts', '| --- |', '> ', '- ', '漢字']) assert.ok(texts[0].includes(piece), piece);
  });

  it('asks in unusual ways, one by one or together', async () => {
    const sink = new RecordingSink(request =>
      Promise.resolve({ outcome: 'selected', optionId: request.options[0]?.optionId ?? '' }),
    );
    const { say } = await scene(sink);
    await say('/ask');
    await say('/ask together');
    await say('/ask 3');
    assert.equal(sink.questions.length, 9);
    const [several, long, unknown, hidden] = sink.questions.map(({ request }) => request);
    assert.equal(several?.options.filter(({ kind }) => kind.startsWith('allow')).length, 3);
    assert.ok((long?.call.title ?? '').split('\n').length > 20);
    assert.ok(unknown?.options.some(({ kind }) => kind === 'allow_for_an_hour'));
    assert.match(hidden?.call.title ?? '', /\u202e/);
    assert.match(sink.text, /You chose “Yes, this time”/);
  });

  it('fails with words and data, and goes on', async () => {
    const { say } = await scene();
    await assert.rejects(say('/fail'), (error: unknown) => {
      assert.ok(error instanceof RequestFailed);
      assert.deepEqual([error.code, error.message], [-32603, 'The Example agent failed, as you asked it to.']);
      assert.deepEqual(error.data, { hint: 'This is the data that came with the error.' });
      return true;
    });
    assert.deepEqual(await say('hello'), { stopReason: 'end_turn' });
  });

  it('makes noise that loses nothing', async () => {
    const rig = example();
    const connection = await rig.connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('/noise'));
    assert.ok(sink.text.endsWith('Before the noise. After the noise.\n\n'));
    assert.equal(rig.noise.length, 5);
  });

  it('crashes with exit code 7 and last words', async () => {
    const { sink, say } = await scene();
    await assert.rejects(say('/crash'), (error: unknown) => {
      assert.ok(error instanceof ConnectionEnded);
      assert.equal(error.end.exit?.code, 7);
      assert.match(error.end.stderr ?? '', /^Fatal: the Example agent crashed/);
      return true;
    });
    assert.match(sink.text, /about to crash/);
  });

  for (const command of ['/slow', '/long 100000', '/tour', '/ask', '/edit', '/run sleep 60', 'hello']) {
    it(`stops ${command} at once when told to`, async () => {
      let asked = (): void => {};
      const first = new Promise<void>(resolve => (asked = resolve));
      const allow = { outcome: 'selected' as const, optionId: 'allow' };
      const sink = new RecordingSink(() => {
        asked();
        return command.startsWith('/run') ? Promise.resolve(allow) : new Promise(() => {});
      });
      const { connection, sessionId, say } = await scene(sink);
      const turn = say(command);
      if (/ask|edit|run/.test(command)) await first;
      else await until(() => sink.updates.some(({ type }) => type === 'agentChunk'));
      if (command.startsWith('/run')) await until(() => callsOf(sink).some(({ status }) => status === 'in_progress'));
      connection.cancel(sessionId);
      assert.deepEqual(await turn, { stopReason: 'cancelled' });
      assert.deepEqual(await connection.prompt(sessionId, textPrompt('next')), { stopReason: 'end_turn' });
    });
  }

  it('runs a command in a terminal of the client, and ends it when the turn is stopped', async function () {
    if (process.platform === 'win32') this.skip();
    const terminals = new Terminals(process.platform, () => []);
    const ports: ClientPorts = { terminals: { create: (cwd, request) => terminals.create(cwd, request, process.env) } };
    const sink = new RecordingSink(choose('allow'));
    const { connection, sessionId, say } = await scene(sink, { ports });
    await say('/terminal echo "a b"; exit 3');
    assert.match(sink.text, /ended with exit code 3; I read 4 characters/);
    const [terminal] = sink.terminals;
    assert.deepEqual(await terminal?.exited, { exitCode: 3 });
    const named = callsOf(sink).flatMap(call => call.content ?? []);
    assert.deepEqual(named, [{ type: 'terminal', terminalId: terminal?.id }]);

    const turn = say('/terminal sleep 60');
    await until(() => sink.terminals.length === 2 && callsOf(sink).at(-1)?.status === 'in_progress');
    connection.cancel(sessionId);
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
    assert.deepEqual(await sink.terminals[1]?.exited, { signal: 'SIGTERM' });
  });

  it('refuses a second prompt while a turn runs', async () => {
    const { connection, sink, sessionId, say } = await scene();
    const turn = say('/slow');
    await until(() => sink.text.includes('tick'));
    await assert.rejects(say('/slow'), (error: unknown) => error instanceof RequestFailed && error.code === -32600);
    connection.cancel(sessionId);
    await turn;
  });

  it('is told to be Node by a variable that it does not hand on', async function () {
    if (process.platform === 'win32') this.skip();
    const runtime = join(temporaryFolder(), 'code');
    writeFileSync(runtime, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${process.execPath}' "$@"\n`);
    chmodSync(runtime, 0o755);
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
    const sink = new RecordingSink(choose('allow'));
    const { say } = await scene(sink, { hostRuntime: runtime, env });
    await say('/run echo "told: ${ELECTRON_RUN_AS_NODE-nothing}"');
    assert.equal(terminalText(sink), 'told: nothing\n');
  });
});
