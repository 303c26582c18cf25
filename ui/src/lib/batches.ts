/** The positions of the batch slider: powers of two, and four steps between each two of them. */

export const BATCHES: readonly number[] = [
  1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224,
  256, 320, 384, 448, 512,
];

/** Positions that carry a number. */
export const TICKS: readonly number[] = BATCHES.filter((batch) => Number.isInteger(Math.log2(batch)));

/** The position of the largest batch that is not larger. */
export function positionOf(batch: number): number {
  const after = BATCHES.findIndex((other) => other > batch);
  return after === -1 ? BATCHES.length - 1 : Math.max(0, after - 1);
}

/** The next power of two. */
export function above(batch: number): number {
  return Math.min(BATCHES.at(-1) ?? batch, 2 ** (Math.floor(Math.log2(batch)) + 1));
}

/** The power of two before. */
export function below(batch: number): number {
  return Math.max(1, 2 ** (Math.ceil(Math.log2(batch)) - 1));
}
