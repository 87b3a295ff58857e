import { asArray, asBoolean, asObject, asString, isObject, type JsonObject, type JsonValue } from '../base/json';
import type { ConfigChoice, ConfigOption, SessionModes } from '../chat/update';
import { readAuthMethods, type AuthMethod } from './authMethods';
import { compact } from './lenientContent';

// Readers for the answers to `initialize` and to the requests that open a session. Nobody validates answers: each of
// these takes anything, and none throws.

/** What an agent told about itself. A capability that is missing, `null` or of the wrong type is not there. */
export interface AgentFacts {
  name?: string;
  title?: string;
  version?: string;
  loadSession: boolean;
  resume: boolean;
  close: boolean;
  list: boolean;
  additionalDirectories: boolean;
  image: boolean;
  audio: boolean;
  embeddedContext: boolean;
  mcpHttp: boolean;
  mcpSse: boolean;
  logout: boolean;
  authMethods: readonly AuthMethod[];
}

export interface OpenedSession {
  sessionId: string;
  modes?: SessionModes;
  configOptions?: readonly ConfigOption[];
}

/** Reads the result of `initialize` (schema `InitializeResponse`). */
export function readFacts(raw: unknown): AgentFacts {
  const result = asObject(raw);
  const capabilities = asObject(result?.['agentCapabilities']);
  const session = asObject(capabilities?.['sessionCapabilities']);
  const prompt = asObject(capabilities?.['promptCapabilities']);
  const mcp = asObject(capabilities?.['mcpCapabilities']);
  const info = asObject(result?.['agentInfo']);
  const has = (group: JsonObject | undefined, name: string): boolean =>
    group?.[name] === true || isObject(group?.[name]);
  return compact({
    name: asString(info?.['name']),
    title: asString(info?.['title']),
    version: asString(info?.['version']),
    loadSession: has(capabilities, 'loadSession'),
    resume: has(session, 'resume'),
    close: has(session, 'close'),
    list: has(session, 'list'),
    additionalDirectories: has(session, 'additionalDirectories'),
    image: has(prompt, 'image'),
    audio: has(prompt, 'audio'),
    embeddedContext: has(prompt, 'embeddedContext'),
    mcpHttp: has(mcp, 'http'),
    mcpSse: has(mcp, 'sse'),
    logout: has(asObject(capabilities?.['auth']), 'logout'),
    authMethods: readAuthMethods(result?.['authMethods']),
  });
}

/**
 * Reads modes and options of the result of `session/new`, `session/load` or `session/resume`. Modes are ignored when
 * there are options (specification page `session-config-options`).
 */
export function readOpened(raw: unknown, sessionId: string): OpenedSession {
  const result = asObject(raw);
  const configOptions = readConfigOptions(result?.['configOptions']);
  if (configOptions && configOptions.length > 0) return { sessionId, configOptions };
  return compact({ sessionId, modes: readModes(result?.['modes']) });
}

/** Reads schema `SessionModeState`; undefined when there is nothing to choose from. */
export function readModes(raw: JsonValue | undefined): SessionModes | undefined {
  const modes = asObject(raw);
  const availableModes = (asArray(modes?.['availableModes']) ?? []).flatMap(item => {
    const mode = asObject(item);
    const id = asString(mode?.['id']);
    if (!mode || id === undefined) return [];
    return [compact({ id, name: asString(mode['name']) ?? id, description: asString(mode['description']) })];
  });
  if (availableModes.length === 0) return undefined;
  return { currentModeId: asString(modes?.['currentModeId']) ?? '', availableModes };
}

/** Reads a list of schema `SessionConfigOption`; undefined when it is no list. Options of unknown types are left out. */
export function readConfigOptions(raw: JsonValue | undefined): ConfigOption[] | undefined {
  return asArray(raw)?.flatMap(readConfigOption);
}

function readConfigOption(raw: JsonValue): ConfigOption[] {
  const option = asObject(raw);
  const id = asString(option?.['id']);
  if (!option || id === undefined) return [];
  const description = asString(option['description']);
  const category = asString(option['category']);
  const base = { name: asString(option['name']) ?? id, description, category };
  const current = option['currentValue'];
  const type = option['type'];
  if (type === 'boolean') return [compact({ id, ...base, type, value: asBoolean(current) ?? false })];
  if (type !== 'select') return [];
  const choices = (asArray(option['options']) ?? []).flatMap(item => readChoices(item));
  return [compact({ id, ...base, type, value: asString(current) ?? '', choices })];
}

/** A choice, or a group of choices: both forms are legal, also mixed. */
function readChoices(raw: JsonValue, group?: string): ConfigChoice[] {
  const item = asObject(raw);
  const inner = asArray(item?.['options']);
  if (item && inner && group === undefined) {
    const name = asString(item['name']) ?? asString(item['group']) ?? '';
    return inner.flatMap(choice => readChoices(choice, name));
  }
  const value = asString(item?.['value']);
  if (!item || value === undefined) return [];
  return [compact({ value, name: asString(item['name']) ?? value, description: asString(item['description']), group })];
}
