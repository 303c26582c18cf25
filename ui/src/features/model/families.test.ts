import { expect, test } from 'vitest';
import type { ModelCard } from '@/backend';
import { accuracyShare, familiesOf, familyName, speedShare } from './families';

const card = (name: string, family: string, gflops: number, map50_95: number): ModelCard => ({
  name,
  family,
  size: name.slice(-1),
  parameters_millions: 1,
  gflops,
  map50_95,
  source: 'https://example.org',
});
const models = [
  card('yolov8n', 'yolov8', 8, 37),
  card('yolov8m', 'yolov8', 64, 50),
  card('yolo11x', 'yolo11', 512, 55),
];

test('families keep their order and are written as their makers do', () => {
  expect(familiesOf(models).map(familyName)).toEqual(['YOLOv8', 'YOLO11']);
});

test('the fastest and the most accurate have full bars, and none is empty', () => {
  const speeds = models.map((model) => speedShare(model, models));
  expect(speeds[0]).toBe(1);
  expect(speeds[1]).toBeCloseTo(0.56);
  expect(speeds[2]).toBeCloseTo(0.12);
  expect(models.map((model) => accuracyShare(model, models)).at(-1)).toBe(1);
  expect(accuracyShare(models[0] ?? card('', '', 0, 0), [models[0] ?? card('', '', 0, 0)])).toBe(1);
});
