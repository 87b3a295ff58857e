import path from 'node:path';
import { pathOfUri } from '../chat/fileNames';

/** What a link in the conversation leads to; `line` is 1-based. */
export type LinkTarget = { kind: 'web'; address: string } | { kind: 'file'; path: string; line?: number };

/**
 * Reads a link of an agent: an `http(s)` address, or a file as address, absolute path or path relative to the session's
 * folder, with a line as `#L10`, `:10` or `:10:2`. Undefined for every other scheme.
 */
export function readLink(href: string, cwd: string): LinkTarget | undefined {
  if (/^https?:\/\//i.test(href)) return URL.canParse(href) ? { kind: 'web', address: new URL(href).href } : undefined;
  const {
    name = '',
    hash,
    colon,
  } = /^(?<name>.*?)(?:#L(?<hash>\d+)\S*|:(?<colon>\d+)(?::\d+)?)?$/s.exec(href)?.groups ?? {};
  const line = hash ?? colon;
  const file = pathOfUri(name) ?? (/^[a-z][a-z0-9+.-]+:/i.test(name) || name === '' ? undefined : decoded(name));
  if (file === undefined || file.startsWith('//') || file.startsWith('\\\\')) return undefined;
  return { kind: 'file', path: path.resolve(cwd, file), ...(line ? { line: Number(line) } : {}) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
