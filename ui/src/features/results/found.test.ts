import { expect, test } from 'vitest';
import type { Prediction } from '@/backend';
import { boxesOf } from './found';

const prediction: Prediction = {
  width: 200,
  height: 100,
  boxes: [
    { class: 1, confidence: 0.92, left: 20, top: 10, right: 60, bottom: 30 },
    { class: 7, confidence: 0.3, left: 0, top: 0, right: 200, bottom: 100 },
    { class: 0, confidence: 0.02, left: 1, top: 1, right: 2, bottom: 2 },
  ],
  inference_s: 0.01,
  total_s: 0.02,
  names: ['scratch', '凹坑'],
  device: 'cpu',
  on_processor: null,
};

test('boxes are those the model is sure enough of, in shares of the image', () => {
  const [first, second, ...rest] = boxesOf(prediction, 0.25);
  expect(first?.caption).toBe('凹坑 92 %');
  expect(first?.box).toEqual({ class: 1, x: 0.2, y: 0.2, w: 0.2, h: 0.2 });
  expect(second?.name).toBe('7');
  expect(rest).toEqual([]);
  expect(boxesOf(prediction, 0.01)).toHaveLength(3);
  expect(boxesOf(prediction, 0.93)).toEqual([]);
});
