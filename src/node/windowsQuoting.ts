import path from 'node:path';

/** How a program is handed to the system on Windows. */
export interface WindowsLaunch {
  command: string;
  args: readonly string[];
  /** The arguments are already a command line: Node must not quote them again. */
  verbatim: boolean;
}

export interface WindowsContext {
  /** Text of a file; undefined when there is none. */
  read(file: string): string | undefined;
  /** The full path of a command, as PATH has it. */
  find(command: string): string | undefined;
  comspec?: string;
}

const { win32 } = path;

/**
 * How to start `file` with `args` on Windows without a shell where that is possible. A stand-in made by npm gives way to
 * the program behind it; any other batch file is run by cmd.exe, quoted so that each argument arrives unchanged.
 * Throws a `TypeError` for an argument that cmd.exe cannot carry.
 */
export function windowsLaunch(file: string, args: readonly string[], context: WindowsContext): WindowsLaunch {
  if (!/\.(cmd|bat)$/i.test(file)) return { command: file, args, verbatim: false };
  const text = context.read(file);
  const shim = text === undefined ? undefined : readShim(text, win32.dirname(file));
  if (shim) {
    const local = win32.join(win32.dirname(file), 'node.exe');
    const program =
      shim.program === 'node' ? (context.read(local) === undefined ? context.find('node') : local) : shim.program;
    if (program) return { command: program, args: [...shim.args, ...args], verbatim: false };
  }
  const twice = text === undefined || /%\*|%[1-9]/.test(text);
  return {
    command: context.comspec ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${cmdLine(file, args, twice)}"`],
    verbatim: true,
  };
}

/**
 * What a stand-in of npm's runs: its last line that hands the arguments on, with the script, and with `node` or a program
 * of its own in front. Undefined for a batch file that is, or does, anything else.
 */
export function readShim(text: string, folder: string): { program: string; args: string[] } | undefined {
  const line = text.split(/\r?\n/).findLast(each => each.trimEnd().endsWith('%*'));
  if (line === undefined || /NODE_PATH/.test(text)) return undefined;
  const part = String.raw`(?:"[^"]*"|[^\s"&|]+)`;
  const command = new RegExp(String.raw`^(?:.*&\s+|\s*@?)(${part}(?:\s+${part})*)\s+%\*\s*$`).exec(line)?.[1];
  const words = command?.match(new RegExp(part, 'g'))?.map(word => resolveWord(word.replaceAll('"', ''), text, folder));
  const [program, ...args] = words ?? [];
  if (program === undefined || !args.every(word => word !== undefined)) return undefined;
  return program === 'node' || win32.isAbsolute(program) ? { program, args } : undefined;
}

/** A word of a stand-in's line: beside it (`%~dp0\\x`), one of its variables, or plain; else undefined. */
function resolveWord(word: string, text: string, folder: string): string | undefined {
  const beside = /^%(?:~dp0|dp0%)\\?([^%]*)$/i.exec(word)?.[1];
  if (beside !== undefined) return win32.join(folder, beside);
  const variable = /^%(\w+)%$/.exec(word)?.[1];
  if (variable !== undefined) {
    const values = [...text.matchAll(/\bSET\s+"(\w+)=([^"]*)"/gi)].flatMap(([, name, value = '']) =>
      name === variable && value !== word ? [value] : [],
    );
    if (values.includes('node')) return 'node';
    const [first] = values;
    return first === undefined || /^%\w+%$/.test(first) ? undefined : resolveWord(first, text, folder);
  }
  return word.includes('%') ? undefined : word;
}

/** One argument as the C runtime of the program takes it apart again. */
export function quoteArgument(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument;
  return quoted(argument);
}

/** Backslashes count only before a quote: those are doubled, and so are those before the closing one. */
function quoted(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

const special = /[()\][%!^"`<>&|;, *?]/g;

/**
 * A command line for `cmd.exe /d /s /c "..."`. Every character that cmd.exe would act on is escaped: once for cmd.exe,
 * and `twice` when a batch file hands its arguments on, since its line is read again.
 */
export function cmdLine(file: string, args: readonly string[], twice: boolean): string {
  const escape = (text: string): string => text.replace(special, '^$&');
  const argument = (text: string): string => {
    if (/[\r\n\0]/.test(text)) throw new TypeError('A batch file cannot be given an argument of several lines.');
    const once = escape(quoted(text));
    return twice ? escape(once) : once;
  };
  return [escape(win32.normalize(file)), ...args.map(argument)].join(' ');
}
