/** Which runs are shown, and in which order. */
import type { RunState, RunSummary } from '@/backend';
import { isOver, runName } from './figures';

export type Order = 'newest' | 'oldest' | 'best' | 'dataset' | 'size';
export const ORDERS: readonly Order[] = ['newest', 'oldest', 'best', 'dataset', 'size'];

/** States as a person thinks of them. */
export type Kept = 'all' | 'active' | 'succeeded' | 'failed' | 'ended';
export const KEPT: readonly Kept[] = ['all', 'active', 'succeeded', 'failed', 'ended'];

function isKept(state: RunState, kept: Kept): boolean {
  switch (kept) {
    case 'all':
      return true;
    case 'active':
      return !isOver(state);
    case 'succeeded':
      return state === 'succeeded';
    case 'failed':
      return state === 'failed';
    case 'ended':
      return state === 'cancelled' || state === 'lost';
  }
}

type Wanted = {
  query: string;
  kept: Kept;
  order: Order;
  /** The word for a state, in the person's language. */
  word: (state: RunState) => string;
  /** Bytes of each run, as far as known. */
  sizes: Readonly<Record<string, number>>;
};

/** The runs that are wanted: each word of the query is in the id, dataset, model, note or state. */
export function wanted(
  runs: readonly RunSummary[],
  { query, kept, order, word, sizes }: Wanted,
): RunSummary[] {
  const words = query.toLowerCase().split(/\s+/);
  const found = runs.filter((run) => {
    const { id, dataset, model, note, state } = run;
    const text = [id, dataset, runName(dataset, model), note, word(state), state].join('\n').toLowerCase();
    return isKept(state, kept) && words.every((one) => text.includes(one));
  });
  const by: Record<Order, (a: RunSummary, b: RunSummary) => number> = {
    newest: (a, b) => b.created_ms - a.created_ms,
    oldest: (a, b) => a.created_ms - b.created_ms,
    best: (a, b) => (b.map50 ?? -1) - (a.map50 ?? -1),
    dataset: (a, b) =>
      runName(a.dataset, a.model).localeCompare(runName(b.dataset, b.model)) || b.created_ms - a.created_ms,
    size: (a, b) => (sizes[b.id] ?? 0) - (sizes[a.id] ?? 0),
  };
  return found.sort(by[order]);
}
