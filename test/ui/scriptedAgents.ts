import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#rig/paths.mjs';

export type Step = Record<string, unknown>;

const folder = mkdtempSync(path.join(tmpdir(), 'portside-scripts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** An agent that follows a script (see `fakes/scriptedAgent.mjs`) as an entry of `portside.agents`. */
export class ScriptedAgent {
  private readonly record = path.join(folder, `record${++count}`);
  readonly entry: { name: string; command: string; args: string[] };

  /** With `signedIn` for the processes after one that signed in. */
  constructor(steps: readonly Step[] | { steps: readonly Step[]; signedIn: readonly Step[] }, name = 'Scripted') {
    const script = path.join(folder, `script${count}.json`);
    writeFileSync(script, JSON.stringify(steps));
    const program = path.join(root, 'test', 'fakes', 'scriptedAgent.mjs');
    this.entry = { name, command: process.execPath, args: [program, script, this.record] };
  }

  /** Settings with which a first message starts this agent. */
  get settings(): Record<string, unknown> {
    return { 'portside.agents': { scripted: this.entry }, 'portside.defaultAgent': 'scripted' };
  }

  /** The messages that it was sent. */
  received(): Record<string, unknown>[] {
    const lines = existsSync(this.record) ? readFileSync(this.record, 'utf8').trim().split('\n') : [];
    return lines.filter(Boolean).map(line => JSON.parse(line) as Record<string, unknown>);
  }

  /** The answer that it got to a request of its own. */
  answered(id: string): unknown {
    return this.received().find(message => message['id'] === id && !('method' in message))?.['result'];
  }
}

/** Steps of an agent that answers each message by `turns`, one after the other. */
export function turns(...all: readonly (readonly Step[])[]): Step[] {
  return [
    { handshake: {} },
    ...all.flatMap(steps => [{ expect: 'session/prompt' }, ...steps, { reply: { stopReason: 'end_turn' } }]),
  ];
}

/** A step that sends a `session/update`. */
export function update(sessionUpdate: string, fields: Step, times = 1): Step {
  const params = { sessionId: 's1', update: { sessionUpdate, ...fields } };
  return { send: { jsonrpc: '2.0', method: 'session/update', params }, times };
}
