import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { cmdLine, quoteArgument, readShim, windowsLaunch, type WindowsContext } from '../../../src/node/windowsQuoting';

/** What cmd.exe leaves of a line: outside of quotes a caret frees the next character; percent signs stay unless a variable is named. */
function cmdReads(line: string, variables: Record<string, string>): string {
  const expanded = line.replace(/%([^%:]+)%/g, (whole, name: string) => variables[name.toUpperCase()] ?? whole);
  let result = '';
  let inQuotes = false;
  for (let at = 0; at < expanded.length; at += 1) {
    const char = expanded[at] ?? '';
    if (char === '^' && !inQuotes) {
      at += 1;
      result += expanded[at] ?? '';
      continue;
    }
    if (char === '"') inQuotes = !inQuotes;
    else if (!inQuotes) assert(!/[&|<>()]/.test(char), `cmd.exe would act on ${char} in ${line}`);
    result += char;
  }
  return result;
}

/** How the C runtime takes a command line apart. */
function programReads(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let inQuotes = false;
  for (let at = 0; at < line.length;) {
    const [backslashes = ''] = /^\\*/.exec(line.slice(at)) ?? [];
    at += backslashes.length;
    if (line[at] === '"') {
      current = (current ?? '') + '\\'.repeat(Math.floor(backslashes.length / 2));
      if (backslashes.length % 2 === 1) current += '"';
      else inQuotes = !inQuotes;
      at += 1;
      continue;
    }
    if (backslashes) current = (current ?? '') + backslashes;
    const char = line[at];
    if (char === undefined) break;
    if (/[ \t]/.test(char) && !inQuotes) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else current = (current ?? '') + char;
    at += 1;
  }
  if (current !== undefined) args.push(current);
  return args;
}

const vectors = [
  'plain',
  '',
  'a b',
  '--flag=a b',
  '100%',
  '%PATH%',
  '%PATH:~0,1%',
  'a&b',
  'a^b',
  'a^^b',
  'a!b!',
  '"q"',
  'say "hi" & del',
  'C:\\dir\\',
  'C:\\a dir\\',
  '\\\\host\\share\\',
  'a\\"b',
  'a\\\\"b',
  'ends in two\\\\',
  '(x)',
  '<in >out |pipe',
  ';,=',
  '*?',
  "it's `ticked`",
  'ünïcödé 中文',
  '\t',
];
const variables = { PATH: 'EVIL', 'PATH:~0,1': 'E' };

describe('quoting for Windows', () => {
  for (const twice of [false, true]) {
    const through = (args: readonly string[]): string[] => {
      let line = cmdLine('C:\\x\\tool.cmd', args, twice);
      for (let round = twice ? 2 : 1; round > 0; round -= 1) {
        line = cmdReads(line, variables);
        // A batch file hands on what follows its own name.
        if (round === 2) line = line.slice('C:\\x\\tool.cmd '.length);
      }
      return programReads(twice ? line : line.slice('C:\\x\\tool.cmd '.length));
    };

    it(`brings every argument through ${twice ? 'a batch file' : 'cmd.exe'} unchanged`, () => {
      for (const vector of vectors) assert.deepEqual(through([vector, 'next']), [vector, 'next'], vector);
      assert.deepEqual(through(vectors), vectors);
    });

    it(`does so for any text (${twice ? 'twice' : 'once'})`, () => {
      const characters = fc.constantFrom(...'ab \\"%^&!()<>|;,*?`~[]$\t\'é');
      const text = fc.string({ unit: characters, maxLength: 12 });
      fc.assert(fc.property(fc.array(text, { maxLength: 4 }), args => assert.deepEqual(through(args), args)));
    });
  }

  it('agrees with a well-kept library', () => {
    const load = createRequire(`${process.cwd()}/package.json`);
    const library = load('cross-spawn/lib/util/escape.js') as {
      command(text: string): string;
      argument(text: string, twice: boolean): string;
    };
    // Of several backslashes before a quote the library doubles only the last, and the program reads another text.
    const agreed = vectors.filter(vector => !/\\\\("|$)/.test(vector));
    assert.equal(agreed.length, vectors.length - 2);
    for (const twice of [false, true]) {
      const theirs = [library.command('C:\\Program Files\\x\\a.cmd'), ...agreed.map(v => library.argument(v, twice))];
      assert.equal(cmdLine('C:\\Program Files\\x\\a.cmd', agreed, twice), theirs.join(' '));
    }
  });

  it('quotes for a program as the program reads', () => {
    for (const vector of vectors) assert.deepEqual(programReads(quoteArgument(vector)), [vector], vector);
    assert.equal(quoteArgument('C:\\dir\\'), 'C:\\dir\\');
  });

  it('refuses what cmd.exe cannot carry', () => {
    for (const text of ['a\nb', 'a\rb', 'a\0b']) assert.throws(() => cmdLine('a.cmd', [text], false), TypeError);
  });
});

const npmShim = (call: string) => `@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ${call}\r
`;
const nodeShim = npmShim('"%_prog%"  "%dp0%\\node_modules\\@google\\gemini-cli\\dist\\index.js" %*');
const npx = `:: Created by npm, please don't edit manually.\r
@ECHO OFF\r
SETLOCAL\r
SET "NODE_EXE=%~dp0\\node.exe"\r
IF NOT EXIST "%NODE_EXE%" (\r
  SET "NODE_EXE=node"\r
)\r
SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"\r
SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"\r
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (\r
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\\node_modules\\npm\\bin\\npx-cli.js"\r
)\r
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (\r
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"\r
)\r
"%NODE_EXE%" "%NPX_CLI_JS%" %*\r
`;

describe('stand-ins of npm on Windows', () => {
  const folder = 'C:\\Users\\My Name\\npm';

  it('gives the script behind one', () => {
    const args = [`${folder}\\node_modules\\@google\\gemini-cli\\dist\\index.js`];
    assert.deepEqual(readShim(nodeShim, folder), { program: 'node', args });
  });

  it("keeps the interpreter's own flags", () => {
    const text = npmShim('"%_prog%" --no-warnings "%dp0%\\node_modules\\x\\cli.js" %*');
    assert.deepEqual(readShim(text, folder)?.args, ['--no-warnings', `${folder}\\node_modules\\x\\cli.js`]);
  });

  it('gives the program behind one', () => {
    const text = '@SETLOCAL\r\n@CALL :find_dp0\r\n"%dp0%\\node_modules\\opencode-ai\\bin\\opencode.exe"   %*\r\n';
    const program = `${folder}\\node_modules\\opencode-ai\\bin\\opencode.exe`;
    assert.deepEqual(readShim(text, folder), { program, args: [] });
  });

  it('reads the older form', () => {
    const text =
      '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\node_modules\\x\\cli.js" %*\r\n) ELSE (\r\n' +
      '  @SETLOCAL\r\n  @SET PATHEXT=%PATHEXT:;.JS;=;%\r\n  node  "%~dp0\\node_modules\\x\\cli.js" %*\r\n)';
    assert.deepEqual(readShim(text, folder), { program: 'node', args: [`${folder}\\node_modules\\x\\cli.js`] });
  });

  it('reads npx itself', () => {
    const args = ['C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js'];
    assert.deepEqual(readShim(npx, 'C:\\Program Files\\nodejs'), { program: 'node', args });
  });

  it('does not guess at any other batch file', () => {
    const others = [
      '@echo hello\r\n',
      '@python "%~dp0\\x.py" %*\r\n',
      '"%SOME_TOOL%" %*\r\n',
      '@SET "NODE_PATH=C:\\x"\r\nnode "%~dp0\\x.js" %*\r\n',
      'node %SCRIPT% %*\r\n',
      'echo x | node "%~dp0\\x.js" %*\r\n',
    ];
    for (const text of others) assert.equal(readShim(text, folder), undefined, text);
  });

  const context = (files: Record<string, string>): WindowsContext => ({
    read: file => files[file],
    find: command => (command === 'node' ? 'C:\\Program Files\\nodejs\\node.exe' : undefined),
    comspec: 'C:\\Windows\\System32\\cmd.exe',
  });

  it('starts the program behind a stand-in with the arguments as they are', () => {
    const launch = windowsLaunch(
      `${folder}\\gemini.cmd`,
      ['a b', '100%'],
      context({ [`${folder}\\gemini.cmd`]: nodeShim }),
    );
    assert.deepEqual(launch, {
      command: 'C:\\Program Files\\nodejs\\node.exe',
      args: [`${folder}\\node_modules\\@google\\gemini-cli\\dist\\index.js`, 'a b', '100%'],
      verbatim: false,
    });
  });

  it('takes the node beside the stand-in first', () => {
    const files = { [`${folder}\\gemini.cmd`]: nodeShim, [`${folder}\\node.exe`]: '' };
    assert.equal(windowsLaunch(`${folder}\\gemini.cmd`, [], context(files)).command, `${folder}\\node.exe`);
  });

  it('runs any other batch file by cmd.exe', () => {
    const launch = windowsLaunch('C:\\my tools\\run.bat', ['a b'], context({ 'C:\\my tools\\run.bat': '@echo %1' }));
    assert.equal(launch.command, 'C:\\Windows\\System32\\cmd.exe');
    assert.deepEqual(launch.args.slice(0, 3), ['/d', '/s', '/c']);
    assert.equal(launch.args[3], `"${cmdLine('C:\\my tools\\run.bat', ['a b'], true)}"`);
    assert.equal(launch.verbatim, true);
  });

  it('leaves programs alone', () => {
    const launch = windowsLaunch('C:\\a b\\x.exe', ['"'], context({}));
    assert.deepEqual(launch, { command: 'C:\\a b\\x.exe', args: ['"'], verbatim: false });
  });
});
