import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('the bundles', () => {
  it('keep the SDK of the protocol and its validator out of what activation loads', () => {
    // `~standard` stands in every schema of zod.
    const usesSdk = (bundle: string): boolean => readFileSync(`dist/${bundle}`, 'utf8').includes('~standard');
    assert.equal(usesSdk('extension.js'), false);
    assert.equal(usesSdk('connect.js'), true, 'the mark tells them apart');
  });
});
