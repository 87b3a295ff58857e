import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { client, type AnyMessage } from '@agentclientprotocol/sdk';
import { AgentConnection } from '../../src/acp/connection';
import { Throttle } from '../../src/base/async';
import { PatchSource } from '../../src/chat/patch';
import { projectEntry, projectHead } from '../../src/chat/project';
import { emptyConversation, reduce } from '../../src/chat/reduce';
import type { ViewState } from '../../src/chat/view';
import { chunkOf, cleanUp, openSession, RecordingSink, scripted, textPrompt, updateOf } from '../fakes/agents';
import { MemoryAgent } from '../fakes/memoryLink';
import type { Row } from './row';

const rounds = 5;
const count = 10_000;

/** What streams in a turn: mostly text, some output of tools. */
const stream: readonly object[] = Array.from({ length: count }, (_, index) => {
  if (index % 20 === 0) return updateOf({ sessionUpdate: 'usage_update', used: index, size: 200_000 });
  if (index % 10 !== 5) return chunkOf('about twenty letters');
  const content = [{ type: 'content', content: { type: 'text', text: 'x'.repeat(2000) } }];
  return updateOf({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress', content });
});

/** Updates through the tap against the SDK alone, and how long the extension host is busy at a time. */
export async function run(): Promise<Row[]> {
  const [tap, sdk]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    sdk.push(await throughSdk());
    tap.push(await throughTap());
  }
  const [ours, theirs] = [Math.min(...tap), Math.min(...sdk)];
  const micro = (ms: number): string => `${((ms * 1000) / count).toFixed(1)} µs`;
  const [blocks, floors, rates]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await longestBlock(onlyRead));
    blocks.push(await longestBlock(async () => void rates.push(await replay())));
  }
  const [block, floor] = [Math.min(...blocks), Math.min(...floors)];
  return [
    {
      name: 'session/update through the tap / through the SDK alone',
      value: `${(ours / theirs).toFixed(2)} (${micro(ours)} / ${micro(theirs)})`,
      bar: '≤ 1',
      ok: ours <= theirs,
    },
    {
      name: 'longest block of the event loop, 10,000 updates over a pipe into the conversation and its view',
      value: `${block.toFixed(1)} ms (only reading: ${floor.toFixed(1)} ms)`,
      bar: '≤ 25 ms',
      ok: block <= 25,
    },
    {
      name: 'messages to the view in that replay',
      value: `${Math.max(...rates).toFixed(0)} a second`,
      bar: '≤ 62 a second',
      ok: Math.max(...rates) <= 62,
    },
  ];
}

async function throughSdk(): Promise<number> {
  let controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({ start: own => void (controller = own) });
  let seen = 0;
  let finish = (): void => {};
  const finished = new Promise<void>(done => (finish = done));
  client({ name: 'bench' })
    .onNotification('session/update', () => {
      seen += 1;
      if (seen === count) finish();
    })
    .connect({ readable, writable: new WritableStream() });
  const began = performance.now();
  for (const message of stream) controller?.enqueue(message as AnyMessage);
  await finished;
  return performance.now() - began;
}

async function throughTap(): Promise<number> {
  const agent = new MemoryAgent();
  const signal = new AbortController().signal;
  const opening = AgentConnection.open(agent.link, {}, { clientVersion: '0', log: () => {} }, signal);
  await agent.initialize();
  const connection = await opening;
  let seen = 0;
  let finish = (): void => {};
  const finished = new Promise<void>(done => (finish = done));
  const sink = new RecordingSink();
  sink.update = () => {
    seen += 1;
    if (seen === count) finish();
  };
  const session = openSession(connection, sink, '/');
  await agent.reply('session/new', { sessionId: 's1' });
  await session;
  const began = performance.now();
  agent.say(...stream);
  await finished;
  return performance.now() - began;
}

/** The longest time, in ms, in which nothing else could run while `work` ran. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  let running = true;
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await work();
  running = false;
  return longest;
}

/** 200 rounds of text, a call with a diff, and usage: 10,000 updates. */
const script = Array.from({ length: 200 }, (_, round) => {
  const toolCallId = `call-${round}`;
  const text = Array.from({ length: 200 }, (_line, line) => `line ${line} of file ${round}\n`).join('');
  const content = [
    { type: 'diff', path: `/w/${round}.txt`, oldText: text, newText: text.replaceAll('7 of', 'seven of') },
  ];
  return [
    { send: chunkOf('text number $n'), times: count / 200 - 3 },
    { send: updateOf({ sessionUpdate: 'tool_call', toolCallId, title: 'Edit', status: 'in_progress' }) },
    { send: updateOf({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content }) },
    { send: updateOf({ sessionUpdate: 'usage_update', used: round, size: 200_000 }) },
  ];
}).flat();

/** What the chat view does, with a page that takes everything. Gives the messages to it per second. */
async function replay(): Promise<number> {
  const steps = [{ handshake: {} }, { expect: 'session/prompt' }, ...script, { reply: { stopReason: 'end_turn' } }];
  const connection = await scripted(steps).connect();
  const sink = new RecordingSink();
  let conversation = emptyConversation;
  const view = (): ViewState => ({
    head: { conversationId: 'c', phase: 'running', queue: [], ...projectHead(conversation) },
    entries: conversation.entries.map(entry => projectEntry(entry, { cwd: '/w' })),
  });
  const patches = new PatchSource();
  patches.snapshot(view());
  let messages = 0;
  const frame = new Throttle(17, () => {
    const patch = patches.next(view());
    if (!patch) return;
    // What posting it takes.
    JSON.stringify(patch);
    messages += 1;
  });
  sink.update = update => {
    conversation = reduce(conversation, { type: 'update', update });
    frame.trigger();
  };
  const { sessionId } = await openSession(connection, sink);
  const began = performance.now();
  await connection.prompt(sessionId, textPrompt('x'));
  frame.flush();
  const rate = (messages * 1000) / (performance.now() - began);
  await cleanUp();
  return rate;
}

/** The same amount of bytes of another process, only counted: what this machine makes of it. */
function onlyRead(): Promise<void> {
  const line = `${JSON.stringify(chunkOf('text number 10000'))}\n`;
  const program = `process.stdout.write(${JSON.stringify(line)}.repeat(${count}))`;
  return new Promise(done => {
    const child = spawn(process.execPath, ['-e', program], { cwd: resolve('.') });
    child.stdout.on('data', () => {});
    child.once('close', () => done());
  });
}
