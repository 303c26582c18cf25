import { expect, it } from 'vitest';
import { ofObjects, ofSizes, shades } from './health';

it('names how many objects images have', () => {
  expect(ofObjects([3, 5, 8, 1]).map(({ name }) => name)).toEqual(['0', '1', '2–3', '4–7']);
  expect(ofObjects(Array.from({ length: 12 }, () => 1)).at(-1)?.name).toBe('1,024–2,047');
});

it('lists the most frequent sizes', () => {
  const sizes = Array.from({ length: 20 }, (_, at) => ({ width: 640 + at, height: 480, images: 20 - at }));
  expect(ofSizes(sizes)).toHaveLength(8);
  expect(ofSizes(sizes)[0]).toEqual({ name: '640 × 480', count: 20 });
});

it('shades cells by the root, and nothing for nothing', () => {
  expect(shades([0, 25, 100])).toEqual([0, 0.5, 1]);
  expect(shades([0, 0])).toEqual([0, 0]);
  expect(shades([])).toEqual([]);
});
