import assert from 'node:assert/strict';
import { parseTraffic, TrafficLog } from '../../../src/acp/traffic';
import { maskSecrets, maskText } from '../../../src/acp/secrets';
import type { TrafficRecord } from '../../../src/acp/ports';

const record = (message: unknown): TrafficRecord => ({ at: 1, direction: 'toAgent', message });

describe('maskSecrets', () => {
  it('masks every value of env and headers, in both forms, and keeps the names', () => {
    const raw = {
      mcpServers: [
        { name: 'a', command: '/a', args: ['x'], env: [{ name: 'KEY', value: 'hush' }] },
        { type: 'http', url: 'u', headers: [{ name: 'X-Auth', value: 'hush' }] },
      ],
      env: { KEY: 'hush', OTHER: 'hush' },
      headers: null,
    };
    assert.deepEqual(maskSecrets(raw), {
      mcpServers: [
        { name: 'a', command: '/a', args: ['x'], env: [{ name: 'KEY', value: '•••' }] },
        { type: 'http', url: 'u', headers: [{ name: 'X-Auth', value: '•••' }] },
      ],
      env: { KEY: '•••', OTHER: '•••' },
      headers: null,
    });
  });

  it('masks texts under names of secrets, but not numbers or other names', () => {
    assert.deepEqual(
      maskSecrets({ apiKey: 'abc', access_token: 'abc', password: 'abc', tokens: 5, token: 7, cursor: 'abc' }),
      { apiKey: '•••', access_token: '•••', password: '•••', tokens: 5, token: 7, cursor: 'abc' },
    );
  });

  for (const secret of [
    ['sk', 'ant-api03-abcdefgh12345678'].join('-'),
    ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_'),
    ['github_pat', '11ABCDEFG0123456789abcdef'].join('_'),
    ['xoxb', '123456789012-abcdefgh'].join('-'),
    ['AIza', 'SyA1234567890abcdefghijklmnopqrstuv'].join(''),
    ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
    ['npm', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_'),
    ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'c2lnbmF0dXJl'].join('.'),
  ]) {
    it(`masks ${secret.slice(0, 6)}… anywhere`, () => {
      const text = JSON.stringify(maskSecrets({ a: [`before ${secret} after`] }));
      assert.ok(!text.includes(secret) && text.includes('before') && text.includes('after'), text);
    });
  }

  it('masks what follows Bearer, and passwords in addresses', () => {
    assert.equal(maskText('Authorization: Bearer abcdef0123456789'), 'Authorization: Bearer •••');
    assert.equal(maskText('https://me:secret@example.com/x'), 'https://me:•••@example.com/x');
  });

  it('takes time in step with the text, however it is made', () => {
    for (const text of ['eyJ-'.repeat(20_000), `Bearer${' '.repeat(80_000)}x`, `Basic${' '.repeat(80_000)}x`])
      assert.equal(maskText(text), text);
  });

  it('leaves ordinary text alone', () => {
    const text = 'a risk-based task at https://example.com:8080/x, sketch, sk-1, eyJ, step 3: npm install';
    assert.equal(maskText(text), text);
  });
});

describe('TrafficLog', () => {
  it('gives nothing away that is secret, in any form', () => {
    const log = new TrafficLog();
    log.add(record({ method: 'session/new', params: { mcpServers: [{ env: [{ name: 'K', value: 'hush' }] }] } }));
    log.add({ at: 2, direction: 'stderr', text: 'using Bearer hushhushhush now' });
    for (const text of [log.toJsonl(), log.toText(), JSON.stringify(log.records())]) assert.ok(!text.includes('hush'));
  });

  it('is read back as it was saved', () => {
    const log = new TrafficLog();
    log.add(record({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { text: 'a\nb "c" \u2028' } }));
    log.add({ at: 2, direction: 'noise', text: 'hello' });
    assert.deepEqual(parseTraffic(log.toJsonl()), log.records());
    assert.deepEqual(parseTraffic(`junk\n{"at":1}\n{"at":1,"direction":"up","message":1}\n`), []);
  });

  it('shows the newest last', () => {
    const log = new TrafficLog();
    log.add(record({ method: 'first' }));
    log.add({ at: Date.UTC(2026, 0, 2, 3, 4, 5, 6), direction: 'stderr', text: 'second' });
    const text = log.toText();
    assert.ok(text.indexOf('first') < text.indexOf('second'));
    assert.match(text, /03:04:05\.006 ← stderr\nsecond/);
  });

  it('keeps a bounded number of records and of characters, the newest', () => {
    const log = new TrafficLog({ records: 100, characters: 10_000 });
    for (let index = 0; index < 1000; index += 1) log.add(record({ index }));
    assert.ok(log.records().length <= 125);
    assert.deepEqual(log.records().at(-1)?.message, { index: 999 });
    log.add(record({ big: 'x'.repeat(9_000) }));
    log.add(record({ big: 'y'.repeat(9_000) }));
    assert.ok(log.toJsonl().length < 12_000);
    log.add(record({ big: 'z'.repeat(50_000) }));
    assert.equal(log.records().length, 1);
  });

  it('tells when something was added', () => {
    const log = new TrafficLog();
    let count = 0;
    log.onDidAdd(() => (count += 1));
    log.add(record({}));
    assert.equal(count, 1);
  });
});
