import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readConfigOptions, readFacts, readModes, readOpened } from '../../../src/acp/lenientSession';
import type { JsonValue } from '../../../src/base/json';

const nothing = {
  loadSession: false,
  resume: false,
  close: false,
  list: false,
  additionalDirectories: false,
  image: false,
  audio: false,
  embeddedContext: false,
  mcpHttp: false,
  mcpSse: false,
  logout: false,
  authMethods: [],
};

describe('readFacts', () => {
  for (const raw of [
    undefined,
    null,
    {},
    { agentCapabilities: null, authMethods: null, agentInfo: null },
    { agentCapabilities: { loadSession: null, promptCapabilities: null, sessionCapabilities: { resume: null } } },
    { agentCapabilities: { sessionCapabilities: { close: false } }, authMethods: {} },
    { agentCapabilities: 'all' },
  ]) {
    it(`takes ${JSON.stringify(raw)} as nothing supported`, () => assert.deepEqual(readFacts(raw), nothing));
  }

  it('reads what is there', () => {
    const raw = {
      agentInfo: { name: 'a', title: 'A', version: '1' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
    };
    const all = Object.fromEntries(Object.entries(nothing).map(([name, value]) => [name, value === false || value]));
    assert.deepEqual(readFacts(raw), { name: 'a', title: 'A', version: '1', ...all });
  });

  it('keeps the sign-in methods that can be used when one is odd', () => {
    const authMethods = [{ id: 'a', name: 'A' }, { name: 'no id' }, null, { id: 'b', type: 'retina', description: 1 }];
    assert.deepEqual(readFacts({ authMethods }).authMethods, [
      { id: 'a', name: 'A', way: { kind: 'agent' } },
      { id: 'b', name: 'b', way: { kind: 'unknown', type: 'retina' } },
    ]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), raw => void readFacts(raw)));
  });
});

describe('readOpened', () => {
  const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };
  const select = { type: 'select', id: 's', name: 'S', currentValue: 'a', options: [{ value: 'a', name: 'A' }] };

  it('takes modes when there are no options', () => {
    assert.deepEqual(readOpened({ modes, configOptions: null }, 's1'), { sessionId: 's1', modes });
    assert.deepEqual(readOpened({ modes, configOptions: [] }, 's1'), { sessionId: 's1', modes });
  });

  it('takes only options when there are any', () => {
    const opened = readOpened({ modes, configOptions: [select] }, 's1');
    assert.equal(opened.modes, undefined);
    assert.equal(opened.configOptions?.length, 1);
  });

  it('works with null, as answers to load and resume may be', () => {
    assert.deepEqual(readOpened(null, 's1'), { sessionId: 's1' });
  });

  it('keeps the modes that can be used', () => {
    const raw = { currentModeId: null, availableModes: [{ id: 'a' }, { name: 'x' }, 3] };
    assert.deepEqual(readModes(raw), { currentModeId: '', availableModes: [{ id: 'a', name: 'a' }] });
    assert.equal(readModes({ currentModeId: 'a', availableModes: [] }), undefined);
  });
});

describe('readConfigOptions', () => {
  it('reads flat and grouped choices, in order', () => {
    const option = {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      description: 'd',
      currentValue: 'b',
      options: [
        { value: 'a', name: 'A' },
        { group: 'g', name: 'Group', options: [{ value: 'b', name: 'B', description: 'x' }, { name: 'no value' }] },
      ],
    };
    assert.deepEqual(readConfigOptions([option]), [
      {
        id: 'model',
        name: 'Model',
        description: 'd',
        category: 'model',
        type: 'select',
        value: 'b',
        choices: [
          { value: 'a', name: 'A' },
          { value: 'b', name: 'B', description: 'x', group: 'Group' },
        ],
      },
    ]);
  });

  it('leaves out options of unknown types and without an id', () => {
    const raw: JsonValue[] = [{ type: 'slider', id: 'x' }, { type: 'select' }, null, { type: 'boolean', id: 'b' }];
    assert.deepEqual(readConfigOptions(raw), [{ id: 'b', name: 'b', type: 'boolean', value: false }]);
  });

  it('tells a list that is empty from none', () => {
    assert.deepEqual(readConfigOptions([]), []);
    assert.equal(readConfigOptions(null), undefined);
    assert.equal(readConfigOptions({}), undefined);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), raw => void readConfigOptions(raw as JsonValue)));
  });
});
