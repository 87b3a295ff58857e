/**
 * Whether two spellings name the same file: separators of either kind, a drive letter in either case; a relative path
 * names every file that ends with it.
 */
export function samePath(a: string, b: string): boolean {
  if (a === b) return true;
  const one = normal(a);
  const other = normal(b);
  if (one === other) return true;
  if (!isAbsolute(one)) return other.endsWith(`/${one}`);
  return !isAbsolute(other) && one.endsWith(`/${other}`);
}

function normal(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  return slashed.replace(/^[A-Za-z](?=:)/, drive => drive.toLowerCase());
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:/.test(path);
}
