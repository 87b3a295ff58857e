import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectionEnded } from '../../../src/acp/errors';
import { ExpectedError } from '../../../src/base/errors';
import {
  chunkOf,
  cleanUp,
  filePorts,
  isAlive,
  openSession,
  RecordingSink,
  scripted,
  temporaryFolder,
  textPrompt,
  until,
  updateOf,
  type Rig,
} from '../../fakes/agents';

afterEach(cleanUp);

const promptThen = (...steps: Record<string, unknown>[]) => [{ handshake: {} }, { expect: 'session/prompt' }, ...steps];
const done = { reply: { stopReason: 'end_turn' } };

async function failureOf(rig: Rig): Promise<{ code: string; message: string; details: string; actions: unknown }> {
  const error: unknown = await rig.connect().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ExpectedError, String(error));
  const { code, message, options } = error;
  return { code, message, details: options.details ?? '', actions: options.actions };
}

const actions = ['retry', 'showLog', 'openSettings'];

describe('an agent that does not start', () => {
  it('is named with its command, its folder and PATH when it is not found', async () => {
    const rig = scripted([]);
    rig.plan = { ...rig.plan, command: 'no-such-agent', args: ['--acp', 'two words'], env: { PATH: '/nowhere' } };
    const failure = await failureOf(rig);
    assert.equal(failure.code, 'spawnFailed');
    assert.equal(failure.message, 'Fake could not be started: the command "no-such-agent" was not found.');
    assert.match(failure.details, /^Command: no-such-agent --acp "two words"$/m);
    assert.ok(failure.details.includes(`Folder: ${rig.context.cwd}`));
    assert.match(failure.details, /^PATH: \/nowhere$/m);
    assert.deepEqual(failure.actions, actions);
  });

  it('is told from one that may not be executed', async function () {
    if (process.platform === 'win32') this.skip();
    const rig = scripted([]);
    const command = join(temporaryFolder(), 'agent');
    writeFileSync(command, '#!/bin/sh\n');
    chmodSync(command, 0o644);
    rig.plan = { ...rig.plan, command };
    const failure = await failureOf(rig);
    assert.match(failure.message, /may not be executed/);
  });

  it('is told from a folder that is missing', async () => {
    const rig = scripted([]);
    rig.plan = { ...rig.plan, cwd: '/no/such/folder' };
    const failure = await failureOf(rig);
    assert.match(failure.message, /the folder \/no\/such\/folder does not exist/);
    assert.deepEqual(failure.actions, actions);
  });

  it('is told from arguments that the system refuses', async () => {
    const rig = scripted([]);
    rig.plan = { ...rig.plan, args: ['a\0b'] };
    const failure = await failureOf(rig);
    assert.equal(failure.code, 'spawnFailed');
  });

  it('does not start when it was given up before', async () => {
    const rig = scripted([{ handshake: {} }]);
    await assert.rejects(rig.connect(AbortSignal.abort(new Error('given up'))), /given up/);
    assert.deepEqual(rig.traffic, []);
  });
});

describe('an agent that ends too early', () => {
  for (const code of [9, 0]) {
    it(`is named with exit code ${code} and its last words`, async () => {
      const failure = await failureOf(scripted([{ stderr: 'line 1\nError: this needs node 20\n' }, { exit: code }]));
      assert.equal(failure.code, 'agentExited');
      assert.match(failure.message, new RegExp(`Fake ended before it was ready: Fake ended with exit code ${code}`));
      assert.match(failure.details, new RegExp(`^Exit code: ${code}$`, 'm'));
      assert.match(failure.details, /Error: this needs node 20/);
      assert.match(failure.details, /^Command: .*scriptedAgent\.mjs/m);
      assert.match(failure.details, /^Folder: /m);
      assert.deepEqual(failure.actions, actions);
    });
  }

  it('is noticed long before the time limit', async () => {
    const rig = scripted([{ expect: 'initialize' }, { exit: 1 }], { handshakeSeconds: 3600 });
    assert.equal((await failureOf(rig)).code, 'agentExited');
  });

  it('keeps only the end of many last words', async () => {
    const stderr = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
    const { details } = await failureOf(scripted([{ stderr }, { exit: 1 }]));
    assert.ok(details.includes('line 19999') && details.length < 2000, details);
  });

  it('shows no token that it wrote or was started with', async () => {
    const token = ['sk', 'ant-abcdefgh12345678'].join('-');
    const rig = scripted([{ stderr: `bad key ${token}\n` }, { exit: 1 }]);
    rig.plan = { ...rig.plan, args: [...rig.plan.args, token] };
    const { details } = await failureOf(rig);
    assert.ok(details.includes('bad key') && !details.includes(token), details);
  });

  it('is noticed when it closes its output and lives on', async () => {
    const failure = await failureOf(scripted([{ ignoreEnd: true }, { closeOutput: true }]));
    assert.match(failure.message, /closed its output/);
  });
});

describe('the handshake', () => {
  it('ends after its time limit, with what the agent wrote, and leaves no process', async () => {
    const rig = scripted([{ stderr: 'waiting for a browser\n' }, { spawn: 'plain' }, { expect: 'nothing' }], {
      handshakeSeconds: 1,
    });
    const failure = await failureOf(rig);
    assert.equal(failure.code, 'handshakeTimeout');
    assert.match(failure.message, /did not answer within 1 seconds/);
    assert.match(failure.details, /waiting for a browser/);
    await until(() => rig.events().includes('end') && !isAlive(childOf(rig)));
  });

  it('can be given up at any time', async () => {
    const rig = scripted([{ spawn: 'plain' }, { expect: 'nothing' }], { handshakeSeconds: 0 });
    const stop = new AbortController();
    const connecting = rig.connect(stop.signal);
    await until(() => rig.events().length > 0);
    stop.abort(new Error('given up'));
    await assert.rejects(connecting, /given up/);
    await until(() => !isAlive(childOf(rig)));
  });

  it('says what is being waited for', async () => {
    const activities: string[] = [];
    await scripted([{ handshake: {} }], { onActivity: text => activities.push(text) }).connect();
    assert.deepEqual(activities, ['Starting Fake…', 'Waiting for Fake to answer…']);
  });

  it('names the command when the version is another', async () => {
    const rig = scripted([{ expect: 'initialize' }, { reply: { protocolVersion: 2 } }]);
    const failure = await failureOf(rig);
    assert.equal(failure.code, 'protocolVersion');
    assert.match(failure.details, /^Command: /m);
  });

  it('shows the agent’s own error', async () => {
    const rig = scripted([
      { expect: 'initialize' },
      { error: { code: -32603, message: 'broken', data: { why: 'x' } } },
    ]);
    const failure = await failureOf(rig);
    assert.match(failure.message, /broken/);
    assert.match(failure.details, /why/);
  });
});

describe('what an agent writes', () => {
  it('is whole however it is cut, in bytes', async () => {
    const text = 'Zwölf 漢字 🚀 “quoted”\n';
    const raw = `${JSON.stringify(chunkOf(text))}\r\n`;
    const connection = await scripted(promptThen({ raw, split: 1, gap: 0 }, done)).connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('x'));
    assert.equal(sink.text, text);
  });

  it('may be noise, which is never answered; every byte to the agent is a message on a line', async () => {
    const noise = [
      'starting…',
      '',
      '[20:02:58.185] ERROR (#34083): failed {',
      '"text"',
      '[{"jsonrpc":"2.0","id":5,"method":"x"}]',
      '{"level":"info"}',
      '{"half": ',
      '\u001b[31mred\u001b[0m',
    ];
    const rig = scripted([
      { raw: `${noise.join('\n')}\n` },
      { raw: '\ufeff' },
      { handshake: {} },
      { expect: 'session/prompt' },
      { raw: '\u001b]0;title\u0007\u001b[2K\r\u001b[32m' },
      { send: chunkOf('after the noise') },
      { raw: 'x'.repeat(300_000) },
      { raw: '\n' },
      done,
    ]);
    const connection = await rig.connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('a\nb'));
    assert.equal(sink.text, 'after the noise');
    assert.deepEqual(
      rig.noise.map(text => text.slice(0, 9)),
      ['starting…', '[20:02:58', '"text"', '[{"jsonrp', '{"half":', 'red', 'xxxxxxxxx'],
    );
    assert.ok(rig.noise.every(text => text.length < 3000));
    assert.match(rig.log.join('\n'), /level/);
    await connection.dispose();
    const bytes = rig.received();
    assert.ok(bytes.endsWith('\n'));
    assert.deepEqual(
      rig.messages().map(message => [message['jsonrpc'], message['method']]),
      ['initialize', 'session/new', 'session/prompt'].map(method => ['2.0', method]),
    );
    const kinds = rig.traffic.filter(({ direction }) => direction === 'noise');
    assert.equal(kinds.length, rig.noise.length);
  });

  it('to stderr is read all the time, and stays in the background', async () => {
    const rig = scripted(promptThen({ stderr: 'x'.repeat(2e6) }, { stderr: 'the end' }, done));
    const connection = await rig.connect();
    const { sessionId } = await openSession(connection);
    assert.deepEqual(await connection.prompt(sessionId, textPrompt('x')), { stopReason: 'end_turn' });
    await until(() => rig.stderr.join('').length === 2e6 + 7);
  });

  it('may be a message of many megabytes', async () => {
    const rig = scripted(promptThen({ send: chunkOf('$n'.padEnd(20e6, 'y')) }, done));
    const connection = await rig.connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('z'.repeat(5e6)));
    assert.ok(sink.text.length > 19e6);
    const sent = rig.messages().find(({ method }) => method === 'session/prompt');
    assert.ok(JSON.stringify(sent).length > 5e6);
  });

  it('is in the traffic, both ways', async () => {
    const rig = scripted(promptThen({ send: chunkOf('hi') }, { stderr: 'note' }, done));
    const connection = await rig.connect();
    const { sessionId } = await openSession(connection);
    await connection.prompt(sessionId, textPrompt('x'));
    await until(() => rig.stderr.length > 0);
    const lines = rig.traffic.map(({ direction, message, text }) => {
      const method = (message as { method?: string } | undefined)?.method;
      return `${direction} ${text ?? method ?? 'answer'}`;
    });
    assert.deepEqual(
      lines.filter(line => !line.startsWith('stderr')),
      [
        'toAgent initialize',
        'fromAgent answer',
        'toAgent session/new',
        'fromAgent answer',
        'toAgent session/prompt',
        'fromAgent session/update',
        'fromAgent answer',
      ],
    );
  });
});

describe('order over a real pipe', () => {
  it('is that of the bytes: the text is complete before the turn ends, and late text still comes', async () => {
    const update = (text: string) => JSON.stringify(chunkOf(text));
    const steps = promptThen(
      { raw: `${Array.from({ length: 500 }, (_, index) => update(`${index};`)).join('\n')}\n` },
      done,
      { send: chunkOf('late') },
    );
    const connection = await scripted(steps).connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('x'));
    const whole = Array.from({ length: 500 }, (_, index) => `${index};`).join('');
    assert.ok(sink.text.startsWith(whole));
    await until(() => sink.text === `${whole}late`);
  });

  it('keeps what came before the answer that introduces a session', async () => {
    const commands = { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'web' }] };
    const connection = await scripted([
      { expect: 'initialize' },
      { reply: { protocolVersion: 1 } },
      { expect: 'session/new' },
      { send: updateOf(commands) },
      { sleep: 30 },
      { reply: { sessionId: 's1', modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] } } },
    ]).connect();
    const sink = new RecordingSink();
    const opened = await openSession(connection, sink);
    assert.equal(opened.modes?.currentModeId, 'ask');
    assert.deepEqual(
      sink.updates.map(({ type }) => type),
      ['commands'],
    );
  });

  it('lets the extension host do other things during 10,000 updates', async () => {
    const connection = await scripted(promptThen({ send: chunkOf('$n '), times: 10_000 }, done)).connect();
    const sink = new RecordingSink();
    let turns = 0;
    const during: number[] = [];
    const ticker = setInterval(() => (turns += 1), 1);
    const update = sink.update.bind(sink);
    sink.update = one => {
      during.push(turns);
      update(one);
    };
    const { sessionId } = await openSession(connection, sink);
    await connection.prompt(sessionId, textPrompt('x'));
    clearInterval(ticker);
    assert.equal(sink.updates.length, 10_000);
    assert.ok(new Set(during).size > 5, `other work ran ${new Set(during).size} times`);
  });
});

describe('an agent that dies', () => {
  it('ends the turn with its exit code and last words, after everything it said', async () => {
    const steps = promptThen({ send: chunkOf('$n;'), times: 3000 }, { stderr: 'out of memory\n' }, { exit: 7 });
    const connection = await scripted(steps).connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await assert.rejects(connection.prompt(sessionId, textPrompt('x')), (error: unknown) => {
      assert.ok(error instanceof ConnectionEnded);
      assert.deepEqual(error.end, {
        reason: 'exited',
        message: 'Fake ended with exit code 7.',
        exit: { code: 7, signal: null },
        stderr: 'out of memory\n',
      });
      return true;
    });
    assert.equal(sink.updates.length, 3000);
    await assert.rejects(connection.prompt(sessionId, textPrompt('y')), ConnectionEnded);
  });

  it('is noticed though a process that it left keeps its output open', async () => {
    const rig = scripted(promptThen({ spawn: 'keepsOutput' }, { exit: 3 }));
    const connection = await rig.connect();
    const { sessionId } = await openSession(connection);
    await assert.rejects(connection.prompt(sessionId, textPrompt('x')), /exit code 3/);
    await until(() => !isAlive(childOf(rig)));
  });

  it('withdraws its questions, and refuses what comes after', async () => {
    const ask = {
      jsonrpc: '2.0',
      id: 1,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall: { toolCallId: 'c' }, options: [] },
    };
    const connection = await scripted(promptThen({ send: ask }, { sleep: 50 }, { exit: 1 })).connect();
    const sink = new RecordingSink();
    const { sessionId } = await openSession(connection, sink);
    await assert.rejects(connection.prompt(sessionId, textPrompt('x')), ConnectionEnded);
    assert.ok(sink.questions[0]?.signal.aborted);
    connection.cancel(sessionId);
    assert.equal((await connection.ended).exit?.code, 1);
  });

  it('by a signal is named so', async function () {
    if (process.platform === 'win32') this.skip();
    const rig = scripted([{ handshake: {} }, { notePid: true }]);
    const connection = await rig.connect();
    await openSession(connection);
    await until(() => rig.events().length > 0);
    process.kill(Number(rig.events()[0]?.split(' ')[1]), 'SIGKILL');
    assert.match((await connection.ended).message, /SIGKILL/);
  });
});

describe('a message over the limit', () => {
  it('ends the connection with words', async () => {
    const steps = promptThen({ fill: 129 });
    const connection = await scripted(steps).connect();
    const { sessionId } = await openSession(connection);
    await assert.rejects(connection.prompt(sessionId, textPrompt('x')), (error: unknown) => {
      assert.ok(error instanceof ConnectionEnded);
      assert.match(error.message, /larger than the limit of 128 MiB/);
      return true;
    });
  });
});

describe('closing', () => {
  it('lets an agent that listens leave by itself', async () => {
    const rig = scripted([{ handshake: {} }]);
    const connection = await rig.connect();
    await openSession(connection);
    await connection.dispose();
    assert.deepEqual(rig.events(), ['end']);
    assert.deepEqual(await connection.ended, {
      reason: 'closed',
      message: 'Fake was closed.',
      exit: { code: 0, signal: null },
    });
  });

  it('ends an agent that listens to nothing, with all that it started', async () => {
    const rig = scripted([
      { handshake: {} },
      { ignoreEnd: true },
      { ignoreTerm: true },
      { spawn: 'stubborn' },
      { spawn: 'ownGroup' },
    ]);
    const connection = await rig.connect();
    await openSession(connection);
    await until(() => rig.events().length === 2);
    await connection.dispose();
    assert.deepEqual(rig.events().slice(2), ['end', 'SIGTERM']);
    for (const event of rig.events().slice(0, 2)) assert.ok(!isAlive(Number(event.split(' ')[1])), event);
    assert.equal((await connection.ended).exit?.signal, 'SIGKILL');
  });

  it('ends what an agent leaves behind when it goes by itself', async () => {
    const rig = scripted([{ handshake: {} }, { spawn: 'stubborn' }, { spawn: 'ownGroup' }]);
    const connection = await rig.connect();
    await openSession(connection);
    await until(() => rig.events().length === 2);
    const pids = rig.events().map(event => Number(event.split(' ')[1]));
    await connection.dispose();
    for (const pid of pids) assert.ok(!isAlive(pid));
  });

  it('can be hurried once it has begun', async () => {
    let quick = false;
    const rig = scripted([{ handshake: {} }, { ignoreEnd: true }, { ignoreTerm: true }], { quick: () => quick });
    const connection = await rig.connect();
    await openSession(connection);
    const began = performance.now();
    const patient = connection.dispose();
    await until(() => rig.events().includes('end'));
    quick = true;
    await Promise.all([patient, connection.dispose()]);
    assert.ok(performance.now() - began < 7000, 'it was not hurried');
  });

  it('leaves other agents of the same kind alone', async () => {
    const [first, second] = [scripted([{ handshake: {} }]), scripted(promptThen({ send: chunkOf('fine') }, done))];
    const [one, other] = [await first.connect(), await second.connect()];
    await openSession(one);
    const sink = new RecordingSink();
    const { sessionId } = await openSession(other, sink);
    await one.dispose();
    await other.prompt(sessionId, textPrompt('x'));
    assert.equal(sink.text, 'fine');
  });

  it('settles a prompt that waits', async () => {
    const connection = await scripted(promptThen()).connect();
    const { sessionId } = await openSession(connection);
    const turn = connection.prompt(sessionId, textPrompt('x'));
    const settled = assert.rejects(turn, ConnectionEnded);
    await connection.dispose();
    await settled;
  });
});

describe('a file request over a real pipe', () => {
  it('brings a text through unchanged, with a byte order mark, CRLF and no line end', async () => {
    const content = '\ufeffone\r\ntwo\r\n\u2028three "x" \\ 漢字';
    const read = {
      jsonrpc: '2.0',
      id: 'r',
      method: 'fs/read_text_file',
      params: { sessionId: 's1', path: '/a' },
    };
    const rig = scripted(promptThen({ send: read }, { expectAnswer: 'r' }, done), {
      ports: filePorts({ read: () => Promise.resolve(content) }),
    });
    const connection = await rig.connect();
    const { sessionId } = await openSession(connection);
    await connection.prompt(sessionId, textPrompt('x'));
    const answer = rig.messages().find(({ id }) => id === 'r');
    assert.deepEqual(answer?.['result'], { content });
  });
});

function childOf(rig: Rig): number {
  return Number(
    rig
      .events()
      .find(event => event.startsWith('child'))
      ?.split(' ')[1],
  );
}
