/** The arithmetic of a grid of which only what is seen is there: rows of one height, cells of one width. */

export type GridShape = {
  /** Cells in all. */
  total: number;
  /** Width there is for them, in pixels. */
  width: number;
  /** Least width of a cell, in pixels. */
  cell: number;
  /** Between cells and between rows, in pixels. */
  gap: number;
  /** Height of a cell as a share of its width. */
  ratio: number;
};

export type Grid = { columns: number; rows: number; cellWidth: number; rowHeight: number; height: number };

/** Columns, rows and sizes. */
export function layOut({ total, width, cell, gap, ratio }: GridShape): Grid {
  const columns = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  const cellWidth = Math.max(1, (width - gap * (columns - 1)) / columns);
  // Whole pixels: rows of broken heights would drift apart after some thousands.
  const rowHeight = Math.round(cellWidth * ratio) + gap;
  const rows = Math.ceil(total / columns);
  return { columns, rows, cellWidth, rowHeight, height: Math.max(0, rows * rowHeight - gap) };
}

/** The rows to show, from `first` up to and without `last`: what is seen, and some beyond. */
export function rowsSeen(
  grid: Grid,
  top: number,
  viewport: number,
  beyond: number,
): { first: number; last: number } {
  const first = Math.floor(Math.max(0, top) / grid.rowHeight) - beyond;
  const last = Math.ceil(Math.max(0, top + viewport) / grid.rowHeight) + beyond;
  const within = (row: number) => Math.min(grid.rows, Math.max(0, row));
  return { first: within(first), last: within(last) };
}

/** Where a key leads from a cell; `undefined`: nowhere. `page`: rows that are seen at once. */
export function moved(
  key: string,
  index: number,
  grid: Grid,
  total: number,
  page: number,
): number | undefined {
  const { columns } = grid;
  const within = (to: number) => Math.min(total - 1, Math.max(0, to));
  // A row up or down stays in its column, as far as there is one.
  const down = (rows: number) => {
    const to = index + rows * columns;
    if (to < 0) return index % columns;
    return to < total ? to : Math.min(total - 1, (grid.rows - 1) * columns + (index % columns));
  };
  switch (key) {
    case 'ArrowLeft':
      return within(index - 1);
    case 'ArrowRight':
      return within(index + 1);
    case 'ArrowUp':
      return index < columns ? index : down(-1);
    case 'ArrowDown':
      return down(1);
    case 'PageUp':
      return down(-Math.max(1, page));
    case 'PageDown':
      return down(Math.max(1, page));
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

/** How far to scroll so that a row is seen; `top` when it is already. */
export function revealed(grid: Grid, row: number, top: number, viewport: number): number {
  const above = row * grid.rowHeight;
  const below = above + grid.rowHeight;
  if (above < top) return above;
  return below > top + viewport ? below - viewport : top;
}

/** The pages of a list that hold the items from `first` up to and without `last`. */
export function pagesOf(first: number, last: number, size: number): number[] {
  if (last <= first) return [];
  const from = Math.floor(first / size);
  return Array.from({ length: Math.floor((last - 1) / size) - from + 1 }, (_, at) => from + at);
}
