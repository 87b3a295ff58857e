import assert from 'node:assert/strict';
import { failureKind, nextAttempt, type FailureKind, type Repair } from '../../../src/connect/installPolicy';

/** What npm and programs print in real life (names and folders changed). */
const table: [what: string, text: string, kind: FailureKind, repairs: Repair[]][] = [
  [
    'a version that the cached index does not know yet',
    'npm error code ETARGET\nnpm error notarget No matching version found for @s/agent-acp@0.101.0.\n' +
      "npm error notarget In most cases you or one of your dependencies are requesting\nnpm error notarget a package version that doesn't exist.",
    'noSuchVersion',
    ['askRegistry', 'freshCache'],
  ],
  [
    'the same, of an older npm',
    'npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for x@1',
    'noSuchVersion',
    ['askRegistry', 'freshCache'],
  ],
  [
    'a version younger than the user allows',
    'npm error code ETARGET\nnpm error notarget No matching version found for @s/agent-acp@0.81.0 with a date before 9/22/2026, 12:28:47 PM.',
    'tooNew',
    [],
  ],
  [
    'an npx folder that two installed into at once',
    "npm error code ENOTEMPTY\nnpm error syscall rename\nnpm error path /home/u/.npm/_npx/f4a33d9b4519ccab/node_modules/x\nnpm error errno -66\nnpm error ENOTEMPTY: directory not empty, rename '/home/u/a' -> '/home/u/b'",
    'brokenFolder',
    ['emptyFolder', 'freshCache'],
  ],
  [
    'a folder whose program is missing',
    'sh: claude-agent-acp: command not found',
    'brokenFolder',
    ['emptyFolder', 'freshCache'],
  ],
  ['the same in dash', 'sh: 1: claude-agent-acp: not found', 'brokenFolder', ['emptyFolder', 'freshCache']],
  [
    'the same on Windows',
    "'claude-agent-acp' is not recognized as an internal or external command,\r\noperable program or batch file.",
    'brokenFolder',
    ['emptyFolder', 'freshCache'],
  ],
  [
    'a folder with files missing',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/u/.npm/_npx/705d23756ff7dacc/node_modules/x/dist/chunk.js' imported from /home/u/x",
    'brokenFolder',
    ['emptyFolder', 'freshCache'],
  ],
  [
    'a folder without its package.json',
    "npm error code ENOENT\nnpm error syscall open\nnpm error path C:\\Users\\u\\npm-cache\\_npx\\cc37f5434e236bda\\package.json\nnpm error errno -4058\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open 'C:\\Users\\u\\x\\package.json'",
    'brokenFolder',
    ['emptyFolder', 'freshCache'],
  ],
  [
    "a cache with root's files",
    'npm error code EACCES\nnpm error syscall open\nnpm error path /home/u/.npm/_cacache/tmp/fe0cf042\nnpm error errno -13\nnpm error\nnpm error Your cache folder contains root-owned files, due to a bug in\nnpm error previous versions of npm which has since been addressed.',
    'cacheNotWritable',
    ['freshCache'],
  ],
  [
    'a cache that cannot be made',
    'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/u/.npm\nnpm error errno -13',
    'cacheNotWritable',
    ['freshCache'],
  ],
  [
    'a damaged cache entry',
    'npm error code EINTEGRITY\nnpm error sha512-AbC== integrity checksum failed when using sha512: wanted sha512-AbC== but got sha512-XyZ==. (1234 bytes)',
    'brokenCache',
    ['freshCache'],
  ],
  [
    'a cache entry that is gone',
    "npm error code ENOENT\nnpm error syscall open\nnpm error path /home/u/.npm/_cacache/content-v2/sha512/52/2a/0b70\nnpm error enoent ENOENT: no such file or directory, open '/home/u/.npm/_cacache/content-v2/sha512/52/2a/0b70'",
    'brokenCache',
    ['freshCache'],
  ],
  [
    'a damaged archive',
    'npm warn tar TAR_BAD_ARCHIVE: Unrecognized archive format\nnpm error code TAR_BAD_ARCHIVE',
    'brokenCache',
    ['freshCache'],
  ],
  [
    'no network',
    'npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\nnpm error network request to https://registry.invalid/x failed, reason: getaddrinfo ENOTFOUND registry.invalid',
    'network',
    ['askRegistry'],
  ],
  [
    'a proxy that is down',
    'npm error code ECONNREFUSED\nnpm error network connect ECONNREFUSED 127.0.0.1:3128',
    'network',
    ['askRegistry'],
  ],
  ['a slow network', 'npm error code ERR_SOCKET_TIMEOUT\nnpm error network Socket timeout', 'network', ['askRegistry']],
  [
    'a package that is not there',
    'npm error code E404\nnpm error 404 Not Found - GET https://registry.invalid/x - Not found',
    'noSuchPackage',
    ['askRegistry'],
  ],
  ['a registry that wants a login', 'npm error code E401\nnpm error Incorrect or missing password.', 'noAccess', []],
  [
    'a registry that refuses',
    'npm error code E403\nnpm error 403 403 Forbidden - GET https://registry.invalid/x',
    'noAccess',
    [],
  ],
  [
    "a company's certificate",
    'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.invalid/x failed, reason: self-signed certificate in certificate chain',
    'certificate',
    [],
  ],
  ['a full disk', 'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', 'diskFull', []],
  [
    'the wrong platform',
    'npm error code EBADPLATFORM\nnpm error notsup Unsupported platform for x@1',
    'wrongPlatform',
    [],
  ],
  [
    'the wrong Node',
    'npm error code EBADENGINE\nnpm error engine Not compatible with your version of node/npm: x@1',
    'wrongNode',
    [],
  ],
  [
    'a folder that cannot be written',
    "npm error code EACCES\nnpm error path /opt/agents\nnpm error Error: EACCES: permission denied, mkdir '/opt/agents/x'",
    'notWritable',
    [],
  ],
  ['anything else', 'npm error Exit handler never called!', 'other', ['askRegistry', 'emptyFolder']],
  ['silence', '', 'other', ['askRegistry', 'emptyFolder']],
];

describe('the policy of installations', () => {
  for (const [what, text, kind, repairs] of table) {
    it(`knows ${what}: ${kind}, then ${repairs.join(', ') || 'nothing'}`, () => {
      assert.equal(failureKind({ stage: 'install', text }), kind);
      const tried: Repair[] = [];
      let next = nextAttempt({ repairs: [] }, { stage: 'install', text });
      for (; next.do === 'retry'; next = nextAttempt(next.plan, { stage: 'install', text }))
        tried.push(...next.plan.repairs.slice(-1));
      assert.deepEqual(tried, repairs);
      assert.equal(next.kind, kind);
      assert.match(next.reason, /\.( \w[^.]*\.)*$|\)\.$/);
    });
  }

  it('knows that npm is not there', () => {
    const next = nextAttempt({ repairs: [] }, { stage: 'install', text: 'spawn npm ENOENT', code: 'ENOENT' });
    assert(next.do === 'giveUp');
    assert.equal(next.kind, 'noNpm');
  });

  it('takes a warning about Node for no failure', () => {
    const text =
      "npm warn EBADENGINE Unsupported engine { package: 'x@1', required: { node: '>=22' } }\nnpm error code ENOSPC";
    assert.equal(failureKind({ stage: 'install', text }), 'diskFull');
  });

  it('follows a failure that changes', () => {
    const first = nextAttempt({ repairs: [] }, { stage: 'install', text: 'npm error code ETARGET' });
    assert(first.do === 'retry');
    const second = nextAttempt(first.plan, { stage: 'install', text: 'npm error code EINTEGRITY' });
    assert(second.do === 'retry');
    assert.deepEqual(second.plan.repairs, ['askRegistry', 'freshCache']);
  });

  it('repairs a program that does not come up only when its files are damaged', () => {
    const start = (text: string) => nextAttempt({ repairs: [] }, { stage: 'start', text }).do;
    assert.equal(start("Error: Cannot find module '@s/agent-linux-x64'"), 'retry');
    assert.equal(start('Error: connect ECONNREFUSED 127.0.0.1:18789'), 'giveUp');
    assert.equal(start('Please log in'), 'giveUp');
  });
});
