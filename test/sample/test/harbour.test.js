import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBerth } from '../src/berths.js';
import { fee } from '../src/fees.js';
import { arrivals } from '../src/harbour.js';

test('a ship gets the shortest berth that is long enough', () => {
  assert.equal(findBerth({ length: 50 })?.name, 'North quay 2');
});

test('a berth is given once', () => {
  assert.deepEqual(
    arrivals([
      { name: 'Albatros', length: 100, days: 1 },
      { name: 'Budgie', length: 90, days: 1 },
    ]),
    ['Albatros: South quay, 250.00 €', 'Budgie: no berth is free'],
  );
});

test('a week has the discount', () => {
  assert.equal(fee({ length: 40 }, 7), 630);
});
