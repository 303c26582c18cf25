/** Where lines of a log are in a region that scrolls, however many there are. */

/** Height of a line in pixels. */
export const ROW = 18;

/** Browsers cannot lay out much more (WebKit ends at 33 million pixels): a longer log scrolls by larger steps. */
const MOST = 29_000_000;

/** The height of all lines. */
export function heightOf(total: number): number {
  return Math.min(total * ROW, MOST);
}

/** The farthest that a region of this height scrolls. */
export function lowest(total: number, height: number): number {
  return Math.max(0, heightOf(total) - height);
}

/** The line at the upper edge, with its part above it, where the region is scrolled to `top`. */
export function lineAt(top: number, total: number, height: number): number {
  const range = lowest(total, height);
  return range === 0 ? 0 : (Math.min(top, range) / range) * lastFirst(total, height);
}

/** Where the region is scrolled to when this line is at the upper edge. */
export function topAt(line: number, total: number, height: number): number {
  const range = lowest(total, height);
  return range === 0 ? 0 : (Math.min(line, lastFirst(total, height)) / lastFirst(total, height)) * range;
}

/** The line at the upper edge when this one is in the middle. */
export function around(line: number, total: number, height: number): number {
  return Math.min(Math.max(0, line - height / ROW / 2), lastFirst(total, height));
}

/** The line at the upper edge at the end. */
export function lastFirst(total: number, height: number): number {
  return Math.max(0, total - height / ROW);
}
