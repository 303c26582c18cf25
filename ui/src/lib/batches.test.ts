import { expect, test } from 'vitest';
import { BATCHES, TICKS, above, below, positionOf } from './batches';

test('the slider has all powers of two, in order', () => {
  expect(TICKS).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  expect([...BATCHES].sort((a, b) => a - b)).toEqual(BATCHES);
});

test('a batch typed by hand lies at the position before it', () => {
  expect(BATCHES[positionOf(17)]).toBe(16);
  expect(BATCHES[positionOf(1)]).toBe(1);
  expect(BATCHES[positionOf(5000)]).toBe(512);
});

test('page keys go from one power of two to the next', () => {
  expect([above(1), above(12), above(16), above(512)]).toEqual([2, 16, 32, 512]);
  expect([below(1), below(12), below(16), below(512)]).toEqual([1, 8, 8, 256]);
});
