import { describe, expect, it } from 'vitest';
import { layOut, moved, pagesOf, revealed, rowsSeen } from './grid';

const shape = { total: 100_000, width: 720, cell: 132, gap: 8, ratio: 0.75 };

describe('a grid of a hundred thousand cells', () => {
  const grid = layOut(shape);

  it('fills the width with cells no narrower than asked', () => {
    expect(grid.columns).toBe(5);
    expect(grid.cellWidth).toBeCloseTo((720 - 32) / 5);
    expect(grid.rows).toBe(20_000);
    expect(grid.rowHeight).toBe(111);
    expect(grid.height).toBe(20_000 * 111 - 8);
  });

  it('shows a bounded number of rows wherever it is scrolled to', () => {
    for (let top = -500; top < grid.height + 2000; top += 9_973) {
      const { first, last } = rowsSeen(grid, top, 600, 2);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(grid.rows);
      expect(last - first).toBeLessThanOrEqual(Math.ceil(600 / grid.rowHeight) + 5);
      // Nothing of the viewport is left empty.
      if (top >= 0 && top + 600 <= grid.height) {
        expect(first * grid.rowHeight).toBeLessThanOrEqual(top);
        expect(last * grid.rowHeight).toBeGreaterThanOrEqual(top + 600);
      }
    }
  });

  it('has one column where there is hardly any width, and no row for nothing', () => {
    expect(layOut({ ...shape, width: 0 }).columns).toBe(1);
    expect(layOut({ ...shape, width: 90 }).columns).toBe(1);
    expect(layOut({ ...shape, total: 0 })).toMatchObject({ rows: 0, height: 0 });
    expect(rowsSeen(layOut({ ...shape, total: 0 }), 0, 600, 2)).toEqual({ first: 0, last: 0 });
  });
});

describe('keys', () => {
  const total = 12;
  const grid = layOut({ ...shape, total });
  const to = (key: string, index: number) => moved(key, index, grid, total, 2);

  it('lead to the neighbours and stay inside', () => {
    expect(to('ArrowRight', 0)).toBe(1);
    expect(to('ArrowRight', 11)).toBe(11);
    expect(to('ArrowLeft', 0)).toBe(0);
    expect(to('ArrowDown', 1)).toBe(6);
    expect(to('ArrowUp', 6)).toBe(1);
    expect(to('ArrowUp', 3)).toBe(3);
    expect(to('Home', 7)).toBe(0);
    expect(to('End', 7)).toBe(11);
    expect(to('Enter', 7)).toBeUndefined();
  });

  it('stay in their column, or reach the last cell where that is empty', () => {
    expect(to('PageDown', 1)).toBe(11);
    expect(to('PageDown', 0)).toBe(10);
    expect(to('ArrowDown', 8)).toBe(11);
    expect(to('PageUp', 11)).toBe(1);
  });
});

describe('what is not seen', () => {
  const grid = layOut(shape);

  it('is scrolled to by the shortest way', () => {
    expect(revealed(grid, 2, 0, 600)).toBe(0);
    expect(revealed(grid, 0, 500, 600)).toBe(0);
    expect(revealed(grid, 19_999, 0, 600)).toBe(20_000 * 111 - 600);
  });

  it('is loaded by pages', () => {
    expect(pagesOf(0, 0, 100)).toEqual([]);
    expect(pagesOf(0, 100, 100)).toEqual([0]);
    expect(pagesOf(99, 101, 100)).toEqual([0, 1]);
    expect(pagesOf(99_990, 100_000, 100)).toEqual([999]);
  });
});
