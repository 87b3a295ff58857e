import assert from 'node:assert/strict';
import { Chat, until } from './chat';
import { ScriptedAgent, update, type Step } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

const refused: Step = { error: { code: -32000, message: 'Authentication required' } };

/** Steps of an agent that shakes hands and refuses to open a session. */
const refusing = (...authMethods: Step[]): Step[] => [
  { expect: 'initialize' },
  { reply: { protocolVersion: 1, authMethods } },
  { expect: 'session/new' },
  refused,
];
const opening: Step[] = [{ expect: 'session/new' }, { reply: { sessionId: 's1' } }];
const answering = (text: string): Step[] => [
  { expect: 'session/prompt' },
  update('agent_message_chunk', { content: { type: 'text', text } }),
  { reply: { stopReason: 'end_turn' } },
];

describe('Signing in', () => {
  const workbench = useWorkbench();
  const methods = (agent: ScriptedAgent): unknown[] => agent.received().flatMap(({ method }) => method ?? []);

  it('by the agent can be cancelled, and then sends what was refused', async () => {
    const agent = new ScriptedAgent([
      ...refusing({ id: 'browser', name: 'Log in with X' }, { id: 'retina', name: 'Look here', type: 'retina' }),
      { expect: 'authenticate' },
      { expect: '$/cancel_request' },
      { error: { code: -32800, message: 'Cancelled' } },
      { expect: 'authenticate' },
      { reply: {} },
      ...opening,
      ...answering('welcome'),
    ]);
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('hello');
    await chat.button('Look here').waitFor();
    assert.equal(await chat.button('Look here').isDisabled(), true);
    await chat.button('Log in with X').click();
    await chat.view.getByText('Waiting for sign-in…').first().waitFor();
    await until('the agent is asked', () => methods(agent).includes('authenticate'));
    await chat.button('Cancel').click();
    await until('the agent is told', () => methods(agent).includes('$/cancel_request'));
    await chat.button('Log in with X').click();
    await chat.article('Scripted').filter({ hasText: 'welcome' }).waitFor();
    await chat.said('hello').waitFor();
    assert.equal(await chat.button('Log in with X').count(), 0);
    assert.equal(methods(agent).filter(method => method === 'session/new').length, 2);
  });

  it('in a terminal starts the agent anew', async () => {
    const method = { id: 'terminal', name: 'Log in in a terminal', type: 'terminal', args: ['login'] };
    const agent = new ScriptedAgent({
      steps: refusing({ ...method, env: { LOGIN: '0' } }),
      signedIn: [{ handshake: {} }, ...answering('welcome')],
    });
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.send('hello');
    await chat.button('Log in in a terminal').click();
    await chat.article('Scripted').filter({ hasText: 'welcome' }).waitFor();
    await chat.said('hello').waitFor();
    assert.deepEqual(methods(agent), ['initialize', 'session/new', 'session/prompt']);
  });
});
