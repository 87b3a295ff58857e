// An agent that runs what it is told as a shell command, without a question, and tells nothing of the files it changes:
// as most agents do.
import { exec } from 'node:child_process';
import { createInterface } from 'node:readline';

const write = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = content => write({ method: 'session/update', params: { sessionId: 's1', update: content } });
let cwd = '.';
let calls = 0;

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': params => ((cwd = params.cwd), { sessionId: 's1' }),
  'session/prompt': async ({ prompt }) => {
    const toolCallId = `c${++calls}`;
    const command = prompt[0].text;
    update({ sessionUpdate: 'tool_call', toolCallId, title: command, kind: 'execute', status: 'in_progress' });
    await new Promise(resolve => exec(command, { cwd }, resolve));
    update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    return { stopReason: 'end_turn' };
  },
};

createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method]) write({ id, result: await answers[method](params) });
});
