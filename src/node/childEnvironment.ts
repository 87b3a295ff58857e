/** What belongs to VS Code, its debugger or the shell that started it, and would mislead a child. */
const dropped = [
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_NO_ATTACH_CONSOLE',
  'VSCODE_*',
  'NODE_OPTIONS',
  'NODE_DEBUG',
  'NODE_INSPECT*',
  'NODE_CHANNEL_*',
  'NODE_UNIQUE_ID',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'npm_*',
  'INIT_CWD',
];

/**
 * The environment of a child process: `base` (that of the extension host) without what is the host's own, then
 * `overlay` on top. On Windows names differ in case only are one name. With `ownRuntime` the child is the host's own
 * executable, which has to be told that it is Node.
 */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  overlay: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
  ownRuntime = false,
): Record<string, string> {
  const windows = platform === 'win32';
  const fold = (name: string): string => (windows ? name.toUpperCase() : name);
  const isDropped = (name: string): boolean =>
    dropped.some(pattern =>
      pattern.endsWith('*') ? fold(name).startsWith(fold(pattern.slice(0, -1))) : fold(name) === fold(pattern),
    );
  const result = new Map<string, [name: string, value: string]>();
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !isDropped(name)) result.set(fold(name), [name, value]);
  }
  for (const entry of Object.entries(overlay)) result.set(fold(entry[0]), entry);
  if (ownRuntime) result.set('ELECTRON_RUN_AS_NODE', ['ELECTRON_RUN_AS_NODE', '1']);
  return Object.fromEntries(result.values());
}
