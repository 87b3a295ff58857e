import assert from 'node:assert/strict';
import { compareVersions, readVersion, satisfies } from '../../../src/base/versions';

const version = (text: string) => {
  const read = readVersion(text);
  assert(read, text);
  return read;
};

describe('versions', () => {
  it('finds the version in what programs print', () => {
    const printed: [string, string | undefined][] = [
      ['v22.1.0', '22.1.0'],
      ['2.1.318 (Claude Code)', '2.1.318'],
      ['goose 1.46.0\n', '1.46.0'],
      ['codex-cli 0.166.0-alpha.3', '0.166.0'],
      ['kimi, version 1.49', '1.49.0'],
      ['no number', undefined],
    ];
    for (const [text, wanted] of printed) assert.equal(readVersion(text)?.numbers.join('.'), wanted, text);
    assert.equal(readVersion('0.166.0-alpha.3')?.preRelease, 'alpha.3');
  });

  it('orders versions, a pre-release before its release', () => {
    const ordered = ['0.9.9', '1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0', '1.0.1', '1.2.0', '10.0.0'];
    const shuffled = [...ordered].reverse().sort((a, b) => compareVersions(version(a), version(b)));
    assert.deepEqual(shuffled, ordered);
  });

  const table: [range: string, inside: string[], outside: string[]][] = [
    ['>=22', ['22.0.0', '24.1.0'], ['21.9.9']],
    ['>= 20.10', ['20.10.0', '20.20.2'], ['20.9.9']],
    ['^20.19 || >=22.12', ['20.19.0', '22.12.0', '25.0.0'], ['20.18.9', '21.0.0', '22.11.9']],
    ['^20.17.0 || >=22.9.0', ['20.20.2', '22.9.0'], ['21.5.0', '22.8.9']],
    ['>=18.17.0 <21', ['18.17.0', '20.99.0'], ['21.0.0', '18.16.9']],
    ['18.x', ['18.0.0', '18.99.9'], ['19.0.0', '17.9.9']],
    ['20', ['20.0.0', '20.5.1'], ['21.0.0']],
    ['~1.2.3', ['1.2.3', '1.2.9'], ['1.3.0', '1.2.2']],
    ['~1', ['1.0.0', '1.9.9'], ['2.0.0']],
    ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0']],
    ['^0.0.3', ['0.0.3'], ['0.0.4']],
    ['^0', ['0.0.1', '0.9.0'], ['1.0.0']],
    ['>1', ['2.0.0'], ['1.9.9']],
    ['<=20', ['20.9.9'], ['21.0.0']],
    ['18 - 20', ['18.0.0', '20.9.9'], ['17.0.0', '21.0.0']],
    ['*', ['0.0.1', '99.0.0'], []],
    ['', ['1.0.0'], []],
    ['=22.1.0', ['22.1.0'], ['22.1.1']],
  ];
  for (const [range, inside, outside] of table) {
    it(`reads the range "${range}"`, () => {
      for (const text of inside) assert.equal(satisfies(version(text), range), true, text);
      for (const text of outside) assert.equal(satisfies(version(text), range), false, text);
    });
  }

  it('does not guess at a range that it does not understand', () => {
    assert.equal(satisfies(version('22.0.0'), 'lts/*'), undefined);
    assert.equal(satisfies(version('22.0.0'), 'lts || >=20'), true);
    assert.equal(satisfies(version('18.0.0'), 'lts || >=20'), false);
  });
});
