// Plays recorded traffic (as Portside saves it) the way the recorded agent did: what the client asked then is waited
// for, what the agent said then is said again. Ids of the client may differ from the recorded ones.
// Usage: node replayAgent.mjs TRACE.jsonl [times]
//   times   how often the updates of each burst are repeated (for measuring), default 1
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , tracePath, times = '1'] = process.argv;
const records = readFileSync(tracePath, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line));

const waiting = [];
const arrived = [];
createInterface({ input: process.stdin })
  .on('line', line => {
    arrived.push(JSON.parse(line));
    for (const check of [...waiting]) check();
  })
  .on('close', () => process.exit(0));

function take(fits) {
  return new Promise(resolve => {
    const check = () => {
      const index = arrived.findIndex(fits);
      if (index < 0) return;
      waiting.splice(waiting.indexOf(check), 1);
      resolve(arrived.splice(index, 1)[0]);
    };
    waiting.push(check);
    check();
  });
}

const idNow = new Map();

for (const { direction, message, text } of records) {
  if (direction === 'noise') process.stdout.write(`${text}\n`);
  else if (direction === 'stderr') process.stderr.write(text);
  else if (direction === 'toAgent') {
    const now = await take(({ method, id }) => method === message.method && (method || id === message.id));
    if (message.method && 'id' in message) idNow.set(message.id, now.id);
  } else {
    const known = !message.method && idNow.has(message.id);
    const line = `${JSON.stringify(known ? { ...message, id: idNow.get(message.id) } : message)}\n`;
    const copies = message.method === 'session/update' ? Number(times) : 1;
    await new Promise(resolve => process.stdout.write(line.repeat(copies), resolve));
  }
}
