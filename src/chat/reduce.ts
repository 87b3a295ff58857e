import { without } from '../base/without';
import { append, closeMessage, removeAt, replaceAt } from './entries';
import { addChunk } from './messages';
import { applyCompaction, noteStop, retractNoOutput } from './notes';
import { endChoice, withoutChoice } from './signInChoice';
import type { ChatEvent, Conversation } from './state';
import { addTerminalPiece, adoptTerminals } from './terminals';
import { askPermission, settleCalls, settlePermission, upsertCall, withdrawPermissions } from './toolCalls';
import type { ConfigOption, PlanEntry, SessionModes, Update } from './update';
import { putChanges } from './turnChanges';
import { addWrite } from './writes';

export const emptyConversation: Conversation = {
  entries: [],
  turn: 0,
  running: false,
  commands: [],
  terminals: [],
  made: 0,
  echoed: 0,
};

/**
 * The conversation after one more event. Pure; only what the event touches has a new identity, and an event that
 * changes nothing gives the same conversation. Throws nothing, whatever an agent sends.
 */
export function reduce(c: Conversation, event: ChatEvent): Conversation {
  switch (event.type) {
    case 'update':
      return applyUpdate(c, event.update);
    case 'prompt': {
      const started = { ...closeMessage(endChoice(c)), turn: c.turn + 1, running: true, echoed: 0 };
      return event.again ? started : append(started, { kind: 'user', content: event.content });
    }
    case 'turnEnded':
      return noteStop(endTurn(c, event.stopReason === 'cancelled' ? 'cancelled' : 'ended'), event.stopReason);
    case 'turnFailed':
      return endTurn(c, 'ended');
    case 'cancelling':
      return settleCalls(c, 'cancelled');
    case 'interrupted':
      return append(withdrawPermissions(endTurn(c, 'ended')), {
        kind: 'note',
        severity: 'warning',
        text: 'Interrupted: the window was closed or reloaded during this turn',
        actions: ['continue'],
      });
    case 'permissionAsked':
      return askPermission(c, event.requestId, event.call, event.options);
    case 'permissionSettled':
      return settlePermission(c, event.requestId, event.optionId);
    case 'fileWritten':
      return addWrite(c, event.write);
    case 'terminal':
      return addTerminalPiece(c, event.piece);
    case 'changes':
      return putChanges(c, event);
    case 'sessionOpened':
      return opened(endChoice(c), event.modes, event.configOptions);
    case 'error':
      return append(event.methods ? withoutChoice(c) : c, { kind: 'error', ...without(event, 'type') });
    case 'note':
      return append(c, { kind: 'note', actions: [], ...without(event, 'type') });
  }
}

function applyUpdate(c: Conversation, update: Update): Conversation {
  switch (update.type) {
    case 'userChunk':
      return addChunk(c, 'user', update.messageId, update.content);
    case 'agentChunk':
      return retractNoOutput(addChunk(c, 'agent', update.messageId, update.content));
    case 'thoughtChunk':
      return retractNoOutput(addChunk(c, 'thought', update.messageId, update.content));
    case 'toolCall':
      return retractNoOutput(adoptTerminals(upsertCall(c, update.call, update.isNew), update.call));
    case 'plan':
      return putPlan(c, update.planId, update.entries);
    case 'planRemoved':
      return putPlan(c, update.planId, []);
    case 'commands':
      return { ...c, commands: update.commands };
    case 'mode':
      return c.modes ? { ...c, modes: { ...c.modes, currentModeId: update.modeId } } : c;
    case 'configOptions':
      return { ...c, configOptions: update.options };
    case 'sessionInfo':
      return retitled(c, update.title);
    case 'usage':
      return { ...c, usage: update.usage };
    case 'notice':
      return append(c, {
        kind: 'note',
        severity: update.severity === 'warning' || update.severity === 'error' ? 'warning' : 'info',
        text: update.title,
        actions: [],
        ...(update.description === undefined ? {} : { details: update.description }),
      });
    case 'compaction':
      return applyCompaction(c, update);
    case 'unknown':
      return append(c, { kind: 'unknown', label: update.label, raw: update.raw });
  }
}

function endTurn(c: Conversation, status: 'cancelled' | 'ended'): Conversation {
  return { ...settleCalls(closeMessage(c), status), running: false };
}

/** A plan stands in the turn that told it last; an empty one is none. */
function putPlan(c: Conversation, planId: string, entries: readonly PlanEntry[]): Conversation {
  const at = c.entries.findLastIndex(entry => entry.kind === 'plan' && entry.planId === planId);
  const known = c.entries[at];
  if (known?.kind === 'plan' && known.turn === c.turn && entries.length > 0) {
    return replaceAt(c, at, { ...known, entries });
  }
  const without = known ? removeAt(c, at) : c;
  return entries.length > 0 ? append(without, { kind: 'plan', planId, entries }) : without;
}

function retitled(c: Conversation, title: string | null | undefined): Conversation {
  if (title === undefined) return c;
  return title === null ? without(c, 'title') : { ...c, title };
}

function opened(c: Conversation, modes?: SessionModes, configOptions?: readonly ConfigOption[]): Conversation {
  return {
    ...without(c, 'modes', 'configOptions'),
    ...(modes ? { modes } : {}),
    ...(configOptions ? { configOptions } : {}),
  };
}
