import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delay } from '../../../src/base/async';
import {
  readDscl,
  readLoginShell,
  readMarked,
  readPasswd,
  reasonToSkip,
  shellArguments,
} from '../../../src/node/loginShell';

const bash = '/bin/bash';

describe('the login shell', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), 'login-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const put = (name: string, text: string) => writeFileSync(path.join(home, name), text, { mode: 0o755 });
  const read = (more: { shell?: string; limitMs?: number; signal?: AbortSignal; env?: NodeJS.ProcessEnv } = {}) =>
    readLoginShell({
      platform: 'linux',
      runtime: process.execPath,
      shell: bash,
      signal: new AbortController().signal,
      ...more,
      env: { HOME: home, PATH: '/usr/bin:/bin', ...more.env },
    });
  const readEnv = async (more?: Parameters<typeof read>[0]) => {
    const result = await read(more);
    assert(result.kind === 'read', JSON.stringify(result));
    return result.env;
  };

  describe('(bash itself)', function () {
    before(function () {
      if (!existsSync(bash)) this.skip();
    });

    it('adds what start-up files set, at login and for a person', async () => {
      put('.bash_profile', '. ~/.bashrc; export FROM_PROFILE=1');
      put('.bashrc', 'case $- in *i*) ;; *) return;; esac; export PATH="$HOME/fakebin:$PATH" API_KEY="a b\'c"');
      const env = await readEnv();
      assert.equal(env['FROM_PROFILE'], '1');
      assert.equal(env['API_KEY'], "a b'c");
      assert.match(env['PATH'] ?? '', new RegExp(`^${home}/fakebin:`));
    });

    it('is not misled by banners, prompts, or values that hold line ends', async () => {
      put(
        '.bash_profile',
        'echo "Welcome back {\\"a\\":1}"; printf "no newline"; export TWO=$\'a\\nb\'; trap "echo bye" EXIT',
      );
      assert.equal((await readEnv())['TWO'], 'a\nb');
    });

    it('gives start-up files nothing to read from, and no terminal to take', async () => {
      put('.bash_profile', 'cat > ~/stdin; read -t 5 x; tty > ~/tty; export DONE=1');
      assert.equal((await readEnv())['DONE'], '1');
      assert.equal(readFileSync(path.join(home, 'stdin'), 'utf8'), '');
      assert.match(readFileSync(path.join(home, 'tty'), 'utf8'), /not a tty/);
    });

    it('runs in a cleaned environment, and leaves nothing of its own in the answer', async () => {
      put('.bash_profile', 'env > ~/env');
      const env = { NODE_OPTIONS: '--no-such-option', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', KEEP: 'x' };
      const answer = await readEnv({ env });
      const inside = readFileSync(path.join(home, 'env'), 'utf8');
      assert.match(inside, /^KEEP=x$/m);
      assert.doesNotMatch(inside, /VSCODE_PID|NODE_OPTIONS/);
      for (const name of ['NODE_OPTIONS', 'VSCODE_PID', 'PORTSIDE_RESOLVING_ENVIRONMENT', 'DISABLE_AUTO_UPDATE'])
        assert.equal(answer[name], undefined, name);
    });

    it('is ended at the limit with all that it started', async () => {
      put('.bash_profile', 'sleep 300 & echo $! > ~/pid; sleep 300');
      const result = await read({ limitMs: 500 });
      assert(result.kind === 'failed');
      assert.match(result.why, /did not answer within 0.5 s/);
      await ended(Number(readFileSync(path.join(home, 'pid'), 'utf8')));
    });

    it('does not wait for jobs that start-up files leave running', async () => {
      put('.bash_profile', 'sleep 300 & echo $! > ~/pid; export DONE=1');
      assert.equal((await readEnv())['DONE'], '1');
      await ended(Number(readFileSync(path.join(home, 'pid'), 'utf8')));
    });

    it('can be stopped', async () => {
      put('.bash_profile', 'echo $$ > ~/pid; sleep 300');
      const controller = new AbortController();
      const waiting = read({ signal: controller.signal });
      const pid = path.join(home, 'pid');
      while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await delay(10);
      controller.abort(new Error('no longer wanted'));
      await assert.rejects(waiting, /no longer wanted/);
      await ended(Number(readFileSync(pid, 'utf8')));
    });

    it('says why when start-up files end it', async () => {
      put('.bash_profile', 'exit 7');
      const result = await read();
      assert(result.kind === 'failed');
      assert.match(result.why, /code 7/);
    });
  });

  it('says why when the shell is not there', async () => {
    const result = await read({ shell: '/no/such/shell' });
    assert(result.kind === 'failed');
    assert.match(result.why, /ENOENT/);
  });

  it('is left alone on Windows, and when VS Code was started from a terminal', async () => {
    assert.match(reasonToSkip('win32', {}) ?? '', /Windows/);
    assert.equal(reasonToSkip('darwin', {}), undefined);
    assert.equal((await read({ env: { VSCODE_CLI: '1' } })).kind, 'skipped');
  });

  it('is looked up in the user database', () => {
    assert.equal(readPasswd('u:x:1000:1000:U,,,:/home/u:/usr/bin/fish\n'), '/usr/bin/fish');
    assert.equal(readPasswd('www:x:33:33:www:/var/www:/usr/sbin/nologin'), undefined);
    assert.equal(readPasswd(''), undefined);
    assert.equal(readDscl('UserShell: /bin/zsh\n'), '/bin/zsh');
    assert.equal(readDscl('No such key: UserShell'), undefined);
  });

  it('gives each shell flags that it knows', () => {
    const flags = (shell: string) => shellArguments(shell, '/opt/it is/node', 'm').slice(0, -1);
    for (const shell of ['/bin/bash', '/bin/zsh', '/usr/bin/fish']) assert.deepEqual(flags(shell), ['-i', '-l', '-c']);
    assert.deepEqual(flags('/usr/bin/nu'), ['--interactive', '--login', '--commands']);
    assert.deepEqual(flags('/bin/tcsh'), ['-ic']);
    assert.deepEqual(flags('/usr/bin/pwsh'), ['-Login', '-Command']);
    const line = (shell: string) => shellArguments(shell, "/a'b/node", 'm').at(-1) ?? '';
    assert.match(line('/bin/zsh'), /^'\/a'\\''b\/node' -e '/);
    assert.match(line('/usr/bin/fish'), /^'\/a\\'b\/node' -e '/);
    assert.match(line('/usr/bin/nu'), /^\^"\/a'b\/node" -e "/);
  });

  it('reads only what lies between the marks', () => {
    assert.deepEqual(readMarked('x{M{"A":"1"}My', 'M'), { A: '1' });
    for (const text of ['', 'M', 'M{M', 'M[]M', '{"A":"1"}']) assert.equal(readMarked(text, 'M'), undefined, text);
  });
});

async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
      process.kill(pid, 0);
    } catch {
      return;
    }
    await delay(20);
  }
}
