import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cache, vscodePaths } from '#rig/paths.mjs';
import type { FilePort, SessionSink } from '../../src/acp/ports';
import type { PermissionOption, PermissionRequest, Update } from '../../src/chat/update';
import { connectAgent } from '../../src/connect/stdio';
import { startRealAgent, type RealAgentKind } from './agents';
import { installAgent } from './install';
import { answer, turnScript } from './script';

const before = 'const greeting = "hello";\n';
const after = 'const greeting = "Hello";\n';

/** What happens in one session, in order, in words. It answers every permission with the given kind of option. */
class Story implements SessionSink {
  readonly lines: string[] = [];
  private readonly kinds = new Map<string, string>();

  constructor(
    private readonly file: string,
    private readonly choice: string,
  ) {}

  readonly files: FilePort = {
    read: async (_cwd, request) => {
      this.lines.push('client reads');
      return readFile(request.path, 'utf8');
    },
    write: async (_cwd, file, content) => {
      this.lines.push('client writes');
      const old = await readFile(file, 'utf8');
      await writeFile(file, content);
      return { before: old };
    },
  };

  update(update: Update): void {
    if (update.type === 'agentChunk' && update.content.type === 'text') this.say(update.content.text);
    if (update.type !== 'toolCall') return;
    const { toolCallId, kind, status } = update.call;
    if (kind) this.kinds.set(toolCallId, kind);
    if (status) this.lines.push(`${this.kinds.get(toolCallId)} ${status}`);
  }

  /** Pieces of one text are one line. */
  private say(text: string): void {
    const last = this.lines.at(-1);
    if (last?.startsWith('says ')) this.lines[this.lines.length - 1] = last + text;
    else if (text !== '') this.lines.push(`says ${text}`);
  }

  async requestPermission({ call, options }: PermissionRequest): Promise<{ outcome: 'selected'; optionId: string }> {
    const untouched = readFileSync(this.file, 'utf8') === before;
    this.lines.push(`asks ${call.title}, file ${untouched ? 'untouched' : 'CHANGED'}`);
    const option = options.find(({ kind }: PermissionOption) => kind === this.choice);
    assert(option, `no ${this.choice} in ${JSON.stringify(options)}`);
    return { outcome: 'selected', optionId: option.optionId };
  }

  fileWritten(write: { before?: string; after: string }): void {
    this.lines.push(`was written: ${write.before} -> ${write.after}`);
  }

  terminalCreated(): void {}
}

interface Expected {
  start: readonly string[];
  allowed: readonly string[];
  rejected: readonly string[];
}

const saysAnswer = `says ${answer}`;

/** `qwen` goes through the client's file methods and ends its turn when it may not edit; `claude` does neither. */
const expected: Readonly<Record<RealAgentKind, Expected>> = {
  qwen: {
    start: [
      'says I read the file first.',
      'read pending',
      'read in_progress',
      'client reads',
      'read completed',
      'says Now I edit it.',
      'edit pending',
      'client reads',
      'asks greeting.js, file untouched',
    ],
    allowed: ['client reads', 'client writes', `was written: ${before} -> ${after}`, 'edit completed', saysAnswer],
    rejected: ['edit failed'],
  },
  claude: {
    start: [
      'says I read the file first.',
      'read pending',
      'read completed',
      'says Now I edit it.',
      'edit pending',
      'asks Edit greeting.js, file untouched',
    ],
    allowed: ['edit completed', saysAnswer],
    rejected: ['edit failed', saysAnswer],
  },
};

const cleanUps: (() => Promise<void>)[] = [];
/** What the agent and the model say beside the protocol: printed when a test fails. */
const diary: string[] = [];

/** One turn over our own connection: starts the agent, prompts, answers, ends it. */
async function runTurn(
  kind: RealAgentKind,
  choice: string,
): Promise<{ lines: string[]; content: string; stop: string }> {
  const workspace = await realpath(await mkdtemp(path.join(tmpdir(), 'portside-turn-')));
  cleanUps.push(() => rm(workspace, { recursive: true, force: true }));
  const file = path.join(workspace, 'greeting.js');
  await writeFile(file, before);
  const scripts = { turn: turnScript({ file, before: '"hello"', after: '"Hello"' }) };
  const agent = await startRealAgent(kind, scripts);
  cleanUps.push(async () => agent.dispose());

  const story = new Story(file, choice);
  const connection = await connectAgent(
    { agentId: kind, ...agent.setting },
    {
      cwd: workspace,
      env: { PATH: process.env['PATH'] },
      platform: process.platform,
      hostRuntime: process.execPath,
      quick: () => false,
      ports: { files: story.files },
      clientVersion: '0.0.0',
      handshakeSeconds: 60,
      log: line => diary.push(line),
      onNoise: text => diary.push(text),
      onStderr: text => diary.push(text),
    },
    AbortSignal.timeout(90_000),
  );
  cleanUps.push(() => connection.dispose());
  const { sessionId, configOptions } = await connection.newSession(
    { cwd: workspace },
    story,
    AbortSignal.timeout(60_000),
  );
  const mode = configOptions?.find(({ category }) => category === 'mode');
  assert.equal(mode?.value, 'default', 'the agent asks before it edits');
  const { stopReason } = await connection.prompt(sessionId, [
    { type: 'text', text: 'Please change the greeting. [[portside:turn]]' },
  ]);
  return { lines: story.lines, content: await readFile(file, 'utf8'), stop: stopReason };
}

for (const kind of ['qwen', 'claude'] as const) {
  describe(`real agent ${kind}`, function () {
    this.timeout(240_000);
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') console.log(diary.join('\n'));
      diary.length = 0;
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    });
    const { start, allowed, rejected } = expected[kind];

    it('reads, asks, edits and answers', async () => {
      const turn = await runTurn(kind, 'allow_once');
      assert.deepEqual(turn, { lines: [...start, ...allowed], content: after, stop: 'end_turn' });
    });

    it('leaves the file as it is when the edit is rejected', async () => {
      const turn = await runTurn(kind, 'reject_once');
      assert.deepEqual(turn, { lines: [...start, ...rejected], content: before, stop: 'end_turn' });
    });
  });
}

describe('installing a real agent', function () {
  this.timeout(120_000);

  it('fails with what npm says', async () => {
    const nowhere = { name: 'nowhere', package: '@agentclientprotocol/claude-agent-acp', version: '0.0.0-none' };
    await assert.rejects(installAgent(nowhere, vscodePaths().node, cache), /npm install .* ended with 1:[^]*npm error/);
  });
});
