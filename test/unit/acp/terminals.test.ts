import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentConnection } from '../../../src/acp/connection';
import { asObject, type JsonObject } from '../../../src/base/json';
import { Terminals } from '../../../src/node/terminals';
import { cleanUp, isAlive, RecordingSink, temporaryFolder, until } from '../../fakes/agents';
import { MemoryAgent } from '../../fakes/memoryLink';

/** An agent in a session, and what it may ask about terminals that run for real. */
class Scene {
  readonly agent = new MemoryAgent();
  readonly sink = new RecordingSink();
  readonly folder = temporaryFolder();
  private id = 1000;
  private opened: AgentConnection | undefined;

  get connection(): AgentConnection {
    assert.ok(this.opened);
    return this.opened;
  }

  async open(env: NodeJS.ProcessEnv = process.env): Promise<this> {
    const terminals = new Terminals(process.platform, () => []);
    const port = {
      create: (cwd: string, request: Parameters<Terminals['create']>[1]) => terminals.create(cwd, request, env),
    };
    const { signal } = new AbortController();
    const options = { clientVersion: '1', log: () => {} };
    const opening = AgentConnection.open(this.agent.link, { terminals: port }, options, signal);
    const { id, params } = await this.agent.next('initialize');
    assert.equal(asObject(asObject(params)?.['clientCapabilities'])?.['terminal'], true);
    this.agent.say({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } },
    });
    this.opened = await opening;
    await this.session('s1');
    connections.push(this.opened);
    return this;
  }

  async session(sessionId: string): Promise<void> {
    const opening = this.connection.newSession({ cwd: this.folder }, this.sink, new AbortController().signal);
    await this.agent.reply('session/new', { sessionId });
    await opening;
  }

  /** The client's answer. */
  async ask(method: string, params: object): Promise<{ result?: JsonObject; code?: unknown; message?: string }> {
    const id = ++this.id;
    this.agent.say({ jsonrpc: '2.0', id, method: `terminal/${method}`, params: { sessionId: 's1', ...params } });
    const { result, error } = await this.agent.answerTo(id);
    if (error === undefined) return { result: result as JsonObject };
    const { code, message } = error as { code: number; message: string };
    return { code, message };
  }

  async create(command: string, more: object = {}): Promise<string> {
    const { result, message } = await this.ask('create', { command, ...more });
    assert.ok(result, message);
    return String(result['terminalId']);
  }

  async exit(terminalId: string): Promise<JsonObject | undefined> {
    return (await this.ask('wait_for_exit', { terminalId })).result;
  }

  async output(terminalId: string): Promise<JsonObject | undefined> {
    return (await this.ask('output', { terminalId })).result;
  }

  /** Runs a command to its end. */
  async run(command: string, more: object = {}): Promise<JsonObject> {
    const id = await this.create(command, more);
    await this.exit(id);
    return { ...(await this.output(id)) };
  }

  /** Starts a command that tells the ids of its processes, and goes on. */
  async start(script: string, count: number): Promise<{ id: string; pids: number[] }> {
    const id = await this.create('/bin/sh', { args: ['-c', script] });
    let pids: number[] = [];
    for (const end = Date.now() + 20_000; pids.length < count && Date.now() < end;) {
      pids = String((await this.output(id))?.['output'])
        .split('\n')
        .filter(Boolean)
        .map(Number);
    }
    assert.equal(pids.length, count);
    return { id, pids };
  }
}

const connections: AgentConnection[] = [];
const exited = (exitCode: number | null, signal: string | null = null) => ({ exitCode, signal });
const stubborn = `(trap '' TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done') & echo $$; wait`;

describe('terminals', function () {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map(connection => connection.dispose()));
    await cleanUp();
  });

  it('answer before the command ends, and give its output meanwhile', async () => {
    const scene = await new Scene().open();
    const id = await scene.create('echo first; read -r line; sleep 60');
    await until(() => scene.sink.terminals[0]?.output().output === 'first\n');
    assert.deepEqual(await scene.output(id), { output: 'first\n', truncated: false });
  });

  it('tell at once that a program does not start, or its shell does', async () => {
    const scene = await new Scene().open();
    const { code, message } = await scene.ask('create', { command: 'no-such-program', args: ['x'] });
    assert.equal(code, -32602);
    assert.match(message ?? '', /ENOENT/);
    const { output, exitStatus } = await scene.run('no-such-program | cat; no-such-program');
    assert.match(String(output), /not found/);
    assert.deepEqual(exitStatus, exited(127));
  });

  it('run a line through the shell, and a program with its arguments as they are', async () => {
    const scene = await new Scene().open();
    const line = await scene.run("echo 'a b' | tr a-z A-Z && exit 3");
    assert.deepEqual(line, { output: 'A B\n', truncated: false, exitStatus: exited(3) });
    mkdirSync(join(scene.folder, 'my tool'));
    const program = join(scene.folder, 'my tool', 'run it');
    writeFileSync(program, '#!/bin/sh\nprintf "<%s>" "$#" "$@"\n');
    chmodSync(program, 0o755);
    assert.equal((await scene.run(program, { args: ['x y', '$HOME', ''] }))['output'], '<3><x y><$HOME><>');
    assert.equal((await scene.run(program))['output'], '<0>');
    assert.equal((await scene.run(program, { args: [] }))['output'], '<0>');
  });

  it('cut the output from the beginning, at a character', async () => {
    const scene = await new Scene().open();
    const limited = async (outputByteLimit: number) => {
      const { output, truncated } = await scene.run('printf %s ééééé12', { outputByteLimit });
      return [output, truncated];
    };
    assert.deepEqual(await limited(5), ['é12', true]);
    assert.deepEqual(await limited(0), ['', true]);
    assert.deepEqual(await limited(1), ['2', true]);
    assert.deepEqual(await limited(12), ['ééééé12', false]);
  });

  for (const outputByteLimit of [undefined, 9e15]) {
    it(`stream 100 MB with flat memory, limit ${outputByteLimit}`, async function () {
      this.timeout(60_000);
      const scene = await new Scene().open();
      const before = process.memoryUsage().rss;
      const { output, truncated, exitStatus } = await scene.run('yes 0123456789 | head -c 100000000; printf end', {
        ...(outputByteLimit === undefined ? {} : { outputByteLimit }),
      });
      assert.ok(String(output).endsWith('end'));
      assert.ok(String(output).length <= 4 * 1024 * 1024);
      assert.equal(truncated, true);
      assert.deepEqual(exitStatus, exited(0));
      assert.ok(process.memoryUsage().rss - before < 80_000_000, 'memory stays flat');
    });
  }

  it('share what they may keep', async () => {
    const scene = await new Scene().open();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => scene.create('yes | head -c 5000000', { args: [] })),
    );
    await Promise.all(ids.map(id => scene.exit(id)));
    const sizes = scene.sink.terminals.map(terminal => terminal.output().output.length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 64 * 1024 * 1024);
    assert.ok(Math.min(...sizes) > 3_000_000);
  });

  it('keep both outputs in the order of arrival', async () => {
    const scene = await new Scene().open();
    const line = 'for i in 1 2 3; do echo out$i; sleep 0.1; echo err$i >&2; sleep 0.1; done';
    assert.equal((await scene.run(line))['output'], 'out1\nerr1\nout2\nerr2\nout3\nerr3\n');
  });

  it('tell code or signal exactly, to everyone who waits, before and after the end', async () => {
    const scene = await new Scene().open();
    for (const [line, exit] of [
      ['exit 7', exited(7)],
      ['true', exited(0)],
      ['kill -9 $$', exited(null, 'SIGKILL')],
    ] as const) {
      const id = await scene.create(line);
      assert.deepEqual(await Promise.all([scene.exit(id), scene.exit(id), scene.exit(id)]), [exit, exit, exit]);
      assert.deepEqual(await scene.exit(id), exit);
      assert.deepEqual(await scene.output(id), { output: '', truncated: false, exitStatus: exit });
    }
  });

  it('stay readable when killed, and are gone when released', async () => {
    const scene = await new Scene().open();
    const { id, pids } = await scene.start('echo $$; exec sleep 300', 1);
    const waiting = [scene.exit(id), scene.exit(id)];
    assert.deepEqual(await scene.ask('kill', { terminalId: id }), { result: {} });
    assert.ok(!isAlive(pids[0] ?? 0));
    const ended = exited(null, 'SIGTERM');
    assert.deepEqual(await Promise.all(waiting), [ended, ended]);
    assert.deepEqual(await scene.output(id), { output: `${pids[0]}\n`, truncated: false, exitStatus: ended });
    assert.deepEqual(await scene.ask('kill', { terminalId: id }), { result: {} });
    assert.deepEqual(await scene.ask('release', { terminalId: id }), { result: {} });
    for (const method of ['output', 'wait_for_exit', 'kill', 'release'])
      assert.equal((await scene.ask(method, { terminalId: id })).code, -32002, method);
  });

  it('end by release with those that wait, and belong to their session', async () => {
    const scene = await new Scene().open();
    const { id, pids } = await scene.start('echo $$; exec sleep 300', 1);
    await scene.session('s2');
    for (const params of [{ sessionId: 's2', terminalId: id }, { terminalId: 'never' }, {}])
      assert.equal((await scene.ask('output', params)).code, -32002);
    assert.equal((await scene.ask('output', { sessionId: 'none', terminalId: id })).code, -32602);
    const waiting = scene.exit(id);
    assert.deepEqual(await scene.ask('release', { terminalId: id }), { result: {} });
    assert.deepEqual(await waiting, exited(null, 'SIGTERM'));
    assert.ok(!isAlive(pids[0] ?? 0));
  });

  it('end with everything below them, even what does not heed SIGTERM', async () => {
    const scene = await new Scene().open();
    const { id, pids } = await scene.start(stubborn, 2);
    assert.deepEqual(await scene.ask('kill', { terminalId: id }), { result: {} });
    assert.deepEqual(pids.filter(isAlive), []);
    const deaf = await scene.start(`trap '' TERM; echo $$; while :; do sleep 1; done`, 1);
    await scene.ask('kill', { terminalId: deaf.id });
    assert.deepEqual(await scene.exit(deaf.id), exited(null, 'SIGKILL'));
  });

  for (const [what, end] of [
    ['their session is closed', (scene: Scene) => void scene.connection.closeSession('s1').catch(() => {})],
    ['their agent dies', (scene: Scene) => scene.agent.die()],
    ['the connection is disposed', (scene: Scene) => void scene.connection.dispose()],
  ] as const) {
    it(`end when ${what}`, async () => {
      const scene = await new Scene().open();
      const { pids } = await scene.start(stubborn, 2);
      end(scene);
      await until(() => !pids.some(isAlive));
      assert.ok(await scene.sink.terminals[0]?.exited);
    });
  }

  it('are over when the connection is', async () => {
    const scene = await new Scene().open();
    const { pids } = await scene.start('echo $$; exec sleep 300', 1);
    await scene.connection.dispose();
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('start inside the workspace only', async () => {
    const scene = await new Scene().open();
    const outside = temporaryFolder();
    symlinkSync(outside, join(scene.folder, 'link'));
    mkdirSync(join(scene.folder, 'inner'));
    for (const cwd of [outside, '/', join(scene.folder, 'link'), join(scene.folder, '..'), join(scene.folder, 'none')])
      assert.equal((await scene.ask('create', { command: 'pwd', cwd })).code, -32602, cwd);
    for (const cwd of [scene.folder, join(scene.folder, 'inner')])
      assert.match(String((await scene.run('pwd', { cwd }))['output']), new RegExp(`${cwd}\n$`));
  });

  it('have no input, and nothing in them waits for a key, unless the agent wants it', async () => {
    const env = { ...process.env, PAGER: 'less', VSCODE_PID: '1', OWN: 'own' };
    const scene = await new Scene().open(env);
    const show = 'read x; echo "$x|$PAGER|$GIT_PAGER|$GIT_EDITOR|$GIT_TERMINAL_PROMPT|$OWN|$VSCODE_PID|$MORE"';
    assert.equal((await scene.run(show))['output'], '|cat|cat|true|0|own||\n');
    const wanted = [
      { name: 'PAGER', value: 'more' },
      { name: 'MORE', value: 'a b' },
    ];
    assert.equal((await scene.run(show, { env: wanted }))['output'], '|more|cat|true|0|own||a b\n');
  });

  it('keep characters whole, however they come', async () => {
    const scene = await new Scene().open();
    const line = "printf '\\303'; sleep 0.2; printf '\\251|\\377|\\303'";
    assert.equal((await scene.run(line))['output'], 'é|\ufffd|\ufffd');
  });

  it('do not wait for what a command leaves behind', async () => {
    const scene = await new Scene().open();
    const { output, exitStatus } = await scene.run('sleep 300 & echo $!');
    assert.deepEqual(exitStatus, exited(0));
    await until(() => !isAlive(Number(output)));
  });

  it('are refused in a flood, and go on', async function () {
    this.timeout(60_000);
    const scene = await new Scene().open();
    const answers = [];
    for (let count = 0; count < 33; count += 1) answers.push(await scene.ask('create', { command: 'exec sleep 300' }));
    assert.deepEqual(
      answers.flatMap(({ code }, index) => (code === undefined ? [] : [[index, code]])),
      [[32, -32602]],
    );
    await scene.ask('release', { terminalId: String(answers[0]?.result?.['terminalId']) });
    assert.equal((await scene.run('echo again'))['output'], 'again\n');
  });

  it('need a command', async () => {
    const scene = await new Scene().open();
    for (const params of [{}, { command: '' }, { command: 7 }])
      assert.equal((await scene.ask('create', params)).code, -32602);
  });
});
