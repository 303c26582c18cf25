import { describe, expect, it } from 'vitest';
import { area, line, stacked } from './series';

describe('small charts', () => {
  it('draw the newest value at the right edge', () => {
    expect(line([0, 10], 3, 10, 100, 20)).toBe('M50 20L100 0');
  });

  it('leave a gap where nothing was told', () => {
    expect(line([5, null, 5], 3, 10, 100, 20)).toBe('M0 10M100 10');
    expect(line([null, null], 3, 10, 100, 20)).toBe('');
  });

  it('keep what exceeds the scale inside', () => {
    expect(line([99], 2, 10, 100, 20)).toBe('M100 0');
  });

  it('stack layers on one another', () => {
    const edges = stacked([
      [1, null, 1],
      [2, 2, 2],
    ]);
    expect(edges).toEqual([
      [0, null, 0],
      [1, null, 1],
      [3, null, 3],
    ]);
  });

  it('fill an area only where both its edges are known', () => {
    expect(area([0, 0], [10, 10], 2, 10, 100, 20)).toBe('M0 0L100 0L100 20L0 20Z');
    expect(area([0, null, 0], [10, null, 10], 3, 10, 100, 20)).toBe('');
  });
});
