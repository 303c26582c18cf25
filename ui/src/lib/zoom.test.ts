import { describe, expect, it } from 'vitest';
import { fitted, placed, sideFor, zoomed } from './zoom';

const frame = { width: 800, height: 600 };
const picture = { width: 4000, height: 2000 };

describe('a picture in a frame', () => {
  it('is fitted in the middle', () => {
    expect(fitted(frame, picture)).toEqual({ scale: 0.2, x: 0, y: 100 });
    expect(fitted(frame, { width: 8, height: 6 }).scale).toBe(8);
    expect(fitted({ width: 0, height: 0 }, picture).scale).toBe(1);
  });

  it('keeps the point under the pointer when it grows and shrinks', () => {
    const before = { scale: 0.5, x: -300, y: -100 };
    const after = zoomed(before, 2, 400, 300, frame, picture);
    const under = (zoom: typeof before) => [(400 - zoom.x) / zoom.scale, (300 - zoom.y) / zoom.scale];
    expect(after.scale).toBe(1);
    expect(under(after)).toEqual(under(before));
    expect(zoomed(after, 0.5, 400, 300, frame, picture)).toEqual(before);
  });

  it('is never lost: it cannot be moved or shrunk out of the frame', () => {
    expect(placed({ scale: 1, x: 5000, y: -9000 }, frame, picture)).toEqual({ scale: 1, x: 0, y: -1400 });
    const least = zoomed(fitted(frame, picture), 0.001, 0, 0, frame, picture);
    expect(least.scale).toBeCloseTo(0.1);
    expect(zoomed(least, 1e9, 0, 0, frame, picture).scale).toBe(16);
  });

  it('is loaded as large as it is seen, in few sizes', () => {
    expect(sideFor(fitted(frame, picture), picture, 1)).toBe(1024);
    expect(sideFor({ scale: 0.5, x: 0, y: 0 }, picture, 1)).toBe(2048);
    expect(sideFor({ scale: 0.5, x: 0, y: 0 }, picture, 2)).toBe(4096);
  });
});
