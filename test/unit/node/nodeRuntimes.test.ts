import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readVersion } from '../../../src/base/versions';
import { besideNode, chooseNode, findNodes, versionInPath, versionOf } from '../../../src/node/nodeRuntimes';
import { CommandSearch } from '../../../src/node/which';

describe('Nodes on the machine', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'nodes-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  /** A stand-in that notes each time it is asked. */
  const put = (name: string, version: string, script = `echo ${version}`) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho x >> ${root}/asked\n${script}\n`, { mode: 0o755 });
    return file;
  };
  const asked = () => {
    try {
      return readFileSync(path.join(root, 'asked'), 'utf8').length / 2;
    } catch {
      return 0;
    }
  };
  const find = (...folders: string[]) =>
    findNodes(
      new CommandSearch('linux'),
      folders.map(folder => path.join(root, folder)),
      process.env,
    );

  it('finds all, newest first', async () => {
    put('usr/node', 'v20.20.2');
    put('opt/node', 'v9.1.0');
    put('new/node', 'v24.1.0');
    const nodes = await find('usr', 'opt', 'missing', 'new');
    assert.deepEqual(
      nodes.map(({ version }) => version.numbers.join('.')),
      ['24.1.0', '20.20.2', '9.1.0'],
    );
  });

  it('takes the version from the folder of a version manager, without starting anything', async () => {
    put('.nvm/versions/node/v22.1.0/bin/node', 'v1.0.0');
    const [node] = await find('.nvm/versions/node/v22.1.0/bin');
    assert.deepEqual(node?.version.numbers, [22, 1, 0]);
    assert.equal(asked(), 0);
    assert.deepEqual(versionInPath('C:\\nvm\\v18.2.3\\node.exe')?.numbers, [18, 2, 3]);
    assert.equal(versionInPath('/usr/lib/node-22/node'), undefined);
  });

  it('leaves out one that does not answer, or is none', async () => {
    put('broken/node', '', 'exit 1');
    put('silent/node', '', 'exec sleep 60');
    put('good/node', 'v22.0.0');
    const nodes = await find('broken', 'silent', 'good');
    assert.equal(nodes.length, 1);
  });

  it('takes the first of several names of one Node', async () => {
    const real = put('lib/node', 'v22.0.0');
    for (const folder of ['a', 'b']) {
      mkdirSync(path.join(root, folder));
      symlinkSync(real, path.join(root, folder, 'node'));
    }
    const nodes = await find('a', 'b', 'lib');
    assert.deepEqual(
      nodes.map(node => node.path),
      [path.join(root, 'a/node')],
    );
  });

  it('asks a file once until it changes', async () => {
    const file = put('a/node', 'v20.0.0');
    const version = async () => (await versionOf(file, process.env))?.numbers[0];
    assert.deepEqual([await version(), await version(), asked()], [20, 20, 1]);
    put('a/node', 'v22.0.0');
    utimesSync(file, 1, 1);
    assert.deepEqual([await version(), asked()], [22, 2]);
  });

  const nodes = ['24.1.0', '22.9.0', '20.10.0'].map(text => {
    const version = readVersion(text);
    assert(version);
    return { path: `/n/${text}/bin/node`, version };
  });
  const choose = (range?: string) => {
    const choice = chooseNode(nodes, range);
    return [choice?.node.version.numbers.join('.'), choice?.fits];
  };

  it('chooses the newest that fits `engines`', () => {
    assert.deepEqual(choose(), ['24.1.0', true]);
    assert.deepEqual(choose('>=22'), ['24.1.0', true]);
    assert.deepEqual(choose('^20.9 || ^22.5'), ['22.9.0', true]);
    assert.deepEqual(choose('20.x'), ['20.10.0', true]);
    assert.deepEqual(choose('whatever'), ['24.1.0', true]);
  });

  it('says so when none fits', () => {
    assert.deepEqual(choose('>=26'), ['24.1.0', false]);
    assert.equal(chooseNode([], '>=1'), undefined);
  });

  it('finds npm beside a Node', () => {
    const [node] = nodes;
    assert(node);
    assert.equal(besideNode(node, 'npm', 'linux'), '/n/24.1.0/bin/npm');
    assert.equal(besideNode(node, 'npm', 'win32'), '/n/24.1.0/bin/npm.cmd');
  });
});
