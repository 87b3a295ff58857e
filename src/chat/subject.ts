import { asObject, asString, type JsonValue } from '../base/json';
import type { ToolCall } from './state';

/** Longest input that is shown in a question, in characters; commands are never cut. */
const inputLimit = 4_000;

/**
 * What a question about a tool call is about, verbatim: the whole command, else the paths, else the input as JSON.
 * `undefined` when the call tells nothing but its title.
 */
export function subjectOf(call: Pick<ToolCall, 'rawInput' | 'content' | 'locations'>): string | undefined {
  return commandOf(call.rawInput) ?? pathsOf(call) ?? inputOf(call.rawInput);
}

/**
 * The command line in the input of a call, as agents spell it, with the arguments that stand beside the command; lists
 * are joined as a shell would take them.
 */
export function commandOf(input: JsonValue | undefined): string | undefined {
  const fields = asObject(input);
  const command = lineOf(fields?.['command'] ?? fields?.['cmd'] ?? fields?.['script']);
  const args = lineOf(fields?.['args'] ?? fields?.['arguments']);
  return command !== undefined && args ? `${command} ${args}` : command;
}

function lineOf(words: JsonValue | undefined): string | undefined {
  if (Array.isArray(words)) return words.map(word => quoted(asString(word) ?? JSON.stringify(word))).join(' ');
  return asString(words);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function pathsOf(call: Pick<ToolCall, 'content' | 'locations'>): string | undefined {
  const diffs = call.content.flatMap(item => (item.type === 'diff' ? [item.path] : []));
  const paths = [...new Set([...diffs, ...call.locations.map(location => location.path)])];
  return paths.length > 0 ? paths.join('\n') : undefined;
}

function inputOf(input: JsonValue | undefined): string | undefined {
  if (input === undefined || input === null) return undefined;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  if (text === '' || text === '{}' || text === '[]') return undefined;
  return text.length > inputLimit ? `${text.slice(0, inputLimit)}…` : text;
}
