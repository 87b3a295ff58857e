import assert from 'node:assert/strict';
import { childEnvironment } from '../../../src/node/childEnvironment';

const host = {
  PATH: '/bin',
  HOME: '/home/me',
  ELECTRON_RUN_AS_NODE: '1',
  VSCODE_PID: '1',
  VSCODE_IPC_HOOK: 'x',
  NODE_OPTIONS: '--inspect',
  NODE_DEBUG: 'net',
  NODE_INSPECT_RESUME_ON_START: '1',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  CLAUDECODE: '1',
  npm_config_prefix: '/p',
  npm_lifecycle_event: 'start',
  EMPTY: '',
  MISSING: undefined,
};

describe('childEnvironment', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    it(`leaves out what belongs to the host on ${platform}`, () => {
      assert.deepEqual(childEnvironment(host, {}, platform), {
        PATH: '/bin',
        HOME: '/home/me',
        NODE_EXTRA_CA_CERTS: '/ca.pem',
        EMPTY: '',
      });
    });
  }

  it('puts the plan on top, also of what was left out', () => {
    const environment = childEnvironment(host, { HOME: '/other', NODE_OPTIONS: '--use-system-ca', KEY: 'v' }, 'linux');
    assert.equal(environment['HOME'], '/other');
    assert.equal(environment['NODE_OPTIONS'], '--use-system-ca');
    assert.equal(environment['KEY'], 'v');
  });

  it('takes names that differ in case as one on Windows only', () => {
    const base = { Path: 'C:\\bin', Electron_Run_As_Node: '1', NPM_CONFIG_PREFIX: 'x' };
    assert.deepEqual(childEnvironment(base, { PATH: 'D:\\bin' }, 'win32'), { PATH: 'D:\\bin' });
    assert.deepEqual(childEnvironment(base, { PATH: '/bin' }, 'linux'), { ...base, PATH: '/bin' });
  });

  it('tells only a child on the own runtime to be Node', () => {
    assert.equal(childEnvironment(host, {}, 'linux', true)['ELECTRON_RUN_AS_NODE'], '1');
    assert.equal(childEnvironment(host, {}, 'linux')['ELECTRON_RUN_AS_NODE'], undefined);
  });

  it('changes nothing of what it was given', () => {
    const before = structuredClone(host);
    childEnvironment(host, { A: '1' }, 'linux', true);
    assert.deepEqual(host, before);
  });
});
