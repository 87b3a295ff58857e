const mask = '•••';

// Each is found in one pass, however the text is made: no two tries may run over the same characters.
const tokenShapes = new RegExp(
  [
    /\b(?:sk|pk|rk)-[\w-]{8,}/,
    /\b(?:sk|pk|rk)_(?:live|test)_\w{8,}/,
    /\bgh[pousr]_\w{16,}/,
    /\bgithub_pat_\w{16,}/,
    /\bglpat-[\w-]{16,}/,
    /\bxox[abeoprs]-[\w-]{8,}/,
    /\bAIza[\w-]{30,}/,
    /\bya29\.[\w-]{16,}/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bnpm_\w{20,}/,
    /\bhf_\w{20,}/,
    /\bfk-[\w-]{8,}/,
    /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
    /(?<=\bBearer\s{1,8})[\w.~+/=-]{8,}/,
    /(?<=\bBasic\s{1,8})[\w+/=]{12,}/,
    /(?<=:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/,
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  ]
    .map(shape => shape.source)
    .join('|'),
  'g',
);

const secretName = /(?:api[-_]?key|secret|password|passwd|authorization|cookie|credential|(?:^|[-_a-z])token)$/i;

/** The text with everything that looks like a token made unreadable. */
export function maskText(text: string): string {
  return text.replace(tokenShapes, mask);
}

/**
 * A copy of a JSON value without secrets: all values in `env` and `headers` (both as lists of `{name, value}` and as
 * objects), texts under names like `apiKey` or `password`, and known shapes of tokens anywhere.
 */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskField(name, field)]));
}

function maskField(name: string, field: unknown): unknown {
  if (name === 'env' || name === 'headers') return maskPairs(field);
  return typeof field === 'string' && secretName.test(name) ? mask : maskSecrets(field);
}

function maskPairs(pairs: unknown): unknown {
  if (Array.isArray(pairs)) {
    return pairs.map((pair: unknown) =>
      typeof pair === 'object' && pair !== null && 'value' in pair ? { ...pair, value: mask } : maskSecrets(pair),
    );
  }
  if (typeof pairs !== 'object' || pairs === null) return pairs === null || pairs === undefined ? pairs : mask;
  return Object.fromEntries(Object.keys(pairs).map(name => [name, mask]));
}
