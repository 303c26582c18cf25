/** Numbers of a health report as rows and shades. */
import type { ImageSize } from '@/backend';
import { grouped } from '@/lib/format';

export type Row = { name: string; count: number };

/** Images by their number of objects: none, 1, 2 to 3, 4 to 7, … */
export function ofObjects(counts: readonly number[]): Row[] {
  return counts.map((count, bucket) => {
    const [least, most] = [2 ** (bucket - 1), 2 ** bucket - 1];
    const name = bucket < 2 ? String(bucket) : `${grouped(least)}–${grouped(most)}`;
    return { name, count };
  });
}

/** The most frequent image sizes; the others together would need a count nobody has. */
export function ofSizes(sizes: readonly ImageSize[], most = 8): Row[] {
  return sizes
    .slice(0, most)
    .map(({ width, height, images }) => ({ name: `${String(width)} × ${String(height)}`, count: images }));
}

/** How dark each cell is, between 0 and 1: by the root, so that rare cells are seen beside frequent ones. */
export function shades(cells: readonly number[]): number[] {
  const most = cells.reduce((most, count) => Math.max(most, count), 0);
  return cells.map((count) => (most === 0 ? 0 : Math.sqrt(count / most)));
}
