const session = 'src/session/session.ts';
const ledger = 'src/node/ledger.ts';

const starting = 'a session starting the agent ';
const turn = 'a session a turn ';
const dying = 'a session an agent that dies ';
const questions = 'a session questions ';
const interrupted =
  'sessions restore a running turn as interrupted: questions withdrawn, queue unsent, nothing sent by itself';
const inOrder = `${turn}lets prompts wait, which can be edited and removed, and sends them in order, one at a time`;
const oneCancel = 'a session stopping sends one cancel, and the turn is over only with the answer';

/** @type {import('../faults.mjs').Table} */
export const sessions = {
  'A message is kept until it is sent, and sent once': [
    {
      file: session,
      find: "if (nextPhase(this.phase, 'connect')) this.connect();\n    else if",
      replace: "if (nextPhase(this.phase, 'connect')) this.connect(), this.queue.takeFirst();\n    else if",
      test: `${starting}that fails leaves the prompt unsent, says why, and tries again when asked`,
    },
    {
      file: session,
      find: "else if (this.phase === 'ready') this.sendNext();",
      replace: "else if (this.phase !== 'connecting') this.sendNext();",
      test: inOrder,
    },
    {
      file: 'src/session/queue.ts',
      find: 'this.set([...this.items, { id: crypto.randomUUID(), text }]);',
      replace: 'this.set([{ id: crypto.randomUUID(), text }, ...this.items]);',
      test: inOrder,
    },
    {
      file: session,
      find: 'this.queue.hold();\n    this.record(promptFailure(error));',
      replace: 'this.record(promptFailure(error));',
      test: `${turn}that fails shows the error, stays usable, holds the queue, and is sent again only when asked`,
    },
    {
      file: session,
      find: 'this.record(failure);',
      replace: '',
      test: `${starting}that opens no session says so with the answer of the agent`,
    },
    {
      file: 'src/session/phase.ts',
      find: "ready: { promptSent: 'running', lost: 'disconnected' },",
      replace: "ready: { promptSent: 'running', lost: 'disconnected', cancel: 'cancelling' },",
      test: 'phases of a session that is ready change only by the signals that belong there',
    },
  ],
  'Stop cancels a turn once, and can end an agent that does not answer': [
    {
      file: session,
      find: "else if (this.phase === 'running') this.cancelTurn();",
      replace: "else if (this.phase === 'running' || this.phase === 'cancelling') this.cancelTurn();",
      test: oneCancel,
    },
    {
      file: session,
      find: 'this.activity.stopping();',
      replace: "this.activity.stopping();\n    this.turnOver('cancelled');",
      test: oneCancel,
    },
    {
      file: session,
      find: "if (this.phase === 'cancelling' || isCancelled) return this.turnOver('cancelled');",
      replace: '',
      test: 'a session stopping takes error -32603 for its end',
    },
    {
      file: session,
      find: "else if (this.phase === 'cancelling' && this.activity.stopUnanswered) this.endUnanswering();",
      replace: '',
      test: 'a session stopping twice ends an agent that does not answer; transcript and queue stay',
    },
    {
      file: 'src/session/activity.ts',
      find: 'this.isSilent = true;',
      replace: '',
      test: `${turn}in which the agent falls silent says so, until it speaks`,
    },
  ],
  'The death of an agent ends its turn, and sends nothing by itself': [
    {
      file: session,
      find: 'this.failed = sent;\n      this.record(endFailure(name, end));',
      replace: 'this.failed = sent;',
      test: `${dying}in a turn ends it with exit code and error output; nothing is sent by itself`,
    },
    {
      file: session,
      find: 'this.resend = false;\n    this.queue.hold();',
      replace: 'this.resend = false;',
      test: `${dying}in a turn ends it with exit code and error output; nothing is sent by itself`,
    },
    {
      file: session,
      find: '    void line.connection?.ended.then(end => this.lost(line, end));\n    this.signing',
      replace: '    this.signing',
      test: `${dying}between turns is started again by the next prompt`,
    },
    {
      file: session,
      find: 'if (this.line !== line) return false;',
      replace: '',
      test: `${dying}is no longer listened to`,
    },
    {
      file: session,
      find: 'if (line) this.ending = Promise.allSettled([this.ending, line.end()]);',
      replace: '',
      test: 'sessions end all agents when all is closed',
    },
  ],
  'A session goes on by resuming, else loading, else anew': [
    {
      file: 'src/session/openAgentSession.ts',
      find: 'connection.facts.resume ? [resume] : []',
      replace: 'connection.facts.resume ? [] : []',
      test: `${dying}is asked to resume its session where it can`,
    },
    {
      file: 'src/session/openAgentSession.ts',
      find: 'if (hasTranscript) gate.close();',
      replace: '',
      test: `${dying}is asked to load it else, and what it tells again is not shown twice`,
    },
    {
      file: 'src/session/openAgentSession.ts',
      find: 'if (hasTranscript) await gate.settle(replay, signal);',
      replace: 'gate.open();',
      test: `${dying}may tell it again late`,
    },
    {
      file: 'src/session/openAgentSession.ts',
      find: 'if (!(error instanceof RequestFailed) || error.code === errorCodes.authRequired) throw error;',
      replace: 'throw error;',
      test: `${dying}and cannot open its session (-32602) gets a new one, and the user is told`,
    },
    {
      file: session,
      find: 'if (isNew && this.transcript',
      replace: 'if (!isNew && this.transcript',
      test: `${dying}and cannot open its session (-32601) gets a new one, and the user is told`,
    },
  ],
  'Questions are answered by the user, or cancelled': [
    {
      file: 'src/session/permissions.ts',
      find: 'if (offered) this.settle(requestId, optionId);',
      replace: 'this.settle(requestId, optionId);',
      test: `${questions}are told, stand in the transcript, and are answered only with an option that was offered`,
    },
    {
      file: 'src/session/permissions.ts',
      find: "optionId === undefined ? cancelled : { outcome: 'selected', optionId }",
      replace: "{ outcome: 'selected', optionId: optionId ?? question.request.options[0]?.optionId }",
      test: `${questions}are cancelled by Stop, and those that come before the end are not even asked`,
    },
    {
      file: session,
      find: 'link?.connection.cancel(link.sessionId);\n    this.permissions.cancelAll();',
      replace: 'link?.connection.cancel(link.sessionId);',
      test: `${questions}are cancelled by Stop, and those that come before the end are not even asked`,
    },
    {
      file: session,
      find: 'this.permissions.cancelAll();\n    if (line)',
      replace: 'if (line)',
      test: `${questions}are cancelled when the agent dies, when the session closes, and when it withdraws them`,
    },
    {
      file: 'src/session/permissions.ts',
      find: "signal.addEventListener('abort', withdraw, { once: true });",
      replace: '',
      test: `${questions}are cancelled when the agent dies, when the session closes, and when it withdraws them`,
    },
  ],
  'Modes and options show only what the agent has confirmed': [
    {
      file: 'src/session/agentSettings.ts',
      find: 'setMode(modeId: string): void {',
      replace:
        "setMode(modeId: string): void {\n    this.record({ type: 'update', update: { type: 'mode', modeId } });",
      test: 'a session modes and options are shown as the agent confirms them, and stay when it refuses',
    },
    {
      file: 'src/session/agentSettings.ts',
      find: "this.record({ type: 'note', severity: 'warning', text: `${refusal}: ${messageOf(error)}` });",
      replace: '',
      test: 'a session modes and options cannot be set while no agent runs, and the user is told',
    },
  ],
  'After a reload a turn is interrupted, and nothing is sent by itself': [
    {
      file: 'src/session/sessions.ts',
      find: 'const conversation = folded.running ? reduce(folded, interrupted) : folded;',
      replace: 'const conversation = folded;',
      test: interrupted,
    },
    {
      file: 'src/session/queue.ts',
      find: 'this.isHeld = kept.length > 0;',
      replace: 'this.isHeld = false;',
      test: interrupted,
    },
    {
      file: 'src/session/sessions.ts',
      find: 'if (this.shown || this.isDisposed) return;',
      replace: '',
      test: 'sessions restore nothing over a session that was begun meanwhile',
    },
    {
      file: 'src/session/transcript.ts',
      find: 'this.remembered = kept?.memory ?? {};',
      replace: 'this.remembered = {};',
      test: 'sessions restore the last one as it was, with draft and scroll, and start nothing',
    },
    {
      file: 'src/session/transcript.ts',
      find: 'this.agentId = kept?.agentSessionId;',
      replace: '',
      test: 'sessions go on with an interrupted turn when asked, in the session of the agent, in words that are shown',
    },
  ],
  'What is told is kept on disk': [
    {
      file: 'src/session/transcript.ts',
      find: 'this.ledger?.append(this.id, event);',
      replace: '{}',
      test: 'a session keeps events, queue and the id of the agent session, but no notices',
    },
    {
      file: 'src/session/transcript.ts',
      find: 'this.ledger?.setMemory(this.id, memory);',
      replace: '',
      test: 'a session keeps events, queue and the id of the agent session, but no notices',
    },
    {
      file: 'src/node/ledgerEvents.ts',
      find: 'joinChunks(first.update, second.update) ?? joinCalls',
      replace: 'joinCalls',
      test: 'events that are kept as one are the pieces of a message and the updates of a call',
    },
    {
      file: 'src/node/ledgerEvents.ts',
      find: 'second.type !== first.type || second.messageId !== first.messageId',
      replace: 'second.type !== first.type',
      test: 'events that are kept as one fold to the same conversation, whatever the events',
    },
    {
      file: ledger,
      find: 'if (this.closed) return;\n    this.flush();',
      replace: 'if (this.closed) return;',
      suite: 'host',
      test: 'the ledger gives the last session again, whole and in order, also in another process',
    },
    {
      file: ledger,
      find: 'this.timer ??= setTimeout(() => this.flush(), delayMs);',
      replace: '',
      suite: 'host',
      test: 'the ledger writes by itself within half a second, without being asked',
    },
    {
      file: ledger,
      find: 'if (!isCorrupt(error)) throw error;',
      replace: 'throw error;',
      suite: 'host',
      test: 'the ledger moves a damaged file aside and goes on',
    },
    {
      file: ledger,
      find: 'this.failed(error);',
      replace: 'this.failed(error);\n      this.pending = [];',
      suite: 'host',
      test: 'the ledger waits for another window that writes, and loses nothing',
    },
  ],

  'A sign-in goes the way that its method says, and what was refused is sent again': [
    {
      file: 'src/acp/connection.ts',
      find: "if (!method || method.way.kind === 'terminal')",
      replace: 'if (!method)',
      test: 'signing in never asks by a method of type terminal, or by one that is not offered',
    },
    {
      file: 'src/session/session.ts',
      find: "if (this.phase !== 'needsAuth') this.failed = undefined;",
      replace: 'this.failed = undefined;',
      test: 'signing in in the middle of a conversation repeats the prompt in the same session',
    },
    {
      file: 'src/session/signIn.ts',
      find: 'if (code !== 0)',
      replace: 'if (code > 100)',
      test: 'signing in in a terminal that fails says with which code; one that was closed says nothing',
    },
  ],
};
