export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

// Readers for what strangers send: each gives the value when it has the right type, else undefined. None throws.

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asArray(value: unknown): JsonValue[] | undefined {
  return Array.isArray(value) ? (value as JsonValue[]) : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * A JSON value without what is nested deeper than `levels`: an ellipsis stands in its place. The value itself where
 * nothing is. Whoever reads the result may do so recursively.
 */
export function cutDeep(value: unknown, levels: number): unknown {
  if (!isDeeper(value, levels)) return value;
  if (levels === 0) return '…';
  const cut = (field: unknown): unknown => cutDeep(field, levels - 1);
  if (Array.isArray(value)) return value.map(cut);
  return Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, cut(field)]));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(field => isDeeper(field, levels - 1));
}
