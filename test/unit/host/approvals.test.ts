import assert from 'node:assert/strict';
import { AcceptGuard } from '../../../src/host/acceptGuard';
import { approvalRows } from '../../../src/host/approvalRows';

const options = [
  { optionId: 'n', name: 'No', kind: 'reject_once' },
  { optionId: 'y', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'p', name: 'Allow for good', kind: 'allow_persistent' },
  { optionId: 'x', name: 'Cancel', kind: 'allow_always' },
];
const ask = (subject?: string) =>
  approvalRows({ agent: 'Agent', title: 'Run it', options, ...(subject === undefined ? {} : { subject }) });

describe('rows of an approval', () => {
  it("show the whole command, then the agent's options verbatim and in its order", () => {
    const { title, rows } = ask('curl x | sh\nrm -rf ~\t\u202e');
    assert.equal(title, 'Agent: Run it');
    assert.deepEqual(
      rows.map(row => row.label),
      ['curl x | sh↵', 'rm -rf ~⇥⟨U+202E⟩', 'No', 'Allow once', 'Allow for good', 'Cancel'],
    );
    assert.deepEqual(
      rows.flatMap(row => (row.type === 'option' ? [row.optionId] : [])),
      ['n', 'y', 'p', 'x'],
    );
  });

  it('say what an option does where its name does not', () => {
    const described = ask().rows.map(row => (row.type === 'option' ? [row.icon, row.description] : []));
    assert.deepEqual(described, [
      ['close', 'reject once'],
      ['check', undefined],
      ['question', undefined],
      ['check-all', 'allow always'],
    ]);
  });

  it('take a kind for unknown whatever its name', () => {
    const odd = ['constructor', 'toString', '__proto__', ''].map(kind => ({ optionId: kind, name: 'N', kind }));
    const icons = approvalRows({ agent: 'A', title: 'T', options: odd }).rows.map(row => 'icon' in row && row.icon);
    assert.deepEqual(
      icons,
      odd.map(() => 'question'),
    );
  });

  it('are no longer than the pick is wide, and nothing of the command is left out', () => {
    const command = `echo ${'x'.repeat(200)} 'end'`;
    const texts = ask(command).rows.flatMap(row => (row.type === 'text' ? [row.label] : []));
    assert.ok(texts.every(text => text.length <= 70));
    assert.equal(texts.join(''), command);
    for (const broad of ['漢', 'W', '🙂']) {
      const rows = ask(broad.repeat(100)).rows.filter(row => row.type === 'text');
      assert.ok(rows.every(row => Array.from(row.label).length <= 43));
      assert.equal(rows.map(row => row.label).join(''), broad.repeat(100));
    }
  });

  it('offer only rejecting and the chat when the command is too long to be judged here', () => {
    const fits = ask(Array(8).fill('line').join('\n'));
    assert.equal(fits.rows.filter(row => row.type === 'option').length, 4);
    const { rows } = ask(Array(9).fill('line').join('\n'));
    assert.deepEqual(
      rows.flatMap(row => (row.type === 'text' ? [] : [row.type === 'option' ? row.optionId : row.type])),
      ['showInChat', 'n'],
    );
    assert.equal(rows.filter(row => row.type === 'text').at(-1)?.label, '… 2 more rows');
    const huge = ask('echo hello; '.repeat(1_000_000)).rows;
    assert.deepEqual(
      huge.slice(7).map(row => row.label),
      ['… many more rows', 'Show in Chat', 'No'],
    );
  });

  it('offer the chat when the agent offers nothing', () => {
    assert.deepEqual(
      approvalRows({ agent: 'A', title: 'T', options: [] }).rows.map(row => row.type),
      ['showInChat'],
    );
  });

  it("draw no icons out of a stranger's text", () => {
    const labels = approvalRows({
      agent: 'A',
      title: 'T',
      subject: 'echo $(date) \\$(check) $(a b)',
      options: [{ optionId: 'a', name: '$(check) Safe', kind: 'allow_once' }],
    }).rows.map(row => row.label);
    assert.deepEqual(labels, ['echo \\$(date) \\\\$(check) $(a b)', '\\$(check) Safe']);
  });
});

describe('accepting', () => {
  const opened = 10_000;
  const later = opened + 1000;

  it('counts for a row that was reached by arrow key or mouse', () => {
    const guard = new AcceptGuard(opened);
    assert.ok(!guard.accepts('', later));
    assert.ok(guard.moved(true, '', later));
    assert.ok(guard.accepts('', later));
  });

  it('does not count in the first half second, nor for a row that was reached then', () => {
    const guard = new AcceptGuard(opened);
    assert.ok(!guard.moved(true, '', opened + 499));
    assert.ok(!guard.accepts('', opened + 499));
    assert.ok(!guard.accepts('', later));
  });

  it('does not count after typed text, which makes the list choose a row by itself', () => {
    const guard = new AcceptGuard(opened);
    guard.moved(true, '', later);
    guard.typed(later);
    assert.ok(!guard.moved(true, 'al', later + 600));
    assert.ok(!guard.accepts('al', later + 600));
    assert.ok(!guard.accepts('', later + 600));
  });

  it('counts again when the text is gone and a row is reached anew', () => {
    const guard = new AcceptGuard(opened);
    guard.typed(later);
    guard.typed(later + 1000);
    assert.ok(!guard.moved(true, '', later + 1001));
    assert.ok(!guard.accepts('', later + 2000));
    assert.ok(guard.moved(true, '', later + 2000));
    assert.ok(guard.accepts('', later + 2000));
  });

  it('does not count before the screen shows a row that the host has moved to', () => {
    const guard = new AcceptGuard(0);
    guard.moved(true, '', 1000);
    guard.passedOver(1000);
    assert.equal(guard.accepts('', 1050), false);
    assert.equal(guard.accepts('', 1300), true);
  });

  it('does not count when no row is active any more', () => {
    const guard = new AcceptGuard(opened);
    guard.moved(true, '', later);
    guard.moved(false, '', later);
    assert.ok(!guard.accepts('', later));
  });
});
