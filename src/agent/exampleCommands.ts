import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { delay } from '../base/async';
import { terminateTree } from '../node/processTree';
import { editOf, pickFile } from './exampleFiles';
import { longMarkdown, tourText } from './exampleText';
import type { Turn } from './exampleTurn';

export interface Command {
  name: string;
  description: string;
  hint?: string;
  run(turn: Turn, argument: string): Promise<void>;
}

/** What the Example agent can be told to do, as slash commands. */
export const commands: readonly Command[] = [
  { name: 'tour', description: 'Show text, a thought, a plan, a file and an edit with approval', run: tour },
  { name: 'edit', description: 'Propose a change of a file', hint: 'path (optional)', run: edit },
  { name: 'long', description: 'Stream a long answer', hint: 'size in KB, then KB per second (optional)', run: long },
  { name: 'ask', description: 'Ask for permission in unusual ways', hint: '1 to 4, or "together"', run: ask },
  { name: 'run', description: 'Run a shell command, with approval', hint: 'command', run: runShell },
  {
    name: 'terminal',
    description: 'Run a command in a terminal of the editor, with approval',
    hint: 'command',
    run: inTerminal,
  },
  { name: 'slow', description: 'Count until you stop it', run: slow },
  { name: 'fail', description: 'End the turn with an error', run: fail },
  { name: 'noise', description: 'Write to stdout what is no message', run: noise },
  { name: 'crash', description: 'Die in the middle of the turn', run: crash },
];

async function tour(turn: Turn): Promise<void> {
  const steps = ['Look at a file', 'Propose a change', 'Sum up'];
  const plan = (done: number): Promise<void> =>
    turn.update({
      sessionUpdate: 'plan',
      entries: steps.map((content, index) => ({
        content,
        priority: index === 1 ? 'high' : 'medium',
        status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
      })),
    });
  if (turn.session.thoughts) await turn.think(tourText.thought);
  await turn.say(tourText.opening, 10);
  await plan(0);
  const path = await pickFile(turn.session.cwd);
  if (path) await readStep(turn, path);
  await plan(1);
  await edit(turn, path ?? '');
  await plan(2);
  if (turn.session.answers === 'full') await turn.say(tourText.closing, 10);
  await plan(3);
}

async function readStep(turn: Turn, path: string): Promise<void> {
  const name = relative(turn.session.cwd, path);
  const call = await turn.call({
    title: `Read ${name}`,
    kind: 'read',
    locations: [{ path, line: 1 }],
    rawInput: { path },
  });
  const text = await turn.read(path);
  await call.update({ status: 'completed', content: [{ type: 'content', content: { type: 'text', text } }] });
  await turn.say(tourText.reading(name, text.split('\n').length), 10);
}

async function edit(turn: Turn, argument: string): Promise<void> {
  const { path, before, after } = await editOf(turn, argument);
  const name = relative(turn.session.cwd, path) || path;
  const diff = { type: 'diff' as const, path, oldText: before ?? null, newText: after };
  const call = await turn.call({
    title: `Edit ${name}`,
    kind: 'edit',
    locations: [{ path }],
    content: [diff],
    rawInput: { path, content: after },
  });
  const allowed = turn.session.mode === 'acceptEdits' || (await turn.mayEdit(call));
  if (!allowed) {
    await call.update({ status: 'failed' });
    return turn.say(`I left \`${name}\` as it was.\n\n`);
  }
  await call.update({ status: 'in_progress' });
  await turn.write(path, after);
  await call.update({ status: 'completed' });
  await turn.say(`I have changed \`${name}\`.\n\n`);
}

async function long(turn: Turn, argument: string): Promise<void> {
  const [size = 50, perSecond = 0] = argument.split(/\s+/).filter(Boolean).map(Number);
  await turn.say(longMarkdown(Math.min(100_000, Math.max(0, size || 0)) * 1024), perSecond > 0 ? 20 / perSecond : 0);
}

interface Asking {
  toolCall: object;
  options: readonly { optionId: string; name: string; kind: string }[];
}

const usualOptions = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

const longCommand = Array.from(
  { length: 24 },
  (_, index) => `echo "step ${index + 1}: ${'a part of a long line '.repeat(index % 3 === 0 ? 8 : 1).trim()}" && \\`,
).join('\n');

const askings: readonly Asking[] = [
  {
    toolCall: { title: 'Install a package', kind: 'execute', rawInput: { command: 'npm install left-pad' } },
    options: [
      { optionId: 'once', name: 'Yes, this time', kind: 'allow_once' },
      { optionId: 'package', name: 'Yes, always for this package', kind: 'allow_always' },
      { optionId: 'command', name: 'Yes, always for npm install', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
      { optionId: 'never', name: 'No, and do not ask again', kind: 'reject_always' },
    ],
  },
  {
    toolCall: { title: `${longCommand}\ntrue`, kind: 'execute', rawInput: { command: `${longCommand}\ntrue` } },
    options: usualOptions,
  },
  {
    toolCall: { title: 'Teleport the file', kind: 'teleport' },
    options: [
      { optionId: 'hour', name: 'Allow for an hour', kind: 'allow_for_an_hour' },
      { optionId: 'maybe', name: 'Maybe', kind: 'maybe' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
  },
  {
    toolCall: {
      title: 'rm \u202egpj.elif\u202c\u200b ./build\u0007\u001b[31m\t# \u2066hidden\u2069',
      kind: 'execute',
      rawInput: { command: 'rm \u202egpj.elif\u202c\u200b ./build\u0007\u001b[31m\t# \u2066hidden\u2069' },
    },
    options: usualOptions,
  },
];

async function ask(turn: Turn, argument: string): Promise<void> {
  const chosen = askings.filter((_, index) => !/^\d+$/.test(argument) || Number(argument) === index + 1);
  const one = async (asking: Asking): Promise<string> => {
    const call = await turn.call({ ...asking.toolCall, status: 'pending' });
    const optionId = await turn.ask(call, asking.options);
    const option = asking.options.find(({ optionId: id }) => id === optionId);
    await call.update({ status: option?.kind.startsWith('allow') ? 'completed' : 'failed' });
    return option ? `You chose “${option.name}”.\n\n` : 'You did not choose.\n\n';
  };
  if (argument === 'together') return turn.say((await Promise.all(chosen.map(one))).join(''));
  for (const asking of chosen) await turn.say(await one(asking));
}

async function runShell(turn: Turn, argument: string): Promise<void> {
  const command = argument || 'echo hello';
  const call = await turn.call({ title: command, kind: 'execute', rawInput: { command } });
  if ((await turn.ask(call, usualOptions)) !== 'allow') {
    await call.update({ status: 'failed' });
    return turn.say('I did not run it.\n\n');
  }
  const terminal = { terminal_id: call.id };
  await call.update({
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: call.id }],
    _meta: { terminal_info: terminal },
  });
  const child = spawn(command, { cwd: turn.session.cwd, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void (child.pid && terminateTree(child.pid, process.platform));
  turn.signal.addEventListener('abort', stop, { once: true });
  const output = (data: Buffer): Promise<void> =>
    call.update({ _meta: { terminal_output_delta: { ...terminal, data: data.toString('utf8') } } });
  child.stdout.on('data', (data: Buffer) => void output(data));
  child.stderr.on('data', (data: Buffer) => void output(data));
  const code = await new Promise<number | null>(resolve =>
    child.once('close', resolve).once('error', () => resolve(null)),
  );
  turn.signal.removeEventListener('abort', stop);
  await call.update({
    status: code === 0 ? 'completed' : 'failed',
    _meta: { terminal_exit: { ...terminal, exit_code: code, signal: child.signalCode } },
  });
  turn.signal.throwIfAborted();
  await turn.say(`The command ended with exit code ${code}.\n\n`);
}

/** As agents do that leave their commands to the client. */
async function inTerminal(turn: Turn, argument: string): Promise<void> {
  const command = argument || 'echo hello';
  const call = await turn.call({ title: command, kind: 'execute', rawInput: { command } });
  if ((await turn.ask(call, usualOptions)) !== 'allow') {
    await call.update({ status: 'failed' });
    return turn.say('I did not run it.\n\n');
  }
  const { terminalId } = await turn.terminal('create', { command, cwd: turn.session.cwd, outputByteLimit: 10_000 });
  const terminal = { terminalId };
  const stop = (): void => void turn.terminal('kill', terminal).catch(() => {});
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    await call.update({ status: 'in_progress', content: [{ type: 'terminal', terminalId }] });
    const exit = await turn.terminal('wait_for_exit', terminal);
    const { output } = await turn.terminal('output', terminal);
    await call.update({ status: exit['exitCode'] === 0 ? 'completed' : 'failed' });
    const how = exit['signal'] === null ? `with exit code ${exit['exitCode']}` : `by ${exit['signal']}`;
    await turn.say(`The command ended ${how}; I read ${String(output).length} characters of its output.\n\n`);
  } finally {
    turn.signal.removeEventListener('abort', stop);
    await turn.terminal('release', terminal);
  }
}

async function slow(turn: Turn): Promise<void> {
  await turn.call({ title: 'Count until stopped', kind: 'other', status: 'in_progress' });
  for (let tick = 1; tick <= 3000; tick += 1) {
    await turn.say(`tick ${tick} `);
    await delay(200, turn.signal);
  }
}

async function fail(turn: Turn): Promise<void> {
  await turn.say('This turn will fail.\n\n');
  throw new RequestError(-32603, 'The Example agent failed, as you asked it to.', {
    hint: 'This is the data that came with the error.',
  });
}

/** Each line is something that agents were seen to write where only messages belong. */
async function noise(turn: Turn): Promise<void> {
  await turn.say('Before the noise. ');
  for (const line of [
    'DEBUG this line is no message',
    '',
    '\u001b[33mwarning:\u001b[0m neither is this one',
    '{"level":"info","msg":"an object, but no message"}',
    '[1, 2, 3]',
    '{"jsonrpc":"2.0", broken',
    'x'.repeat(100_000),
  ]) {
    process.stdout.write(`${line}\n`);
  }
  process.stdout.write('\u001b]0;a window title\u0007\u001b[2K\u001b[32m');
  await turn.say('After the noise.\n\n');
}

async function crash(turn: Turn): Promise<void> {
  await turn.say('I am about to crash.\n\n');
  await new Promise(resolve =>
    process.stderr.write('Fatal: the Example agent crashed, as you asked it to.\n', resolve),
  );
  process.exit(7);
}
