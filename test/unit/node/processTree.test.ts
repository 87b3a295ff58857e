import assert from 'node:assert/strict';
import { parsePs, parseStat, processTable, treeBelow } from '../../../src/node/processTree';

const process_ = (pid: number, parent: number, group = pid) => ({ pid, parent, group, started: `t${pid}` });

describe('treeBelow', () => {
  const table = [
    process_(1, 0),
    process_(10, 1),
    process_(11, 10, 10),
    process_(12, 11, 12),
    process_(13, 12, 12),
    // Its parent has ended, but it is still in the group.
    process_(14, 1, 10),
    process_(15, 14, 15),
    process_(20, 1),
    process_(21, 20, 20),
  ];

  it('finds children of children, also in groups of their own, and orphans of the group', () => {
    const pids = treeBelow(table, 10).map(({ pid }) => pid);
    assert.deepEqual(
      pids.sort((a, b) => a - b),
      [11, 12, 13, 14, 15],
    );
  });

  it('never contains the root or its parents', () => {
    assert.deepEqual(treeBelow(table, 21), []);
  });

  it('ends on a table that goes in circles', () => {
    assert.equal(treeBelow([process_(10, 11), process_(11, 10), process_(12, 12)], 10).length, 1);
  });
});

describe('process tables', () => {
  it('reads a line of /proc whatever the name is', () => {
    const rest = Array.from({ length: 40 }, (_, index) => String(index)).join(' ');
    assert.deepEqual(parseStat(`42 (a) b (c)) S 7 8 ${rest}`), { pid: 42, parent: 7, group: 8, started: '16' });
  });

  it('leaves out what has ended', () => {
    assert.equal(parseStat('42 (x) Z 7 8 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20'), undefined);
    assert.equal(parseStat(''), undefined);
  });

  it('reads the output of ps', () => {
    assert.deepEqual(
      parsePs('    1     0     1 Mon Nov 30 10:00:00 2026\n  501     1   400 Mon Nov 30 10:00:01 2026\n'),
      [
        { pid: 1, parent: 0, group: 1, started: 'Mon Nov 30 10:00:00 2026' },
        { pid: 501, parent: 1, group: 400, started: 'Mon Nov 30 10:00:01 2026' },
      ],
    );
  });

  it('lists the processes of this machine', async function () {
    if (process.platform === 'win32') this.skip();
    const own = (await processTable(process.platform)).find(({ pid }) => pid === process.pid);
    assert.equal(own?.parent, process.ppid);
  });
});
