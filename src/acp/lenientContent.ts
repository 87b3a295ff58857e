import { asArray, asNumber, asObject, asString, isObject, type JsonObject, type JsonValue } from '../base/json';
import type { ContentBlock, TerminalPiece, ToolCallPatch, ToolContent, ToolLocation } from '../chat/update';

// Readers for content and tool calls as agents really send them. None throws. What is not understood becomes `unknown`
// and keeps its raw form; what has the wrong type is as if it were absent.

type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the fields that are undefined, so that they are really absent. */
export function compact<const T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Compact<T>;
}

/** Reads a content block (schema `ContentBlock`); a bare string is text. */
export function readBlock(raw: JsonValue | undefined): ContentBlock {
  if (typeof raw === 'string') return { type: 'text', text: raw };
  return (isObject(raw) && knownBlock(raw)) || unknown(raw, 'content');
}

function knownBlock(raw: JsonObject): ContentBlock | undefined {
  const { type } = raw;
  const text = asString(raw['text']);
  const data = asString(raw['data']);
  const uri = asString(raw['uri']);
  const mimeType = asString(raw['mimeType']);
  if (type === 'text' && text !== undefined) return { type, text };
  if (type === 'image' && data !== undefined) return compact({ type, data, mimeType: mimeType ?? 'image/png', uri });
  if (type === 'audio' && data !== undefined) return { type, data, mimeType: mimeType ?? 'audio/wav' };
  if (type === 'resource_link' && uri !== undefined) {
    return compact({
      type: 'resourceLink',
      uri,
      name: asString(raw['name']) ?? uri,
      title: asString(raw['title']),
      description: asString(raw['description']),
      mimeType,
      size: asNumber(raw['size']),
    });
  }
  const resource = asObject(raw['resource']);
  const resourceUri = asString(resource?.['uri']);
  if (type === 'resource' && resource && resourceUri !== undefined) {
    return compact({
      type,
      uri: resourceUri,
      mimeType: asString(resource['mimeType']),
      text: asString(resource['text']),
      blob: asString(resource['blob']),
    });
  }
  return undefined;
}

const blockTypes = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Reads one item of a tool call's `content` (schema `ToolCallContent`); a bare content block is taken as content. */
function readToolContent(raw: JsonValue): ToolContent[] {
  if (typeof raw === 'string') return [{ type: 'content', block: readBlock(raw) }];
  const item = asObject(raw);
  const type = asString(item?.['type']);
  if (item && type === 'content' && item['content'] != null) {
    const content = item['content'];
    return (asArray(content) ?? [content]).map(block => ({ type: 'content', block: readBlock(block) }));
  }
  if (item && type !== undefined && blockTypes.has(type)) return [{ type: 'content', block: readBlock(item) }];
  const path = asString(item?.['path']);
  const newText = asString(item?.['newText']);
  if (item && type === 'diff' && path !== undefined && newText !== undefined) {
    return [compact({ type, path, oldText: asString(item['oldText']), newText })];
  }
  const terminalId = asString(item?.['terminalId']);
  if (type === 'terminal' && terminalId !== undefined) return [{ type, terminalId }];
  return [unknown(raw, 'tool content')];
}

/**
 * Reads `tool_call`, `tool_call_update` and the `toolCall` of a permission request (schemas `ToolCall`,
 * `ToolCallUpdate`). `null` means unchanged, as absent does. Undefined without a usable id.
 */
export function readToolCall(raw: JsonObject, fallbackId?: string): ToolCallPatch | undefined {
  const toolCallId = asString(raw['toolCallId']) ?? fallbackId;
  if (toolCallId === undefined) return undefined;
  const terminal = readTerminalPieces(asObject(raw['_meta']));
  return compact({
    toolCallId,
    title: asString(raw['title']),
    name: asString(raw['name']),
    kind: asString(raw['kind']),
    status: asString(raw['status']),
    content: readContentList(raw['content']),
    locations: asArray(raw['locations'])?.flatMap(readLocation),
    rawInput: raw['rawInput'] ?? undefined,
    rawOutput: raw['rawOutput'] ?? undefined,
    terminal: terminal.length > 0 ? terminal : undefined,
  });
}

function readContentList(raw: JsonValue | undefined): ToolContent[] | undefined {
  if (raw == null) return undefined;
  if (Array.isArray(raw)) return raw.flatMap(readToolContent);
  return typeof raw === 'string' || isObject(raw) ? readToolContent(raw) : undefined;
}

/** Lines are 1-based; some agents send 0 for "no line". */
function readLocation(raw: JsonValue): ToolLocation[] {
  if (typeof raw === 'string') return [{ path: raw }];
  const path = asString(asObject(raw)?.['path']);
  return path === undefined ? [] : [compact({ path, line: readPositive(asObject(raw)?.['line']) })];
}

/** A whole number of at least 1. */
export function readPositive(raw: unknown): number | undefined {
  const value = asNumber(raw);
  return value !== undefined && value >= 1 ? Math.floor(value) : undefined;
}

/**
 * Output of a command that the agent runs by itself, told in `_meta` (no part of the specification, but what agents
 * do): `terminal_info`, `terminal_output`, `terminal_output_delta`, `terminal_exit`.
 */
function readTerminalPieces(meta: JsonObject | undefined): TerminalPiece[] {
  const piece = (key: string, read: (value: JsonObject) => Omit<TerminalPiece, 'terminalId'> | undefined) => {
    const value = asObject(meta?.[key]);
    const terminalId = asString(value?.['terminal_id']);
    const rest = value && read(value);
    return terminalId === undefined || rest === undefined ? [] : [{ terminalId, ...rest }];
  };
  const delta = piece('terminal_output_delta', value => compact({ data: asString(value['data']) }));
  const whole = piece('terminal_output', value =>
    compact({ data: asString(value['data']), replace: value['replaces'] ? true : undefined }),
  );
  return [
    ...piece('terminal_info', () => ({})),
    ...(delta.length > 0 ? delta : whole),
    ...piece('terminal_exit', value => ({
      exit: compact({ exitCode: asNumber(value['exit_code']), signal: asString(value['signal']) }),
    })),
  ];
}

function unknown(raw: JsonValue | undefined, fallback: string): { type: 'unknown'; label: string; raw: JsonValue } {
  return { type: 'unknown', label: asString(asObject(raw)?.['type']) ?? fallback, raw: raw ?? null };
}
