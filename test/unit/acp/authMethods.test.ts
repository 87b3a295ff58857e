import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gatewayMeta, keyMeta, readAuthMethods } from '../../../src/acp/authMethods';

const wayOf = (method: object): unknown => readAuthMethods([{ id: 'x', name: 'X', ...method }])[0]?.way;

describe('a method to sign in', () => {
  it('without a type is done by the agent', () => {
    assert.deepEqual(wayOf({}), { kind: 'agent' });
    assert.deepEqual(wayOf({ type: null }), { kind: 'agent' });
    assert.deepEqual(wayOf({ type: 'agent', _meta: {} }), { kind: 'agent' });
  });

  it('of type terminal adds arguments and environment to the program of the agent', () => {
    assert.deepEqual(wayOf({ type: 'terminal', args: ['login', 3], env: { A: '1', B: 2 } }), {
      kind: 'terminal',
      program: { args: ['login'], env: { A: '1' } },
    });
    assert.deepEqual(wayOf({ type: 'terminal' }), { kind: 'terminal', program: { args: [], env: {} } });
  });

  it('may name a command of its own where there was no type for that', () => {
    const meta = { 'terminal-auth': { command: '/bin/code', args: ['auth', 'login'], label: 'Log in' } };
    assert.deepEqual(wayOf({ _meta: meta }), {
      kind: 'terminal',
      program: { command: '/bin/code', args: ['auth', 'login'], env: {} },
    });
    const own = wayOf({ type: 'terminal', args: ['--cli'], _meta: meta });
    assert.deepEqual(own, { kind: 'terminal', program: { args: ['--cli'], env: {} } });
    assert.deepEqual(wayOf({ _meta: { 'terminal-auth': { args: [] } } }), { kind: 'agent' });
  });

  it('may want variables, as a list or as the one of the first drafts', () => {
    const vars = [{ name: 'KEY', label: 'Key' }, { name: 'URL', secret: false, optional: true }, { name: 'A=B' }, null];
    assert.deepEqual(wayOf({ type: 'env_var', vars }), {
      kind: 'variables',
      variables: [
        { name: 'KEY', label: 'Key', secret: true, optional: false },
        { name: 'URL', secret: false, optional: true },
      ],
    });
    const variables = [{ name: 'KEY', secret: true, optional: false }];
    assert.deepEqual(wayOf({ type: 'env_var', varName: 'KEY' }), { kind: 'variables', variables });
    assert.deepEqual(wayOf({ type: 'env_var' }), { kind: 'unknown', type: 'env_var' });
  });

  it('may want a key or a gateway', () => {
    assert.deepEqual(wayOf({ _meta: { 'api-key': { provider: 'openai' } } }), { kind: 'key', provider: 'openai' });
    assert.deepEqual(wayOf({ _meta: { 'api-key': {} } }), { kind: 'key' });
    assert.deepEqual(wayOf({ _meta: { gateway: { protocol: 'google' } } }), { kind: 'gateway' });
  });

  it('of an unknown type is told with its name, beside the others', () => {
    const methods = readAuthMethods([
      { id: 'r', name: 'Look here', type: 'retina' },
      7,
      { name: 'no id' },
      { id: 'b' },
    ]);
    assert.deepEqual(methods, [
      { id: 'r', name: 'Look here', way: { kind: 'unknown', type: 'retina' } },
      { id: 'b', name: 'b', way: { kind: 'agent' } },
    ]);
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), raw => void readAuthMethods([raw as never, { id: 'x', _meta: raw as never }])),
    );
  });
});

describe('what authenticate carries', () => {
  it('is a key in the form that the agent reads', () => {
    assert.deepEqual(keyMeta({ kind: 'key', provider: 'openai' }, 'k'), { 'api-key': { apiKey: 'k' } });
    assert.deepEqual(keyMeta({ kind: 'key', provider: 'google' }, 'k'), { 'api-key': 'k' });
  });

  it('is a gateway with at most one header', () => {
    assert.deepEqual(gatewayMeta('http://g', 'Authorization: Bearer a:b'), {
      gateway: { baseUrl: 'http://g', headers: { Authorization: 'Bearer a:b' } },
    });
    assert.deepEqual(gatewayMeta('http://g', ''), { gateway: { baseUrl: 'http://g', headers: {} } });
  });
});
