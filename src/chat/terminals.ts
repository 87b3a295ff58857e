import { sameJson } from '../base/sameJson';
import { replaceAt } from './entries';
import { nameOf, placeOf } from './entryIndex';
import type { Conversation, TerminalText, ToolCall } from './state';
import type { TerminalPiece, ToolCallPatch } from './update';

/** How much of a terminal's output is kept, in characters; a little more is let grow before it is cut. */
export const terminalLimit = 1_000_000;
const terminalSlack = terminalLimit / 4;
/** How many terminals may wait to be named by a tool call. */
const unnamedLimit = 8;

/** Output of a terminal of the client: it stands in the last call that names the terminal, or waits for one. */
export function addTerminalPiece(c: Conversation, piece: TerminalPiece): Conversation {
  const at = c.entries.findLastIndex(entry => entry.kind === 'tool' && shows(entry, piece.terminalId));
  const call = c.entries[at];
  if (call?.kind !== 'tool') return { ...c, terminals: addPiece(c.terminals, piece).slice(-unnamedLimit) };
  const terminals = addPiece(call.terminals, piece);
  return terminals === call.terminals ? c : replaceAt(c, at, { ...call, terminals });
}

/** A call that names terminals takes over what waited for it. */
export function adoptTerminals(c: Conversation, { toolCallId, content }: ToolCallPatch): Conversation {
  if (c.terminals.length === 0 || !content?.some(item => item.type === 'terminal')) return c;
  const at = placeOf(c.entries, nameOf.call(toolCallId));
  const call = c.entries[at];
  if (call?.kind !== 'tool') return c;
  const isNamed = ({ terminalId }: TerminalText): boolean => shows(call, terminalId);
  const adopted = { ...call, terminals: [...call.terminals, ...c.terminals.filter(isNamed)] };
  return { ...replaceAt(c, at, adopted), terminals: c.terminals.filter(one => !isNamed(one)) };
}

/** The terminals after one more piece of output; an unknown one is added, and where nothing changes they stay the same. */
export function addPiece(terminals: readonly TerminalText[], piece: TerminalPiece): readonly TerminalText[] {
  const at = terminals.findIndex(one => one.terminalId === piece.terminalId);
  const known = terminals[at] ?? { terminalId: piece.terminalId, text: '' };
  const text = (piece.replace ? '' : known.text) + (piece.data ?? '');
  if (at >= 0 && text === known.text && (!piece.exit || sameJson(piece.exit, known.exit))) return terminals;
  const next = {
    ...known,
    text: text.length > terminalLimit + terminalSlack ? text.slice(-terminalLimit) : text,
    ...(piece.exit ? { exit: piece.exit } : {}),
  };
  return at < 0 ? [...terminals, next] : terminals.with(at, next);
}

function shows(call: ToolCall, terminalId: string): boolean {
  const isNamed = call.content.some(item => item.type === 'terminal' && item.terminalId === terminalId);
  return isNamed || call.terminals.some(one => one.terminalId === terminalId);
}
