// An agent that does what a script says, byte by byte: no SDK, no framing of its own.
// Usage: node scriptedAgent.mjs SCRIPT.json [RECORD [login]]
//   SCRIPT         a list of steps, or {steps, signedIn}: the second list is for after a `login`
//   login          signs in, and exits with the code that the variable LOGIN says
//   RECORD         every byte read from stdin, as it came
//   RECORD.events  what else happened, one a line: `end` (of stdin), `SIGTERM`, `child PID`, `own PID`
//
// Steps (one key names what a step does, the others are its options):
//   {expect: method}            wait for a request or notification; others before it are passed over
//   {expectAnswer: id}          wait for the answer to a request of ours
//   {reply: result}             answer the last expected request; {error: {...}} answers with an error
//   {send: message, times?}     write a message; "$id" stands for the id of the last expected request,
//                               "$id METHOD" for that of another, "$n" in a text for the number of the repetition
//   {raw: text, split?, gap?}   write text as it is; in pieces of `split` bytes, `gap` ms apart
//   {fill: megabytes}           write that much of no line
//   {handshake: result?}        answer `initialize` and `session/new` (session "s1") in the usual way
//   {notePid: true} {stderr: text} {sleep: ms} {exit: code} {closeOutput: true}
//   {ignoreEnd: true} {ignoreTerm: true}
//   {spawn: 'plain' | 'stubborn' | 'ownGroup' | 'keepsOutput'}   leave a child behind
// After the last step it waits for the end of stdin and exits with 0.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , scriptPath, recordPath, command] = process.argv;
const signedInPath = `${recordPath}.signedIn`;
if (command === 'login') {
  writeFileSync(signedInPath, '');
  process.exit(Number(process.env.LOGIN));
}
const script = JSON.parse(readFileSync(scriptPath, 'utf8'));
const steps = Array.isArray(script) ? script : existsSync(signedInPath) ? script.signedIn : script.steps;
if (recordPath) writeFileSync(recordPath, '');

const note = event => recordPath && appendFileSync(`${recordPath}.events`, `${event}\n`);
const queue = [];
const ids = new Map();
let lastId;
let wake = () => {};
let ignoreEnd = false;
let ignoreTerm = false;
let finished = false;
let inputEnded = false;
let rest = Buffer.alloc(0);

process.stdin.on('data', chunk => {
  if (recordPath) appendFileSync(recordPath, chunk);
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const line = rest.subarray(0, end).toString('utf8');
    rest = rest.subarray(end + 1);
    try {
      queue.push(JSON.parse(line));
    } catch {
      note(`unreadable ${line}`);
    }
  }
  wake();
});
process.stdin.on('end', () => {
  note('end');
  inputEnded = true;
  wake();
  if (finished && !ignoreEnd) process.exit(0);
});
process.on('SIGTERM', () => {
  note('SIGTERM');
  if (!ignoreTerm) process.exit(143);
});

async function take(fits) {
  for (;;) {
    while (queue.length > 0) {
      const message = queue.shift();
      if (fits(message)) return message;
    }
    if (inputEnded && !ignoreEnd) process.exit(0);
    await new Promise(resolve => (wake = resolve));
  }
}

async function expect(method) {
  const { id } = await take(message => message.method === method);
  if (id === undefined) return;
  ids.set(method, id);
  lastId = id;
}

function fill(value, n) {
  if (typeof value === 'string') {
    if (value === '$id') return lastId;
    if (value.startsWith('$id ')) return ids.get(value.slice(4));
    return value.replaceAll('$n', String(n));
  }
  if (Array.isArray(value)) return value.map(item => fill(item, n));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fill(field, n)]));
}

const write = data => new Promise(resolve => process.stdout.write(data, resolve));
const send = (message, n = 0) => write(`${JSON.stringify(fill(message, n))}\n`);

async function run(step) {
  if ('expect' in step) await expect(step.expect);
  else if ('expectAnswer' in step)
    await take(message => message.method === undefined && message.id === step.expectAnswer);
  else if ('reply' in step) await send({ jsonrpc: '2.0', id: '$id', result: step.reply });
  else if ('error' in step) await send({ jsonrpc: '2.0', id: '$id', error: step.error });
  else if ('send' in step) {
    let text = '';
    for (let n = 0; n < (step.times ?? 1); n += 1) text += `${JSON.stringify(fill(step.send, n))}\n`;
    await write(text);
  } else if ('raw' in step) await writeRaw(step);
  else if ('fill' in step) {
    for (let count = 0; count < step.fill; count += 1) await write(Buffer.alloc(1024 * 1024, 'x'));
  } else if ('handshake' in step) {
    await run({ expect: 'initialize' });
    await run({ reply: { protocolVersion: 1, ...step.handshake } });
    await run({ expect: 'session/new' });
    await run({ reply: { sessionId: 's1', ...step.session } });
  } else if ('stderr' in step) await new Promise(resolve => process.stderr.write(step.stderr, resolve));
  else if ('notePid' in step) note(`own ${process.pid}`);
  else if ('sleep' in step) await sleep(step.sleep);
  else if ('exit' in step) process.exit(step.exit);
  else if ('closeOutput' in step) process.stdout.end();
  else if ('ignoreEnd' in step) keepAlive();
  else if ('ignoreTerm' in step) ignoreTerm = true;
  else if ('spawn' in step) await leave(step.spawn);
  else throw new Error(`No such step: ${JSON.stringify(step)}`);
}

async function writeRaw({ raw, split, gap = 1 }) {
  const bytes = Buffer.from(fill(raw, 0), 'utf8');
  for (let start = 0; start < bytes.length; start += split ?? bytes.length) {
    await write(bytes.subarray(start, start + (split ?? bytes.length)));
    if (split) await sleep(gap);
  }
}

function keepAlive() {
  ignoreEnd = true;
  setInterval(() => {}, 1000);
}

/** Noted once it is up, so that a signal meets its handler. */
async function leave(kind) {
  const stubborn = kind === 'stubborn' ? "process.on('SIGTERM', () => {});" : '';
  const program = `${stubborn} setInterval(() => {}, 1000); require('fs').writeSync(3, 'up')`;
  const stdio = ['ignore', kind === 'keepsOutput' ? 'inherit' : 'ignore', 'ignore', 'pipe'];
  const child = spawn(process.execPath, ['-e', program], { stdio, detached: kind === 'ownGroup' });
  await new Promise(resolve => child.stdio[3].once('data', resolve));
  child.stdio[3].destroy();
  child.unref();
  note(`child ${child.pid}`);
}

for (const step of steps) await run(step);
finished = true;
if (inputEnded && !ignoreEnd) process.exit(0);
