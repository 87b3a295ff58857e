import type { AgentCommand } from '../src/chat/update';

/** The commands that may complete what is typed: a slash and no space yet. Names that begin with it come first. */
export function matchingCommands(commands: readonly AgentCommand[], draft: string): readonly AgentCommand[] {
  const typed = /^\/(\S*)$/.exec(draft)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const begins = commands.filter(({ name }) => name.toLowerCase().startsWith(typed));
  const contains = commands.filter(({ name }) => name.toLowerCase().indexOf(typed) > 0);
  return [...begins, ...contains];
}

/** What the command that is typed expects after its name. */
export function hintFor(commands: readonly AgentCommand[], draft: string): string | undefined {
  const name = /^\/(\S+)\s$/.exec(draft)?.[1];
  return commands.find(command => command.name === name)?.hint;
}
