import path from 'node:path';
import type { WindowsLaunch } from './windowsQuoting';

/** Shells that understand what agents write; a user's fish or nushell does not. */
const usualShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

export interface LaunchContext {
  platform: NodeJS.Platform;
  /** `SHELL`, or `ComSpec` on Windows. */
  shell: string | undefined;
  /** `command` names a file as it is. */
  isFile: boolean;
}

/**
 * How to start what an agent asks for. A program with arguments, or one that is named by its path, is started as it
 * is. Anything else is a line for the shell: some agents put all of it into `command`.
 */
export function terminalLaunch(command: string, args: readonly string[], context: LaunchContext): WindowsLaunch {
  const { platform, shell, isFile } = context;
  if (args.length > 0 || isFile) return { command, args, verbatim: false };
  if (platform === 'win32') {
    return { command: shell ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
  }
  const isUsual = shell !== undefined && path.posix.isAbsolute(shell) && usualShells.has(path.posix.basename(shell));
  return { command: isUsual ? shell : '/bin/sh', args: ['-c', command], verbatim: false };
}

/** A command that nobody sits in front of must not wait for a key, a page, an editor or a password. */
export const unattended: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
};
