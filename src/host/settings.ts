import * as vscode from 'vscode';
import type { ProxySettings } from '../agents/proxyEnvironment';
import { asArray, asNumber, asString, isObject } from '../base/json';

export type SaveBeforePrompt = 'ask' | 'always' | 'never';

// The user's settings, read when they are needed. VS Code hands on whatever stands in the file, so each reader copes
// with any type.

/** The setting `portside.agents` as it stands: what is in force, and what of it the user has written for all workspaces. */
export function agentsSetting(folder?: vscode.Uri): { effective: unknown; user: unknown } {
  const section = vscode.workspace.getConfiguration('portside', folder);
  const values = section.inspect<unknown>('agents');
  return { effective: section.get<unknown>('agents'), user: values?.globalValue };
}

export function defaultAgentSetting(): string | undefined {
  return asString(read('portside', 'defaultAgent'))?.trim() || undefined;
}

export function saveBeforePromptSetting(): SaveBeforePrompt {
  const value = read('portside', 'saveBeforePrompt');
  return value === 'always' || value === 'never' ? value : 'ask';
}

export function handshakeSecondsSetting(): number {
  const value = asNumber(read('portside', 'handshakeTimeout'));
  return value !== undefined && value > 0 ? value : 60;
}

export function proxySettings(): ProxySettings {
  const proxy = asString(read('http', 'proxy'));
  const noProxy = asArray(read('http', 'noProxy'))?.filter(host => typeof host === 'string');
  return { ...(proxy ? { proxy } : {}), ...(noProxy ? { noProxy } : {}) };
}

/** The program that VS Code's own git support uses, when the user has set one. A workspace cannot. */
export function gitSetting(): string | undefined {
  const value = vscode.workspace.getConfiguration('git').inspect<unknown>('path')?.globalValue;
  return asString(value) || asArray(value)?.find(one => typeof one === 'string') || undefined;
}

/** The entry of one agent among those of a setting. */
export function entryOf(agents: unknown, id: string): unknown {
  return isObject(agents) && Object.hasOwn(agents, id) ? agents[id] : undefined;
}

function read(section: string, key: string): unknown {
  return vscode.workspace.getConfiguration(section).get<unknown>(key);
}

/** The setting `portside.environment`: variables added for agents, or with `null` taken away. */
export function environmentSetting(): Record<string, string | null> {
  const value = read('portside', 'environment');
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string'),
  );
}
