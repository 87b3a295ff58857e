// Runs beside Portside in tests and trials, and is never shipped.
const net = require('node:net');
const vscode = require('vscode');

exports.activate = context => {
  const { PORTSIDE_BRIDGE, PORTSIDE_OPEN_CHAT } = process.env;
  if (PORTSIDE_BRIDGE) context.subscriptions.push(connect(PORTSIDE_BRIDGE));
  if (PORTSIDE_OPEN_CHAT) void vscode.commands.executeCommand('portside.chat.focus');
};

/** The other end of ../bridge.mjs: evaluates what the test process sends. */
function connect(socketPath) {
  const socket = net.connect(socketPath);
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) void answer(socket, JSON.parse(line));
  });
  return { dispose: () => socket.destroy() };
}

async function answer(socket, { id, code, args }) {
  let result;
  try {
    result = { value: await (0, eval)(`(${code})`)(vscode, ...args) };
  } catch (error) {
    result = { error: String(error?.stack ?? error) };
  }
  socket.write(`${JSON.stringify({ id, ...result })}\n`);
}
