/** Paths of small charts. Pure. */

/** A value of each second, the newest last; `null`: not told. */
export type Values = readonly (number | null)[];

/** Where a value is drawn: the newest at the right edge, however many there are. */
function x(index: number, count: number, seconds: number, width: number): number {
  return width - ((count - 1 - index) / Math.max(seconds - 1, 1)) * width;
}

function y(value: number, max: number, height: number): number {
  return height - (Math.min(Math.max(value, 0), max) / max) * height;
}

const rounded = (n: number) => String(Math.round(n * 10) / 10);

/** A line with gaps where nothing was told. */
export function line(values: Values, seconds: number, max: number, width: number, height: number): string {
  let path = '';
  let pen = false;
  values.forEach((value, index) => {
    if (value === null) {
      pen = false;
      return;
    }
    path += `${pen ? 'L' : 'M'}${rounded(x(index, values.length, seconds, width))} ${rounded(y(value, max, height))}`;
    pen = true;
  });
  return path;
}

/** The area between two lines of equal length; where one of them was not told, there is none. */
export function area(
  low: Values,
  high: Values,
  seconds: number,
  max: number,
  width: number,
  height: number,
): string {
  let path = '';
  let from = 0;
  const at = (values: Values, index: number) =>
    `${rounded(x(index, values.length, seconds, width))} ${rounded(y(values[index] ?? 0, max, height))}`;
  const close = (to: number) => {
    if (to - from < 2) return;
    const ahead = Array.from({ length: to - from }, (_, step) => at(high, from + step));
    const back = Array.from({ length: to - from }, (_, step) => at(low, to - 1 - step));
    path += `M${[...ahead, ...back].join('L')}Z`;
  };
  high.forEach((value, index) => {
    if (value === null || low[index] === null || low[index] === undefined) {
      close(index);
      from = index + 1;
    }
  });
  close(high.length);
  return path;
}

/** Layers that stand on one another: the lines between them, the lowest (all 0) first. */
export function stacked(layers: readonly Values[]): Values[] {
  const edges: Values[] = [(layers[0] ?? []).map((value) => (value === null ? null : 0))];
  for (const layer of layers) {
    const below = edges[edges.length - 1] ?? [];
    edges.push(
      layer.map((value, index) => {
        const base = below[index];
        return value === null || base === null || base === undefined ? null : base + value;
      }),
    );
  }
  return edges;
}
