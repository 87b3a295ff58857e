import assert from 'node:assert/strict';
import { terminalLaunch, type LaunchContext } from '../../../src/node/terminalLaunch';

const linux: LaunchContext = { platform: 'linux', shell: '/bin/bash', isFile: false };
const windows: LaunchContext = { platform: 'win32', shell: 'C:\\Windows\\cmd.exe', isFile: false };

describe('terminalLaunch', () => {
  it('starts a program with arguments as it is', () => {
    for (const context of [linux, windows])
      assert.deepEqual(terminalLaunch('python', ['-c', 'print(1+1) && $x %OS%'], context), {
        command: 'python',
        args: ['-c', 'print(1+1) && $x %OS%'],
        verbatim: false,
      });
  });

  it('starts a file as it is, whatever its name', () => {
    const command = '/w/my tool/run it';
    assert.deepEqual(terminalLaunch(command, [], { ...linux, isFile: true }), { command, args: [], verbatim: false });
  });

  it('gives a whole line to the shell, unchanged', () => {
    const line = 'node -e "console.log(1)" && echo %OS% $x';
    assert.deepEqual(terminalLaunch(line, [], linux), { command: '/bin/bash', args: ['-c', line], verbatim: false });
    assert.deepEqual(terminalLaunch(line, [], windows), {
      command: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', `"${line}"`],
      verbatim: true,
    });
  });

  it("does not take a user's shell that reads another language", () => {
    for (const shell of ['/usr/bin/fish', '/usr/bin/nu', 'bash', undefined])
      assert.equal(terminalLaunch('ls | wc', [], { ...linux, shell }).command, '/bin/sh');
    for (const shell of ['/bin/zsh', '/bin/sh', '/opt/bin/bash'])
      assert.equal(terminalLaunch('ls | wc', [], { ...linux, shell }).command, shell);
    assert.equal(terminalLaunch('dir', [], { platform: 'win32', shell: undefined, isFile: false }).command, 'cmd.exe');
  });
});
