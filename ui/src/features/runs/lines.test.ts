import { describe, expect, it } from 'vitest';
import { around, heightOf, lastFirst, lineAt, lowest, ROW, topAt } from './lines';

const HEIGHT = 400;

describe('lines of a log', () => {
  it('lie one below the other', () => {
    expect(heightOf(1000)).toBe(1000 * ROW);
    expect(lineAt(0, 1000, HEIGHT)).toBe(0);
    expect(lineAt(90, 1000, HEIGHT)).toBeCloseTo(5);
    expect(topAt(5, 1000, HEIGHT)).toBeCloseTo(90);
    expect(around(500, 1000, HEIGHT)).toBeCloseTo(500 - HEIGHT / ROW / 2);
  });

  it('do not scroll where there are few', () => {
    expect(lowest(3, HEIGHT)).toBe(0);
    expect(lineAt(0, 3, HEIGHT)).toBe(0);
    expect(topAt(2, 3, HEIGHT)).toBe(0);
    expect(around(2, 3, HEIGHT)).toBe(0);
    expect(lineAt(0, 0, HEIGHT)).toBe(0);
  });

  it('are all within reach where there are millions', () => {
    const total = 50_000_000;
    expect(heightOf(total)).toBeLessThan(30_000_000);
    expect(lineAt(lowest(total, HEIGHT), total, HEIGHT)).toBeCloseTo(lastFirst(total, HEIGHT));
    for (const line of [0, 12_345_678, total - 1]) {
      const first = around(line, total, HEIGHT);
      expect(lineAt(topAt(first, total, HEIGHT), total, HEIGHT)).toBeCloseTo(first);
      expect(first).toBeLessThanOrEqual(line);
      expect(first + HEIGHT / ROW).toBeGreaterThan(line);
    }
  });
});
