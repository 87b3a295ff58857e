import assert from 'node:assert/strict';
import { AgentConnection } from '../../../src/acp/connection';
import { ConnectionEnded, RequestFailed } from '../../../src/acp/errors';
import { FileError, type ClientPorts, type SessionSink, type TrafficRecord } from '../../../src/acp/ports';
import { TrafficLog } from '../../../src/acp/traffic';
import { ExpectedError } from '../../../src/base/errors';
import type { ContentBlock } from '../../../src/chat/update';
import { chunkOf, filePorts, RecordingSink, textPrompt, until, updateOf } from '../../fakes/agents';
import { MemoryAgent } from '../../fakes/memoryLink';

interface Opened {
  agent: MemoryAgent;
  connection: AgentConnection;
  log: string[];
}

async function open(
  capabilities: object = {},
  ports: ClientPorts = {},
  onTraffic: (record: TrafficRecord) => void = () => {},
): Promise<Opened> {
  const agent = new MemoryAgent();
  const log: string[] = [];
  const options = { clientVersion: '1.2.3', onTraffic, log: (line: string) => log.push(line) };
  const opening = AgentConnection.open(agent.link, ports, options, new AbortController().signal);
  await agent.initialize(capabilities);
  return { agent, connection: await opening, log };
}

async function openSession(opened: Opened, sink: SessionSink, result: object = {}): Promise<void> {
  const session = opened.connection.newSession({ cwd: '/w' }, sink, new AbortController().signal);
  await opened.agent.reply('session/new', { sessionId: 's1', ...result });
  await session;
}

const everything = {
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    sessionCapabilities: { resume: {}, close: {}, list: {}, additionalDirectories: {} },
  },
};

const offered = {
  configOptions: [{ type: 'boolean', id: 'b', name: 'B', currentValue: false }],
};
const modes = { modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } };

const question = (id: unknown, sessionId = 's1', toolCallId = 'c') => ({
  jsonrpc: '2.0',
  id,
  method: 'session/request_permission',
  params: {
    sessionId,
    toolCall: { toolCallId },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  },
});

const yes = () => Promise.resolve({ outcome: 'selected' as const, optionId: 'yes' });

describe('signing in', () => {
  const authMethods = [
    { id: 'a', name: 'A' },
    { id: 't', name: 'T', type: 'terminal' },
  ];
  const never = new AbortController().signal;
  const isUnsupported = (error: unknown): boolean => error instanceof ExpectedError && error.code === 'unsupported';

  it('asks the agent by the method, with what belongs to it', async () => {
    const { agent, connection } = await open({ authMethods });
    const done = connection.authenticate('a', { 'api-key': { apiKey: 'k' } }, never);
    await until(() => agent.received.some(({ method }) => method === 'authenticate'));
    const params = agent.received.at(-1)?.['params'];
    assert.deepEqual(params, { methodId: 'a', _meta: { 'api-key': { apiKey: 'k' } } });
    await agent.reply('authenticate', null);
    await done;
  });

  it('never asks by a method of type terminal, or by one that is not offered', async () => {
    const { agent, connection } = await open({ authMethods });
    await assert.rejects(connection.authenticate('t', undefined, never), isUnsupported);
    await assert.rejects(connection.authenticate('b', undefined, never), isUnsupported);
    assert.ok(!agent.received.some(({ method }) => method === 'authenticate'));
  });

  it('is cancelled at the agent, and over at once', async () => {
    const { agent, connection } = await open({ authMethods });
    const cancel = new AbortController();
    const done = connection.authenticate('a', undefined, cancel.signal);
    const { id } = await agent.next('authenticate');
    cancel.abort(new Error('enough'));
    await assert.rejects(done, /enough/);
    assert.deepEqual((await agent.next('$/cancel_request'))['params'], { requestId: id });
    agent.say({ jsonrpc: '2.0', id, error: { code: -32800, message: 'Cancelled' } });
  });

  it('out is asked of an agent that offers it only', async () => {
    const without = await open();
    await assert.rejects(without.connection.logout(), isUnsupported);
    const { agent, connection } = await open({ agentCapabilities: { auth: { logout: {} } } });
    const done = connection.logout();
    await agent.reply('logout', {});
    await done;
  });
});

describe('initialize', () => {
  it('asks once for version 1, with who we are and what we can do', async () => {
    const agent = new MemoryAgent();
    const signal = new AbortController().signal;
    const opening = AgentConnection.open(agent.link, filePorts({}), { clientVersion: '1.2.3', log: () => {} }, signal);
    await until(() => agent.received.length > 0);
    assert.deepEqual(agent.received, [
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientInfo: { name: 'portside', title: 'Portside', version: '1.2.3' },
          clientCapabilities: {
            fs: { readTextFile: true, writeTextFile: true },
            session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
            _meta: { terminal_output: true, terminal_output_delta: true },
          },
        },
      },
    ]);
    await agent.initialize();
    await opening;
  });

  it('does not offer files without a port for them, and refuses them then', async () => {
    const agent = new MemoryAgent();
    const opening = AgentConnection.open(
      agent.link,
      {},
      { clientVersion: '1', log: () => {} },
      new AbortController().signal,
    );
    await until(() => agent.received.length > 0);
    assert.ok(!JSON.stringify(agent.received[0]).includes('"fs"'));
    await agent.initialize();
    await opening;
    agent.say({ jsonrpc: '2.0', id: 1, method: 'fs/read_text_file', params: { sessionId: 's1', path: '/a' } });
    assert.equal(codeOf(await agent.answerTo(1)), -32601);
  });

  it('offers terminals and gateways to sign in with where there is a port for that', async () => {
    const agent = new MemoryAgent();
    const unused = (): Promise<never> => Promise.reject(new Error('unused'));
    const ports: ClientPorts = { signIn: { run: unused, ask: unused, forget: unused } };
    const options = { clientVersion: '1', log: () => {} };
    const opening = AgentConnection.open(agent.link, ports, options, new AbortController().signal);
    await until(() => agent.received.length > 0);
    const { clientCapabilities } = agent.received[0]?.['params'] as { clientCapabilities: Record<string, object> };
    assert.deepEqual(clientCapabilities['auth'], { terminal: true, _meta: { gateway: true } });
    assert.deepEqual(clientCapabilities['_meta'], {
      terminal_output: true,
      terminal_output_delta: true,
      'terminal-auth': true,
    });
    await agent.initialize();
    await opening;
  });

  for (const version of ['1', 2, 0, 1.5, null, undefined, {}]) {
    it(`refuses an answer with version ${JSON.stringify(version)}`, async () => {
      const agent = new MemoryAgent();
      const options = { clientVersion: '1', log: () => {} };
      const opening = AgentConnection.open(agent.link, {}, options, new AbortController().signal);
      await agent.reply('initialize', { protocolVersion: version });
      await assert.rejects(
        opening,
        (error: unknown) => error instanceof ExpectedError && error.code === 'protocolVersion',
      );
    });
  }

  it('tells the error of an agent that refuses', async () => {
    const agent = new MemoryAgent();
    const options = { clientVersion: '1', log: () => {} };
    const opening = AgentConnection.open(agent.link, {}, options, new AbortController().signal);
    const { id } = await agent.next('initialize');
    agent.say({ jsonrpc: '2.0', id, error: { code: -32022, message: 'No such version', data: { supported: [2] } } });
    await assert.rejects(opening, /No such version/);
  });

  it('ends with the reason of its signal, and with the end of the link', async () => {
    const options = { clientVersion: '1', log: () => {} };
    const stop = new AbortController();
    const stopped = AgentConnection.open(new MemoryAgent().link, {}, options, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(stopped, /enough/);

    const agent = new MemoryAgent();
    const dying = AgentConnection.open(agent.link, {}, options, new AbortController().signal);
    agent.die();
    await assert.rejects(
      dying,
      (error: unknown) => error instanceof ConnectionEnded && /exit code 7/.test(error.message),
    );
  });
});

describe('order', () => {
  it('delivers every update ahead of a response before the response, and later ones after it', async () => {
    const opened = await open();
    const order: string[] = [];
    const sink = new RecordingSink();
    sink.update = update => order.push(update.type === 'agentChunk' ? 'chunk' : update.type);
    await openSession(opened, sink);
    const turn = opened.connection.prompt('s1', textPrompt('x')).then(({ stopReason }) => order.push(stopReason));
    const { id } = await opened.agent.next('session/prompt');
    opened.agent.say(
      chunkOf('1'),
      updateOf({ sessionUpdate: 'weather' }),
      chunkOf('2'),
      { jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } },
      updateOf({ sessionUpdate: 'plan', entries: [] }),
      chunkOf('3'),
    );
    await turn;
    await until(() => order.length === 6);
    assert.deepEqual(order, ['chunk', 'unknown', 'chunk', 'end_turn', 'plan', 'chunk']);
  });

  it('asks about permission after the updates that came before the question', async () => {
    const opened = await open();
    const order: string[] = [];
    const sink = new RecordingSink(yes);
    sink.update = () => order.push('update');
    const ask = sink.requestPermission.bind(sink);
    sink.requestPermission = (request, signal) => {
      order.push('question');
      return ask(request, signal);
    };
    await openSession(opened, sink);
    opened.agent.say(chunkOf('1'), question(9), chunkOf('2'));
    await opened.agent.answerTo(9);
    assert.deepEqual(order, ['update', 'question', 'update']);
  });

  it('holds what comes for a session before its id is known', async () => {
    const opened = await open();
    const sink = new RecordingSink(yes);
    const session = opened.connection.newSession({ cwd: '/w' }, sink, new AbortController().signal);
    const { id } = await opened.agent.next('session/new');
    const commands = { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'web' }] };
    opened.agent.say(updateOf(commands), chunkOf('other', 'stranger'), question(5), question(6, 'stranger'), {
      jsonrpc: '2.0',
      id,
      result: { sessionId: 's1' },
    });
    await session;
    assert.deepEqual(
      sink.updates.map(update => update.type),
      ['commands'],
    );
    assert.deepEqual((await opened.agent.answerTo(5))['result'], { outcome: { outcome: 'selected', optionId: 'yes' } });
    assert.equal(codeOf(await opened.agent.answerTo(6)), -32602);
  });

  it('answers what was held when no session comes of it', async () => {
    const opened = await open();
    const session = opened.connection.newSession({ cwd: '/w' }, new RecordingSink(yes), new AbortController().signal);
    const { id } = await opened.agent.next('session/new');
    opened.agent.say(question(5), { jsonrpc: '2.0', id, error: { code: -32000, message: 'Sign in first' } });
    await assert.rejects(session, (error: unknown) => error instanceof RequestFailed && error.code === -32000);
    assert.equal(codeOf(await opened.agent.answerTo(5)), -32602);
  });

  it('delivers the whole replay of a loaded session before it counts as loaded', async () => {
    const opened = await open(everything);
    const sink = new RecordingSink();
    const loading = opened.connection.loadSession({ sessionId: 'old', cwd: '/w' }, sink, new AbortController().signal);
    const { id } = await opened.agent.next('session/load');
    const replay = Array.from({ length: 5000 }, (_, index) => chunkOf(`${index} `, 'old'));
    opened.agent.say(...replay, { jsonrpc: '2.0', id, result: null });
    assert.deepEqual(await loading, { sessionId: 'old' });
    assert.equal(sink.updates.length, 5000);
  });

  it('shows updates while no turn runs, and keeps several sessions apart', async () => {
    const opened = await open();
    const [first, second] = [new RecordingSink(), new RecordingSink()];
    await openSession(opened, first);
    await openSession(opened, second, { sessionId: 's2' });
    opened.agent.say(chunkOf('one'), chunkOf('two', 's2'), chunkOf('!'));
    await until(() => first.text === 'one!');
    assert.equal(second.text, 'two');
  });

  it('goes on when a sink throws', async () => {
    const opened = await open();
    const sink = new RecordingSink();
    let count = 0;
    sink.update = () => {
      count += 1;
      throw new Error('broken');
    };
    await openSession(opened, sink);
    opened.agent.say(chunkOf('a'), chunkOf('b'));
    await until(() => count === 2);
    assert.match(opened.log.join('\n'), /broken/);
  });
});

describe('a message that is nested deeper than anything can follow', () => {
  const nested = (levels: number): unknown => JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels));

  it('keeps all but its depths, and loses nothing else', async () => {
    const traffic = new TrafficLog();
    const opened = await open({}, {}, record => traffic.add(record));
    const sink = new RecordingSink(yes);
    await openSession(opened, sink);
    const { agent } = opened;
    agent.say(
      updateOf({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', rawInput: nested(20_000) }),
      updateOf({ sessionUpdate: 'new_kind', value: nested(20_000) }),
      { ...question(7), params: { ...question(7).params, toolCall: { toolCallId: 't', rawInput: nested(20_000) } } },
      { jsonrpc: '2.0', id: 8, method: 'x/y', params: nested(20_000) },
      chunkOf('after'),
    );
    await agent.answerTo(7);
    await agent.answerTo(8);
    await until(() => sink.text === 'after');
    assert.match(JSON.stringify(sink.updates[0]), /"title":"T","rawInput":\[\{"a":\[\{.*…/);
    assert.match(JSON.stringify(sink.updates[1]), /new_kind.*…/);
    assert.match(traffic.toJsonl(), /new_kind/);
  });

  it('is kept whole up to a depth that is plenty', async () => {
    const opened = await open();
    const sink = new RecordingSink();
    await openSession(opened, sink);
    opened.agent.say(updateOf({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', rawInput: nested(50) }));
    await until(() => sink.updates.length === 1);
    assert.deepEqual(sink.updates, [
      { type: 'toolCall', isNew: true, call: { toolCallId: 't', title: 'T', rawInput: nested(50) } },
    ]);
  });
});

describe('a watcher of the traffic that throws', () => {
  it('changes nothing', async () => {
    const opened = await open({}, {}, () => {
      throw new Error('broken watcher');
    });
    const sink = new RecordingSink();
    await openSession(opened, sink);
    opened.agent.say(chunkOf('a'));
    await until(() => sink.text === 'a');
    assert.match(opened.log.join('\n'), /broken watcher/);
  });
});

describe('questions', () => {
  it('gives back only what was offered', async () => {
    for (const optionId of ['yes', 'else', '']) {
      const opened = await open();
      await openSession(opened, new RecordingSink(() => Promise.resolve({ outcome: 'selected', optionId })));
      opened.agent.say(question('q'));
      const outcome = optionId === 'yes' ? { outcome: 'selected', optionId } : { outcome: 'cancelled' };
      assert.deepEqual(await opened.agent.answerTo('q'), { jsonrpc: '2.0', id: 'q', result: { outcome } });
    }
  });

  it('is never allowed by a sink that fails', async () => {
    for (const fail of [
      () => Promise.reject(new Error('x')),
      () => {
        throw new Error('x');
      },
    ]) {
      const opened = await open();
      await openSession(opened, new RecordingSink(fail));
      opened.agent.say(question(1));
      assert.deepEqual((await opened.agent.answerTo(1))['result'], { outcome: { outcome: 'cancelled' } });
    }
  });

  it('can be answered in any order, also about one call', async () => {
    const opened = await open();
    const answers: ((optionId: string) => void)[] = [];
    const sink = new RecordingSink(
      () => new Promise(resolve => answers.push(optionId => resolve({ outcome: 'selected', optionId }))),
    );
    await openSession(opened, sink);
    opened.agent.say(question(1), question(2), question('1'));
    await until(() => answers.length === 3);
    answers[2]?.('no');
    answers[0]?.('yes');
    answers[1]?.('no');
    const optionOf = async (id: unknown) => (await opened.agent.answerTo(id))['result'];
    assert.deepEqual(await optionOf('1'), { outcome: { outcome: 'selected', optionId: 'no' } });
    assert.deepEqual(await optionOf(1), { outcome: { outcome: 'selected', optionId: 'yes' } });
    assert.deepEqual(await optionOf(2), { outcome: { outcome: 'selected', optionId: 'no' } });
  });

  it('is withdrawn by $/cancel_request, and answered so', async () => {
    const opened = await open();
    const sink = new RecordingSink();
    await openSession(opened, sink);
    opened.agent.say(question(1), question(2));
    await until(() => sink.questions.length === 2);
    opened.agent.say(cancelRequest(1), cancelRequest(77), cancelRequest(null), cancelRequest({}));
    assert.equal(codeOf(await opened.agent.answerTo(1)), -32800);
    assert.deepEqual(
      sink.questions.map(({ signal }) => signal.aborted),
      [true, false],
    );
    assert.equal(opened.agent.received.filter(message => message['id'] === 1).length, 1);
  });

  it('refuses an id that is still open, and takes it again afterwards', async () => {
    const opened = await open();
    const answers: (() => void)[] = [];
    const sink = new RecordingSink(
      () => new Promise(resolve => answers.push(() => resolve({ outcome: 'selected', optionId: 'yes' }))),
    );
    await openSession(opened, sink);
    opened.agent.say(question(1), question(1));
    assert.equal(codeOf(await opened.agent.answerTo(1)), -32600);
    assert.equal(sink.questions.length, 1);
    answers[0]?.();
    await until(() => opened.agent.received.length === 2);
    assert.ok('result' in (opened.agent.received[1] ?? {}));
    opened.agent.say(question(1));
    await until(() => sink.questions.length === 2);
  });

  it('is cancelled by Stop, also when it comes after it, until the turn has ended', async () => {
    const opened = await open();
    const sink = new RecordingSink();
    await openSession(opened, sink);
    const turn = opened.connection.prompt('s1', textPrompt('x'));
    opened.agent.say(question(1));
    await until(() => sink.questions.length === 1);
    opened.connection.cancel('s1');
    opened.connection.cancel('s1');
    opened.agent.say(question(2));
    const cancelled = { outcome: { outcome: 'cancelled' } };
    assert.deepEqual((await opened.agent.answerTo(1))['result'], cancelled);
    assert.deepEqual((await opened.agent.answerTo(2))['result'], cancelled);
    assert.equal(sink.questions.length, 1);
    await opened.agent.reply('session/prompt', { stopReason: 'cancelled' });
    await turn;
    assert.equal(opened.agent.received.filter(({ method }) => method === 'session/cancel').length, 1);
    opened.agent.say(question(3));
    await until(() => sink.questions.length === 2);
  });

  it('lets go when the agent dies', async () => {
    const opened = await open();
    const sink = new RecordingSink();
    await openSession(opened, sink);
    opened.agent.say(question(1));
    await until(() => sink.questions.length === 1);
    opened.agent.die();
    await until(() => sink.questions[0]?.signal.aborted === true);
  });

  it('works with no options at all', async () => {
    const opened = await open();
    await openSession(opened, new RecordingSink(yes));
    const empty = question(1);
    opened.agent.say({ ...empty, params: { ...empty.params, options: [] } });
    assert.deepEqual((await opened.agent.answerTo(1))['result'], { outcome: { outcome: 'cancelled' } });
  });
});

describe('requests of the agent', () => {
  const request = (id: unknown, method: string, params: object) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { sessionId: 's1', path: '/w/a', ...params },
  });

  it('refuses those that are not known, with the very same id, and passes over notifications', async () => {
    const { agent } = await open();
    for (const id of [95, 'str-1', 0, -1]) {
      agent.say(request(id, '_vendor/x', {}));
      assert.equal(codeOf(await agent.answerTo(id)), -32601);
    }
    agent.say(request(96, 'terminal/create', {}), { jsonrpc: '2.0', method: '_vendor/note' });
    agent.say({ jsonrpc: '2.0', method: 'vendor/note', params: 4 }, request(97, 'elicitation/create', {}));
    assert.equal(codeOf(await agent.answerTo(96)), -32601);
    assert.equal(codeOf(await agent.answerTo(97)), -32601);
    assert.equal(agent.received.length, 6);
  });

  it('reads files, with lines that make sense', async () => {
    const asked: unknown[] = [];
    const read = (cwd: string, wanted: unknown) => {
      asked.push([cwd, wanted]);
      return Promise.resolve('text');
    };
    const opened = await open({}, filePorts({ read }));
    await openSession(opened, new RecordingSink());
    opened.agent.say(
      request(1, 'fs/read_text_file', { line: null, limit: null }),
      request(2, 'fs/read_text_file', { line: 0, limit: 5 }),
      request(3, 'fs/read_text_file', { line: -2, limit: -1 }),
      request(4, 'fs/read_text_file', { line: 3, limit: 0 }),
    );
    for (const id of [1, 2, 3, 4]) {
      assert.deepEqual((await opened.agent.answerTo(id))['result'], { content: 'text' });
    }
    assert.deepEqual(asked, [
      ['/w', { path: '/w/a' }],
      ['/w', { path: '/w/a', limit: 5 }],
      ['/w', { path: '/w/a' }],
      ['/w', { path: '/w/a', line: 3, limit: 0 }],
    ]);
  });

  it('tells agents what they look for when a file is missing, and why one is refused', async () => {
    const kinds = { 1: 'notFound', 2: 'refused', 3: 'failed' } as const;
    let next: keyof typeof kinds = 1;
    const read = () => Promise.reject(new FileError(kinds[next], 'outside the workspace'));
    const opened = await open({}, filePorts({ read }));
    await openSession(opened, new RecordingSink());
    const errors: unknown[] = [];
    for (next of [1, 2, 3] as const) {
      opened.agent.say(request(next, 'fs/read_text_file', {}));
      errors.push((await opened.agent.answerTo(next))['error']);
    }
    assert.deepEqual(
      errors.map(error => [(error as { code: number }).code, (error as Error).message]),
      [
        [-32002, 'Resource not found: /w/a'],
        [-32602, 'Invalid params: outside the workspace'],
        [-32603, 'Internal error: outside the workspace'],
      ],
    );
  });

  it('tells nothing of ours when a handler breaks', async () => {
    const read = () => Promise.reject(new Error('broken at /home/me/secret.ts'));
    const opened = await open({}, filePorts({ read }));
    await openSession(opened, new RecordingSink());
    opened.agent.say(request(1, 'fs/read_text_file', {}));
    const answer = JSON.stringify(await opened.agent.answerTo(1));
    assert.ok(answer.includes('-32603') && !answer.includes('secret') && !answer.includes('.ts:'), answer);
    assert.match(opened.log.join('\n'), /secret/);
  });

  it('writes files and tells the session what was there before', async () => {
    const write = () => Promise.resolve({ before: 'old' });
    const opened = await open({}, filePorts({ write }));
    const sink = new RecordingSink();
    await openSession(opened, sink);
    opened.agent.say(request(1, 'fs/write_text_file', { content: 'new' }), request(2, 'fs/write_text_file', {}));
    assert.deepEqual((await opened.agent.answerTo(1))['result'], {});
    assert.equal(codeOf(await opened.agent.answerTo(2)), -32602);
    assert.deepEqual(sink.writes, [{ path: '/w/a', before: 'old', after: 'new' }]);
  });

  it('refuses files of unknown sessions and without a path', async () => {
    const opened = await open({}, filePorts({}));
    await openSession(opened, new RecordingSink());
    opened.agent.say(
      request(1, 'fs/read_text_file', { sessionId: 'x' }),
      request(2, 'fs/read_text_file', { path: '' }),
    );
    assert.equal(codeOf(await opened.agent.answerTo(1)), -32602);
    assert.equal(codeOf(await opened.agent.answerTo(2)), -32602);
  });

  it('ends a file request that is withdrawn', async () => {
    let aborted = false;
    const read = (_: string, __: unknown, signal: AbortSignal) =>
      new Promise<string>(() => signal.addEventListener('abort', () => (aborted = true)));
    const opened = await open({}, filePorts({ read }));
    await openSession(opened, new RecordingSink());
    opened.agent.say(request(1, 'fs/read_text_file', {}));
    await new Promise(resolve => setTimeout(resolve, 20));
    opened.agent.say(cancelRequest(1));
    assert.equal(codeOf(await opened.agent.answerTo(1)), -32800);
    assert.ok(aborted);
  });
});

describe('answers of the agent', () => {
  const repaired: [what: string, answer: (id: unknown) => object][] = [
    [
      'an error that is null beside the result',
      id => ({ jsonrpc: '2.0', id, result: { stopReason: 'x' }, error: null }),
    ],
    ['no version of JSON-RPC', id => ({ id, result: { stopReason: 'x' } })],
    ['the id as a string', id => ({ jsonrpc: '2.0', id: String(id), result: { stopReason: 'x' } })],
  ];
  for (const [what, answer] of repaired) {
    it(`understands one with ${what}`, async () => {
      const opened = await open();
      await openSession(opened, new RecordingSink());
      const turn = opened.connection.prompt('s1', textPrompt('x'));
      const { id } = await opened.agent.next('session/prompt');
      opened.agent.say(answer(id));
      assert.deepEqual(await turn, { stopReason: 'x' });
    });
  }

  const failures: [what: string, error: unknown, code: number, message: string][] = [
    ['code, text and data', { code: -32603, message: 'm', data: { d: 1 } }, -32603, 'm'],
    ['a code of its own', { code: 429, message: '{"error":{}}' }, 429, '{"error":{}}'],
    ['a code that is no number', { code: 'E_FAIL', message: 'm' }, -32603, 'm'],
    ['text only', 'plain', -32603, 'plain'],
  ];
  for (const [what, error, code, message] of failures) {
    it(`tells an error with ${what}, and the session goes on`, async () => {
      const opened = await open();
      await openSession(opened, new RecordingSink());
      const turn = opened.connection.prompt('s1', textPrompt('x'));
      const { id } = await opened.agent.next('session/prompt');
      opened.agent.say({ jsonrpc: '2.0', id, result: null, error });
      await assert.rejects(turn, (thrown: unknown) => {
        assert.ok(thrown instanceof RequestFailed);
        assert.deepEqual([thrown.code, thrown.message], [code, message]);
        assert.deepEqual(thrown.data, typeof error === 'object' ? (error as { data?: unknown }).data : undefined);
        return true;
      });
      const again = opened.connection.prompt('s1', textPrompt('y'));
      await opened.agent.reply('session/prompt', { stopReason: 'end_turn' });
      assert.deepEqual(await again, { stopReason: 'end_turn' });
    });
  }

  for (const result of [null, {}, 7, { sessionId: null }, { sessionId: '' }]) {
    it(`gives a readable error for ${JSON.stringify(result)} in place of a session`, async () => {
      const opened = await open();
      const session = opened.connection.newSession({ cwd: '/w' }, new RecordingSink(), new AbortController().signal);
      await opened.agent.reply('session/new', result);
      await assert.rejects(session, /opened a session without an id/);
    });
  }

  for (const result of [null, {}, { stopReason: 5 }, 'done']) {
    it(`ends the turn with ${JSON.stringify(result)} in place of a reason`, async () => {
      const opened = await open();
      await openSession(opened, new RecordingSink());
      const turn = opened.connection.prompt('s1', textPrompt('x'));
      await opened.agent.reply('session/prompt', result);
      assert.deepEqual(await turn, { stopReason: 'unknown' });
    });
  }

  it('passes over answers to nothing and objects that are no messages, without a word to the agent', async () => {
    const opened = await open();
    await openSession(opened, new RecordingSink());
    const before = opened.agent.received.length;
    opened.agent.say(
      { jsonrpc: '2.0', id: 99, result: {} },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      { level: 'info', msg: 'hello' },
      { jsonrpc: '2.0' },
      { id: 5 },
      { jsonrpc: '2.0', method: 'session/update' },
      { jsonrpc: '2.0', method: 'session/update', params: { update: {} } },
      [1, 2],
      chunkOf('still here'),
    );
    const turn = opened.connection.prompt('s1', textPrompt('x'));
    await opened.agent.reply('session/prompt', { stopReason: 'end_turn' });
    await turn;
    assert.equal(opened.agent.received.length, before);
  });

  it('answers a request whose id cannot be one', async () => {
    const { agent } = await open();
    agent.say({ jsonrpc: '2.0', id: { a: 1 }, method: 'x' });
    assert.deepEqual(Object.keys(await agent.answerTo(null)), ['jsonrpc', 'id', 'error']);
  });

  it('understands requests and updates without the version of JSON-RPC', async () => {
    const opened = await open({}, filePorts({ read: () => Promise.resolve('text') }));
    const sink = new RecordingSink(yes);
    await openSession(opened, sink);
    opened.agent.say({ method: 'session/update', params: (chunkOf('a') as { params: object }).params });
    opened.agent.say({ id: 1, method: 'fs/read_text_file', params: { sessionId: 's1', path: '/a' } });
    assert.deepEqual((await opened.agent.answerTo(1))['result'], { content: 'text' });
    assert.equal(sink.text, 'a');
  });
});

describe('what is not offered is not sent', () => {
  const folder = { cwd: '/w', additionalDirectories: ['/x'] };
  const content: ContentBlock[] = [
    { type: 'text', text: 't' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'image', data: 'AA==', mimeType: 'image/png', uri: 'file:///p.png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource', uri: 'file:///w/a%20b.ts', text: 'x' },
    { type: 'resourceLink', uri: 'file:///w/c', name: 'c' },
  ];

  async function sentBy(capabilities: object, opening: object): Promise<string> {
    const opened = await open(capabilities);
    const { agent, connection } = opened;
    const signal = new AbortController().signal;
    const sink = new RecordingSink();
    const seen: unknown[] = [];
    const session = connection.newSession(folder, sink, signal);
    const { id, ...created } = await agent.next('session/new');
    seen.push(created);
    agent.say({ jsonrpc: '2.0', id, result: { sessionId: 's1', ...opening } });
    await session;
    const answered = [
      connection.setMode('s1', 'a'),
      connection.setConfigOption('s1', 'b', true),
      connection.prompt('s1', content),
      connection.loadSession({ sessionId: 's2', ...folder }, sink, signal),
      connection.resumeSession({ sessionId: 's3', ...folder }, sink, signal),
      connection.closeSession('s1'),
    ];
    for (const request of answered) request.catch(() => {});
    await until(() => agent.received.some(({ method }) => method === 'session/prompt'));
    seen.push(...agent.received);
    agent.die();
    await Promise.allSettled(answered);
    return JSON.stringify(seen);
  }

  const gated = [
    '"additionalDirectories"',
    '"session/set_mode"',
    '"session/set_config_option"',
    '"session/load"',
    '"session/resume"',
    '"session/close"',
    '"type":"image"',
    '"type":"audio"',
    '"type":"resource"',
  ];

  it('with an agent that offers nothing', async () => {
    const sent = await sentBy({ agentCapabilities: null }, {});
    for (const piece of gated) assert.ok(!sent.includes(piece), `${piece} in ${sent}`);
    for (const piece of ['"mcpServers":[]', '"name":"a%20b.ts"', '"name":"p.png"'])
      assert.ok(sent.includes(piece), sent);
  });

  it('and is sent to an agent that offers it', async () => {
    const sent = (await sentBy(everything, offered)) + (await sentBy(everything, modes));
    for (const piece of gated) assert.ok(sent.includes(piece), `${piece} not in ${sent}`);
    assert.ok(sent.includes('"type":"boolean","value":true'));
  });

  it('says so when an earlier session cannot be opened', async () => {
    const { connection } = await open();
    const signal = new AbortController().signal;
    await assert.rejects(
      connection.loadSession({ sessionId: 's', cwd: '/w' }, new RecordingSink(), signal),
      (error: unknown) => error instanceof ExpectedError && error.code === 'unsupported',
    );
  });
});

describe('options', () => {
  it('gives the list that the agent answers with, and none when it has none', async () => {
    const opened = await open();
    await openSession(opened, new RecordingSink(), offered);
    const change = opened.connection.setConfigOption('s1', 'b', true);
    await opened.agent.reply('session/set_config_option', { configOptions: [] });
    assert.deepEqual(await change, []);
    const other = opened.connection.setConfigOption('s1', 'b', false);
    await opened.agent.reply('session/set_config_option', {});
    assert.equal(await other, undefined);
  });
});

describe('the end', () => {
  it('settles everything that waits when the agent dies', async () => {
    const opened = await open(everything);
    await openSession(opened, new RecordingSink(), offered);
    const { connection, agent } = opened;
    const signal = new AbortController().signal;
    const waiting = [
      connection.prompt('s1', textPrompt('x')),
      connection.setConfigOption('s1', 'b', true),
      connection.newSession({ cwd: '/w' }, new RecordingSink(), signal),
      connection.resumeSession({ sessionId: 's2', cwd: '/w' }, new RecordingSink(), signal),
    ];
    await agent.next('session/resume');
    agent.die();
    for (const request of waiting) {
      await assert.rejects(
        request,
        (error: unknown) => error instanceof ConnectionEnded && /code 7/.test(error.message),
      );
    }
    await assert.rejects(connection.newSession({ cwd: '/w' }, new RecordingSink(), signal), ConnectionEnded);
  });

  it('settles what waits in a session that is closed, and leaves the others', async () => {
    const opened = await open(everything);
    const [first, second] = [new RecordingSink(), new RecordingSink()];
    await openSession(opened, first);
    await openSession(opened, second, { sessionId: 's2' });
    const turn = opened.connection.prompt('s1', textPrompt('x'));
    const other = opened.connection.prompt('s2', textPrompt('y'));
    opened.agent.say(question(1));
    await until(() => first.questions.length === 1);
    const closing = opened.connection.closeSession('s1');
    await assert.rejects(turn, ConnectionEnded);
    assert.deepEqual((await opened.agent.answerTo(1))['result'], { outcome: { outcome: 'cancelled' } });
    await opened.agent.next('session/prompt');
    await opened.agent.reply('session/prompt', { stopReason: 'end_turn' }, chunkOf('late'), chunkOf('b', 's2'));
    assert.deepEqual(await other, { stopReason: 'end_turn' });
    await opened.agent.reply('session/close', {});
    await closing;
    await until(() => second.text === 'b');
    assert.equal(first.text, '');
    await assert.rejects(opened.connection.prompt('s1', textPrompt('z')), ConnectionEnded);
  });

  it('stops waiting for a session when the user does, and tells the agent', async () => {
    const { agent, connection } = await open();
    const stop = new AbortController();
    const session = connection.newSession({ cwd: '/w' }, new RecordingSink(), stop.signal);
    const { id } = await agent.next('session/new');
    stop.abort(new Error('enough'));
    await assert.rejects(session, /enough/);
    assert.deepEqual((await agent.next('$/cancel_request'))['params'], { requestId: id });
  });

  it('cancels nothing when no turn runs', async () => {
    const opened = await open();
    await openSession(opened, new RecordingSink());
    opened.connection.cancel('s1');
    opened.connection.cancel('unknown');
    const turn = opened.connection.prompt('s1', textPrompt('x'));
    await opened.agent.reply('session/prompt', { stopReason: 'end_turn' });
    await turn;
    assert.ok(!opened.agent.received.some(({ method }) => method === 'session/cancel'));
  });

  it('closes sessions and the link', async () => {
    const opened = await open(everything);
    await openSession(opened, new RecordingSink());
    await opened.connection.dispose();
    assert.ok(opened.agent.received.some(({ method }) => method === 'session/close'));
    assert.equal((await opened.connection.ended).reason, 'closed');
  });
});

function cancelRequest(requestId: unknown): object {
  return { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } };
}

function codeOf(answer: Record<string, unknown>): unknown {
  return (answer['error'] as { code?: unknown } | undefined)?.code;
}
