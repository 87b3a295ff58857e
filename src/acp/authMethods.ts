import { asArray, asBoolean, asObject, asString, type JsonObject, type JsonValue } from '../base/json';
import { compact } from './lenientContent';

/** A program that the user signs in with, in a terminal. */
export interface SignInProgram {
  /** What to run in place of the agent's own program and base arguments, to which `args` are appended otherwise. */
  command?: string;
  args: readonly string[];
  /** Laid over the environment of the agent. */
  env: Readonly<Record<string, string>>;
}

export interface SignInVariable {
  name: string;
  label?: string;
  secret: boolean;
  optional: boolean;
}

/** What has to be done to sign in by a method. */
export type SignInWay =
  /** The agent does it all: it is asked to `authenticate`, which may take minutes. */
  | { kind: 'agent' }
  | { kind: 'terminal'; program: SignInProgram }
  /** The agent is started anew with these in its environment. */
  | { kind: 'variables'; variables: readonly SignInVariable[] }
  /** `authenticate` takes a key. */
  | { kind: 'key'; provider?: string }
  /** `authenticate` takes the address of a gateway. */
  | { kind: 'gateway' }
  | { kind: 'unknown'; type: string };

export interface AuthMethod {
  id: string;
  name: string;
  description?: string;
  way: SignInWay;
}

/**
 * Reads the `authMethods` of the result of `initialize` (specification page `authentication`). What has no id is left
 * out; what is not understood is told as such.
 */
export function readAuthMethods(raw: JsonValue | undefined): AuthMethod[] {
  return (asArray(raw) ?? []).flatMap(item => {
    const method = asObject(item);
    const id = asString(method?.['id']);
    if (!method || id === undefined) return [];
    const description = asString(method['description']) || undefined;
    return [compact({ id, name: asString(method['name'])?.trim() || id, description, way: readWay(method) })];
  });
}

/** The `_meta` of `authenticate` that carries a key. Gemini CLI reads the key itself, Codex an object with it. */
export function keyMeta(way: SignInWay & { kind: 'key' }, key: string): JsonObject {
  return { 'api-key': way.provider === 'google' ? key : { apiKey: key } };
}

/** The `_meta` of `authenticate` that carries a gateway; `header` is one line (`Name: value`), or empty. */
export function gatewayMeta(baseUrl: string, header: string): JsonObject {
  const colon = header.indexOf(':');
  const headers = colon > 0 ? { [header.slice(0, colon).trim()]: header.slice(colon + 1).trim() } : {};
  return { gateway: { baseUrl, headers } };
}

function readWay(method: JsonObject): SignInWay {
  const meta = asObject(method['_meta']);
  const type = asString(method['type']);
  if (type === 'terminal')
    return { kind: 'terminal', program: { args: readTexts(method['args']), env: readEnv(method['env']) } };
  const variables = type === 'env_var' ? readVariables(method) : [];
  if (variables.length > 0) return { kind: 'variables', variables };
  const terminal = asObject(meta?.['terminal-auth']);
  const command = asString(terminal?.['command']);
  if (command)
    return {
      kind: 'terminal',
      program: { command, args: readTexts(terminal?.['args']), env: readEnv(terminal?.['env']) },
    };
  const key = asObject(meta?.['api-key']);
  if (key) return compact({ kind: 'key', provider: asString(key['provider']) });
  if (asObject(meta?.['gateway'])) return { kind: 'gateway' };
  return type === undefined || type === 'agent' ? { kind: 'agent' } : { kind: 'unknown', type };
}

/** The list `vars`, or the one `varName` of the first drafts. */
function readVariables(method: JsonObject): SignInVariable[] {
  const single = asString(method['varName']);
  const listed = asArray(method['vars']) ?? (single === undefined ? [] : [{ name: single }]);
  return listed.flatMap(item => {
    const variable = asObject(item);
    const name = asString(variable?.['name']);
    if (!variable || !name || !/^\w+$/.test(name)) return [];
    const label = asString(variable['label']) || undefined;
    const secret = asBoolean(variable['secret']) ?? true;
    return [compact({ name, label, secret, optional: asBoolean(variable['optional']) ?? false })];
  });
}

function readTexts(raw: JsonValue | undefined): string[] {
  return (asArray(raw) ?? []).flatMap(item => asString(item) ?? []);
}

/** An object of names and values, or a list of `{name, value}`. */
function readEnv(raw: JsonValue | undefined): Record<string, string> {
  const pairs = asArray(raw)
    ?.map(asObject)
    .map(pair => [asString(pair?.['name']), pair?.['value']] as const);
  const entries = pairs ?? Object.entries(asObject(raw) ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (name && typeof value === 'string' ? [[name, value] as const] : [])),
  );
}
