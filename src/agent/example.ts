import { Readable, Writable } from 'node:stream';
import {
  agent,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type SessionConfigOption,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { commands } from './exampleCommands';
import { introduction } from './exampleText';
import { Cancelled, Turn, type ExampleSession } from './exampleTurn';

// This process is the extension host's own executable, told by this variable to be Node. What it starts is not.
delete process.env['ELECTRON_RUN_AS_NODE'];

const sessions = new Map<string, ExampleSession>();
let capabilities: ClientCapabilities = {};

const modes = [
  { id: 'ask', name: 'Ask', description: 'Asks before each edit' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Edits without asking' },
] as const;

function configOptions(session: ExampleSession): SessionConfigOption[] {
  const choices = modes.map(({ id, name, description }) => ({ value: id, name, description }));
  const options: SessionConfigOption[] = [
    { type: 'select', id: 'mode', name: 'Mode', category: 'mode', currentValue: session.mode, options: choices },
    {
      type: 'select',
      id: 'answers',
      name: 'Answers',
      description: 'How much the agent says',
      currentValue: session.answers,
      options: [
        { value: 'full', name: 'Full' },
        { value: 'brief', name: 'Brief' },
      ],
    },
  ];
  if (!capabilities.session?.configOptions?.boolean) return options;
  return [...options, { type: 'boolean', id: 'thoughts', name: 'Show thoughts', currentValue: session.thoughts }];
}

function setOption(session: ExampleSession, id: string, value: string | boolean): void {
  if (id === 'mode' && (value === 'ask' || value === 'acceptEdits')) session.mode = value;
  else if (id === 'answers' && (value === 'full' || value === 'brief')) session.answers = value;
  else if (id === 'thoughts' && typeof value === 'boolean') session.thoughts = value;
  else throw RequestError.invalidParams({ id, value }, 'no such option or value');
}

function sessionOf(sessionId: string): ExampleSession {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.sessionNotFound(sessionId);
  return session;
}

async function tellMode(client: AgentContext, session: ExampleSession): Promise<void> {
  const sessionId = session.id;
  const mode = { sessionUpdate: 'current_mode_update', currentModeId: session.mode } as const;
  const options = { sessionUpdate: 'config_option_update', configOptions: configOptions(session) } as const;
  await client.notify('session/update', { sessionId, update: mode });
  await client.notify('session/update', { sessionId, update: options });
}

async function runTurn(
  client: AgentContext,
  session: ExampleSession,
  prompt: readonly ContentBlock[],
): Promise<StopReason> {
  if (session.turn) throw RequestError.invalidRequest(undefined, 'a turn is running already');
  const controller = (session.turn = new AbortController());
  const turn = new Turn(session, controller.signal, client, capabilities, async mode => {
    session.mode = mode;
    await tellMode(client, session);
  });
  try {
    await answer(turn, prompt);
    return 'end_turn';
  } catch (error) {
    if (controller.signal.aborted || error instanceof Cancelled) return 'cancelled';
    throw error;
  } finally {
    delete session.turn;
  }
}

async function answer(turn: Turn, prompt: readonly ContentBlock[]): Promise<void> {
  const text = prompt.map(block => (block.type === 'text' ? block.text : '')).join('');
  if (!turn.session.introduced) {
    turn.session.introduced = true;
    await turn.say(introduction, 5);
  }
  const [, name, argument = ''] = /^\/(\w+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  const command = commands.find(known => known.name === name);
  if (command) return command.run(turn, argument.trim());
  const list = commands.map(known => `- \`/${known.name}\` ${known.description}`).join('\n');
  const heading = name ? `I do not know \`/${name}\`.` : 'You wrote:';
  const quoted = name ? '' : `\n\n${text.replace(/^/gm, '> ')}`;
  await turn.say(`${heading}${quoted}\n\nWhat I can do:\n\n${list}\n`, 5);
}

const app = agent({ name: 'example' })
  .onRequest('initialize', ({ params }) => {
    capabilities = params.clientCapabilities ?? {};
    return {
      protocolVersion: 1,
      agentInfo: { name: 'portside-example', title: 'Example agent', version: '1.0.0' },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: { close: {} },
      },
      authMethods: [],
    };
  })
  .onRequest('session/new', ({ params, client }) => {
    const id = `example-${process.pid}-${sessions.size + 1}`;
    const session: ExampleSession = {
      id,
      cwd: params.cwd,
      mode: 'ask',
      answers: 'full',
      thoughts: true,
      introduced: false,
      callCount: 0,
    };
    sessions.set(id, session);
    const availableCommands = commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint ? { input: { hint } } : {}),
    }));
    setImmediate(() => {
      const update = { sessionUpdate: 'available_commands_update', availableCommands } as const;
      client.notify('session/update', { sessionId: id, update }).catch(() => {});
    });
    return {
      sessionId: id,
      modes: { currentModeId: session.mode, availableModes: [...modes] },
      configOptions: configOptions(session),
    };
  })
  .onRequest('session/set_mode', async ({ params, client }) => {
    const session = sessionOf(params.sessionId);
    setOption(session, 'mode', params.modeId);
    await tellMode(client, session);
    return {};
  })
  .onRequest('session/set_config_option', ({ params }) => {
    const session = sessionOf(params.sessionId);
    setOption(session, params.configId, params.value);
    return { configOptions: configOptions(session) };
  })
  .onRequest('session/close', ({ params }) => {
    sessionOf(params.sessionId).turn?.abort();
    sessions.delete(params.sessionId);
    return {};
  })
  .onRequest('session/prompt', async ({ params, client }) => ({
    stopReason: await runTurn(client, sessionOf(params.sessionId), params.prompt),
  }))
  .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.turn?.abort());

const connection = app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
// The client has gone: nothing is left to do, whatever runs.
void connection.closed.then(() => process.exit(0));
