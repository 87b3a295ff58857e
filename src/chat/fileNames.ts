/** The path of a `file:` address or of a plain absolute path; `undefined` for everything else. */
export function pathOfUri(uri: string): string | undefined {
  if (uri.startsWith('/') || /^[A-Za-z]:[\\/]/.test(uri)) return uri;
  const match = /^file:\/\/([^/?#]*)(\/[^?#]*)/i.exec(uri);
  if (!match) return undefined;
  const [, host = '', raw = ''] = match;
  const path = decoded(raw);
  if (host !== '' && host !== 'localhost') return `//${host}${path}`;
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** A path as it is shown: relative to `cwd` where it lies inside. */
export function labelOfPath(path: string, cwd: string): string {
  const slashed = path.replaceAll('\\', '/');
  const root = cwd.replaceAll('\\', '/').replace(/\/+$/, '');
  return root !== '' && slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
