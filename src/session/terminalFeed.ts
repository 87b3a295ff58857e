import type { Terminal } from '../acp/ports';
import { Throttle } from '../base/async';
import type { ChatEvent } from '../chat/state';
import type { TerminalPiece } from '../chat/update';

/** How often the conversation is told of output, in ms. */
const interval = 100;
/** How much one event says at most, and how much of the end is kept for that, in characters. */
const pieceLimit = 64 * 1024;
const tailLimit = 4 * pieceLimit;
/** After so much output the conversation only follows; the ledger gets the end of it when the command has ended. */
const keptLimit = 1_000_000;

type TerminalEvent = Extract<ChatEvent, { type: 'terminal' }>;

/** Tells a conversation what a command puts out, as it comes and without a flood, and how it ends. */
export function feedTerminal(terminal: Terminal, tell: (event: TerminalEvent) => void): void {
  const { id: terminalId } = terminal;
  let pending = '';
  let isCut = false;
  let told = 0;
  let tail = '';

  const say = (piece: Omit<TerminalPiece, 'terminalId'>, live: boolean): void =>
    tell({ type: 'terminal', piece: { terminalId, ...piece }, ...(live ? { live } : {}) });
  const isLive = (): boolean => told > keptLimit;
  const flow = new Throttle(interval, () => {
    const piece = isCut ? { data: tail.slice(-tailLimit), replace: true } : { data: pending };
    pending = '';
    isCut = false;
    told += piece.data.length;
    say(piece, isLive());
  });
  const add = (text: string): void => {
    tail += text;
    if (tail.length > 2 * tailLimit) tail = tail.slice(-tailLimit);
    isCut ||= pending.length + text.length > pieceLimit;
    pending = isCut ? '' : pending + text;
    flow.trigger();
  };

  say({}, false);
  const known = terminal.output().output;
  if (known !== '') add(known);
  const listening = terminal.onDidOutput(add);
  void terminal.exited.then(exit => {
    listening.dispose();
    flow.flush();
    say(isLive() ? { data: tail.slice(-tailLimit), replace: true, exit } : { exit }, false);
  });
}
