import { asArray, asNumber, asObject, asString, isObject, type JsonObject, type JsonValue } from '../base/json';
import type { AgentCommand, PermissionOption, PermissionRequest, PlanEntry, Update, Usage } from '../chat/update';
import { compact, readBlock, readToolCall } from './lenientContent';
import { readConfigOptions } from './lenientSession';

/**
 * Reads the `update` of `session/update` (schema `SessionUpdate`, and what is newer or older than it). Never throws:
 * what is not understood comes out as `unknown` with the agent's own name for it.
 */
export function readUpdate(raw: JsonValue | undefined): Update {
  const update = asObject(raw);
  const label = asString(update?.['sessionUpdate']) ?? 'update';
  const read = Object.hasOwn(readers, label) ? readers[label] : undefined;
  return (update && read?.(update)) ?? { type: 'unknown', label, raw: raw ?? null };
}

type Reader = (update: JsonObject) => Update | undefined;

const readers: Record<string, Reader> = {
  user_message_chunk: update => readChunk('userChunk', update),
  agent_message_chunk: update => readChunk('agentChunk', update),
  agent_thought_chunk: update => readChunk('thoughtChunk', update),
  tool_call: update => readCall(update, true),
  tool_call_update: update => readCall(update, false),
  plan: update => readPlan(update['entries'], 'plan'),
  plan_update: update => {
    const plan = asObject(update['plan']);
    return readPlan(plan?.['entries'], asString(plan?.['planId']) ?? 'plan');
  },
  plan_removed: update => ({ type: 'planRemoved', planId: asString(update['planId']) ?? 'plan' }),
  available_commands_update: update => {
    const commands = asArray(update['availableCommands']);
    return commands && { type: 'commands', commands: commands.flatMap(readCommand) };
  },
  current_mode_update: update => {
    const modeId = asString(update['currentModeId']) ?? asString(update['modeId']);
    return modeId === undefined ? undefined : { type: 'mode', modeId };
  },
  config_option_update: update => {
    const options = readConfigOptions(update['configOptions']);
    return options && { type: 'configOptions', options };
  },
  session_info_update: update => {
    const title = update['title'] === null ? null : asString(update['title']);
    return title === undefined ? { type: 'sessionInfo' } : { type: 'sessionInfo', title };
  },
  usage_update: update => {
    const usage = readUsage(update);
    return usage && { type: 'usage', usage };
  },
  notice: update => {
    const title = asString(update['title']) ?? asString(update['message']);
    if (title === undefined) return undefined;
    const severity = asString(update['severity']) ?? 'info';
    return compact({ type: 'notice', severity, title, description: asString(update['description']) });
  },
  compaction_update: update => readCompaction(update, asString(update['status']) ?? 'in_progress'),
  compaction_summary_chunk: update => {
    const compactionId = asString(update['compactionId']);
    if (compactionId === undefined) return undefined;
    const summary = textOf([update['content'] ?? null]);
    return { type: 'compaction', compactionId, status: 'in_progress', summary, append: true };
  },
};

function readChunk(type: 'userChunk' | 'agentChunk' | 'thoughtChunk', update: JsonObject): Update | undefined {
  if (update['content'] == null) return undefined;
  return compact({ type, messageId: asString(update['messageId']), content: readBlock(update['content']) });
}

function readCall(update: JsonObject, isNew: boolean): Update | undefined {
  const call = readToolCall(update);
  return call && { type: 'toolCall', isNew, call };
}

function readPlan(raw: JsonValue | undefined, planId: string): Update | undefined {
  const entries = asArray(raw);
  return entries && { type: 'plan', planId, entries: entries.map(readPlanEntry) };
}

function readPlanEntry(raw: JsonValue): PlanEntry {
  const entry = asObject(raw);
  return {
    content: asString(raw) ?? asString(entry?.['content']) ?? asString(entry?.['title']) ?? JSON.stringify(raw),
    priority: asString(entry?.['priority']) ?? 'medium',
    status: asString(entry?.['status']) ?? 'pending',
  };
}

function readCommand(raw: JsonValue): AgentCommand[] {
  const command = asObject(raw);
  const name = asString(command?.['name']);
  if (!command || !name) return [];
  const hint = asString(asObject(command['input'])?.['hint']);
  return [compact({ name, description: asString(command['description']) ?? '', hint })];
}

/** Some agents send `null` or fractions: a missing number is 0. */
function readUsage(update: JsonObject): Usage | undefined {
  const used = asNumber(update['used']);
  const size = asNumber(update['size']);
  const cost = asObject(update['cost']);
  const amount = asNumber(cost?.['amount']);
  if (used === undefined && size === undefined && amount === undefined) return undefined;
  return compact({
    used: Math.max(0, Math.round(used ?? 0)),
    size: Math.max(0, Math.round(size ?? 0)),
    cost: amount === undefined ? undefined : { amount, currency: asString(cost?.['currency']) ?? '' },
  });
}

function readCompaction(update: JsonObject, status: string): Update | undefined {
  const compactionId = asString(update['compactionId']);
  if (compactionId === undefined) return undefined;
  const { summary, error } = update;
  return compact({
    type: 'compaction',
    compactionId,
    status,
    summary: summary === null ? '' : (asString(summary) ?? (Array.isArray(summary) ? textOf(summary) : undefined)),
    error: asString(error) ?? asString(asObject(error)?.['message']),
  });
}

function textOf(blocks: readonly JsonValue[]): string {
  return blocks
    .map(readBlock)
    .map(block => (block.type === 'text' ? block.text : ''))
    .join('');
}

/**
 * Reads the params of `session/request_permission` (schema `RequestPermissionRequest`). Options without an id are left
 * out: they could not be answered. Without a tool call id the question is about a call of its own, `fallbackId`.
 */
export function readPermission(params: JsonObject, fallbackId: string): PermissionRequest {
  const raw = params['toolCall'];
  const call = readToolCall(isObject(raw) ? raw : {}, fallbackId) ?? { toolCallId: fallbackId };
  return { call, options: (asArray(params['options']) ?? []).flatMap(readOption) };
}

function readOption(raw: JsonValue): PermissionOption[] {
  const option = asObject(raw);
  const optionId = asString(option?.['optionId']);
  if (!option || optionId === undefined) return [];
  return [{ optionId, name: asString(option['name']) || optionId, kind: asString(option['kind']) ?? 'unknown' }];
}
