import assert from 'node:assert/strict';
import { resolveEnvironment, type EnvironmentSources } from '../../../src/node/environment';
import { toolFolders, type Machine } from '../../../src/node/toolFolders';

const resolve = (more: Partial<EnvironmentSources>) =>
  resolveEnvironment({ platform: 'linux', process: {}, tools: [], exists: () => true, ...more });

describe('the environment of agents', () => {
  it('searches the process first, then the login shell, the known folders, the user', () => {
    const { env, path } = resolve({
      process: { PATH: '/usr/bin:/bin' },
      loginShell: { PATH: '/home/u/fakebin:/usr/bin' },
      tools: ['/home/u/.bun/bin', '/bin'],
      user: { PATH: '/opt/mine:/home/u/fakebin' },
    });
    assert.equal(env['PATH'], '/usr/bin:/bin:/home/u/fakebin:/home/u/.bun/bin:/opt/mine');
    assert.deepEqual(
      path.map(({ origin }) => origin),
      ['process', 'process', 'loginShell', 'tools', 'user'],
    );
  });

  it('leaves out folders that are not there, are relative, or come a second time in another spelling', () => {
    const { env } = resolve({
      process: { PATH: '/a:/gone:.:bin:/a/:/b//c' },
      loginShell: { PATH: '/b/c' },
      exists: folder => folder !== '/gone',
    });
    assert.equal(env['PATH'], '/a:/b//c');
  });

  it('the login shell only adds variables', () => {
    const { env } = resolve({
      process: { PATH: '/a', KEY: 'host' },
      loginShell: { PATH: '/b', KEY: 'shell', API_KEY: 'k', SHLVL: '3', PWD: '/x', TERM: 'dumb', _: '/usr/bin/env' },
    });
    assert.deepEqual(env, { PATH: '/a:/b', KEY: 'host', API_KEY: 'k' });
  });

  it('the user adds, changes and removes variables', () => {
    const { env } = resolve({
      process: { A: '1', B: '2' },
      loginShell: { C: '3' },
      user: { A: 'x', B: null, C: null, D: '4' },
    });
    assert.deepEqual(env, { A: 'x', D: '4', PATH: '' });
  });

  it("keeps the host's own variables from every source but the user's", () => {
    const own = {
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '1',
      VSCODE_IPC_HOOK: 'x',
      NODE_OPTIONS: '--inspect',
      NODE_DEBUG: 'http',
      NODE_INSPECT_RESUME_ON_START: '1',
      CLAUDECODE: '1',
      npm_config_prefix: '/x',
      npm_lifecycle_event: 'test',
    };
    const keep = { NODE_EXTRA_CA_CERTS: '/ca.pem', ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'p' };
    assert.deepEqual(resolve({ process: { ...own, ...keep } }).env, { ...keep, PATH: '' });
    assert.deepEqual(resolve({ loginShell: { ...own, ...keep } }).env, { ...keep, PATH: '' });
    const wanted = { NODE_OPTIONS: '--max-old-space-size=8192' };
    assert.deepEqual(resolve({ user: wanted }).env, { ...wanted, PATH: '' });
  });

  it('knows on Windows that names and folders differ in case only', () => {
    const { env, path } = resolve({
      platform: 'win32',
      process: { Path: 'C:\\A;C:\\b\\', vscode_pid: '1', Key: '1' },
      tools: ['c:\\a', 'C:\\B', 'C:\\tools'],
      user: { PATH: 'D:\\mine', KEY: null },
    });
    assert.deepEqual(env, { PATH: 'C:\\A;C:\\b\\;C:\\tools;D:\\mine' });
    assert.equal(path.length, 4);
  });
});

describe('folders of tools', () => {
  const machine = (platform: NodeJS.Platform, home: string, lists: Record<string, string[]>, env = {}): Machine => ({
    platform,
    home,
    env,
    exists: () => true,
    list: folder => lists[folder] ?? [],
  });

  it('knows those of Linux and macOS', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const folders = toolFolders(machine(platform, '/h', {}));
      for (const part of ['.bun/bin', '.cargo/bin', 'go/bin', '.deno/bin', '.local/bin', '.volta/bin', '.asdf/shims'])
        assert(folders.includes(`/h/${part}`), `${platform} ${part}`);
    }
    assert(toolFolders(machine('darwin', '/h', {})).includes('/opt/homebrew/bin'));
  });

  it('knows those of Windows', () => {
    const env = {
      AppData: 'C:\\Users\\u\\AppData\\Roaming',
      LocalAppData: 'C:\\Users\\u\\AppData\\Local',
      ProgramFiles: 'C:\\Program Files',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      ChocolateyInstall: 'C:\\choco',
      NVM_SYMLINK: 'C:\\nvm4w\\nodejs',
      SCOOP: 'D:\\scoop',
    };
    const folders = toolFolders(machine('win32', 'C:\\Users\\u', {}, env));
    const wanted = [
      'C:\\Users\\u\\AppData\\Roaming\\npm',
      'C:\\Program Files\\nodejs',
      'C:\\Users\\u\\AppData\\Roaming\\nvm',
      'C:\\nvm4w\\nodejs',
      'C:\\Users\\u\\AppData\\Local\\fnm_multishells',
      'C:\\Users\\u\\.volta\\bin',
      'D:\\scoop\\shims',
      'C:\\Users\\u\\AppData\\Local\\pnpm',
      'C:\\choco\\bin',
      'C:\\Program Files\\Git\\cmd',
      'C:\\Program Files\\Git\\bin',
      'C:\\Program Files\\Git\\usr\\bin',
      'C:\\Program Files (x86)\\Git\\cmd',
      'C:\\cygwin64\\bin',
      'C:\\cygwin\\bin',
      'C:\\Users\\u\\.bun\\bin',
    ];
    for (const folder of wanted) assert(folders.includes(folder), folder);
  });

  it('takes the versions of a version manager newest first, by number', () => {
    const lists = { '/h/.nvm/versions/node': ['v9.11.2', 'v22.1.0', 'v10.0.0', 'system'] };
    const folders = toolFolders(machine('linux', '/h', lists)).filter(folder => folder.includes('.nvm'));
    assert.deepEqual(
      folders.map(folder => folder.split('/').at(-2)),
      ['v22.1.0', 'v10.0.0', 'v9.11.2'],
    );
  });

  it('goes where the environment says that a manager lives', () => {
    const env = {
      NVM_DIR: '/nvm',
      VOLTA_HOME: '/volta',
      ASDF_DATA_DIR: '/asdf',
      MISE_DATA_DIR: '/mise',
      FNM_DIR: '/fnm',
    };
    const lists = { '/nvm/versions/node': ['v20.0.0'], '/fnm/node-versions': ['v18.0.0'] };
    const folders = toolFolders(machine('linux', '/h', lists, env));
    const wanted = ['/nvm/versions/node/v20.0.0/bin', '/volta/bin', '/asdf/shims', '/mise/shims'];
    for (const folder of [...wanted, '/fnm/node-versions/v18.0.0/installation/bin'])
      assert(folders.includes(folder), folder);
  });

  it('gives only folders that exist', () => {
    const folders = toolFolders({ ...machine('linux', '/h', {}), exists: folder => folder === '/h/.cargo/bin' });
    assert.deepEqual(folders, ['/h/.cargo/bin']);
  });
});
