/** What a run's numbers mean, without any drawing. */
import type { EpochPoint, Progress, RunState } from '@/backend';
import type { Mark } from '@/shared/StateMark.svelte';

/** The mark of a run's state. */
export function markOf(state: RunState): Mark {
  switch (state) {
    case 'succeeded':
      return 'ok';
    case 'failed':
      return 'blocker';
    case 'lost':
      return 'unknown';
    case 'paused':
    case 'cancelled':
      return state;
    case 'preparing':
    case 'running':
      return 'active';
    default:
      return 'pending';
  }
}

/** Whether it has ended. */
export function isOver(state: RunState): boolean {
  return ['succeeded', 'failed', 'cancelled', 'lost'].includes(state);
}

/** Whether it is under way. */
export function isActive(state: RunState): boolean {
  return ['queued', 'preparing', 'running'].includes(state);
}

/** Whether it can go on; one that ended before its first epoch was done has nothing to go on from. */
export function canResume({ state }: { state: RunState }, finishedEpochs: number): boolean {
  return (
    state === 'paused' || state === 'lost' || (isOver(state) && state !== 'succeeded' && finishedEpochs > 0)
  );
}

/** The share of all epochs that is done, 0..1; `null` while nobody knows. */
export function share({ state, epochs, epoch, batch, batches, history }: Progress): number | null {
  if (state === 'succeeded') return 1;
  if (epochs === 0) return null;
  const finished = history.at(-1)?.epoch ?? 0;
  const step = batches > 0 && epoch > finished ? batch / batches : 0;
  // A finished step is no finished epoch: validation follows.
  return Math.min(1, (finished + step * 0.9) / epochs);
}

/** Seconds it has been training, rests left out. */
export function elapsed(
  { since_ms, trained_s }: Pick<Progress, 'since_ms' | 'trained_s'>,
  now: number,
): number {
  return (trained_s ?? 0) + (since_ms === null ? 0 : Math.max(0, (now - since_ms) / 1000));
}

/** The folder a dataset is known by: the parent of a `data.yaml`, or the folder itself. */
export function datasetName(path: string): string {
  const parts = path.split(/[\\/]/).filter(Boolean);
  const last = parts.at(-1) ?? '';
  return /\.ya?ml$/i.test(last) ? (parts.at(-2) ?? last) : last;
}

/** What a run is called in lists. */
export function runName(dataset: string, model: string): string {
  return `${datasetName(dataset)} · ${model}`;
}

/** The metric with this name, of any head: `mAP50` is `metrics/mAP50(B)`. */
export function metric(metrics: { [name: string]: number | null }, name: string): number | null {
  for (const [key, value] of Object.entries(metrics)) {
    if (key.replace(/^metrics\//, '').replace(/\([A-Z]\)$/, '') === name) return value;
  }
  return null;
}

export type Series = { name: string; values: (number | null)[] };

/** The losses of training, one line each: `train/box_loss` is `box`. */
export function lossSeries(history: EpochPoint[]): Series[] {
  const names = [...new Set(history.flatMap((point) => Object.keys(point.losses)))];
  return names.map((name) => ({
    name: name.replace(/^train\//, '').replace(/_loss$/, ''),
    values: history.map((point) => point.losses[name] ?? null),
  }));
}

/** How well validation went, one line each. */
export function metricSeries(history: EpochPoint[]): Series[] {
  return ['mAP50', 'mAP50-95', 'precision', 'recall'].map((name) => ({
    name,
    values: history.map((point) => metric(point.metrics, name)),
  }));
}
