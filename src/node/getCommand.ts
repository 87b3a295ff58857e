import { execFile } from 'node:child_process';

/**
 * Asks PowerShell where commands are, for what is no file in a folder of PATH (app execution aliases). One process for
 * all of them. Gives nothing when PowerShell is missing, slow or stopped.
 */
export function getCommand(
  commands: readonly string[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal; powershell?: string },
): Promise<Map<string, string>> {
  const { powershell = 'powershell.exe', env, signal } = options;
  return new Promise(resolve => {
    const limits = { env, signal, timeout: 5000, windowsHide: true };
    execFile(powershell, getCommandArguments(commands), limits, (_error, output) =>
      resolve(readGetCommand(output, commands)),
    );
  });
}

/** The arguments; names are quoted for PowerShell, so that none of them can be more than a name. */
export function getCommandArguments(commands: readonly string[]): string[] {
  const names = commands.map(name => `'${name.replaceAll("'", "''")}'`).join(',');
  const find = `Get-Command -CommandType Application -ErrorAction SilentlyContinue -Name ${names}`;
  return ['-NoProfile', '-NonInteractive', '-Command', `${find} | ForEach-Object { $_.Name + '|' + $_.Source }`];
}

/** Reads lines `name.exe|C:\\folder\\name.exe`; the first of each name counts. */
export function readGetCommand(output: string, commands: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of output.split(/\r?\n/)) {
    const [name, source] = line.split('|', 2);
    const base = name?.replace(/\.[^.]+$/, '').toLowerCase();
    const command = commands.find(each => each.toLowerCase() === base);
    if (command !== undefined && source && !found.has(command)) found.set(command, source);
  }
  return found;
}
