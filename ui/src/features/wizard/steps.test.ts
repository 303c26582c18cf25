import { expect, test } from 'vitest';
import { stepOf } from './steps';

test('a finding leads to the step that decides on it', () => {
  expect(stepOf({ stage: 'data', code: 'data.no-val' })).toBe('dataset');
  expect(stepOf({ stage: 'image', code: 'image.missing' })).toBe('where');
  expect(stepOf({ stage: 'image', code: 'image.weights-missing' })).toBe('model');
  expect(stepOf({ stage: 'image', code: 'image.model-unknown' })).toBe('model');
  expect(stepOf({ stage: 'memory', code: 'memory.too-little' })).toBe('batch');
  expect(stepOf({ stage: 'start', code: 'start.disk-full' })).toBe('review');
});
