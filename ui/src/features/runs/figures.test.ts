import { describe, expect, it } from 'vitest';
import type { EpochPoint, Progress } from '@/backend';
import { canResume, datasetName, elapsed, lossSeries, metric, metricSeries, share } from './figures';

const progress = (part: Partial<Progress>) =>
  ({
    state: 'running',
    epochs: 10,
    epoch: 0,
    batch: 0,
    batches: 4,
    history: [],
    metrics: {},
    ...part,
  }) as Progress;
const point = (epoch: number, map50: number): EpochPoint => ({
  epoch,
  losses: { 'train/box_loss': 2 / epoch },
  metrics: { 'metrics/mAP50(B)': map50 },
  seconds: epoch,
});

describe('share', () => {
  it('is unknown before the first epoch', () => {
    expect(share(progress({ epochs: 0 }))).toBeNull();
  });
  it('counts finished epochs and the steps of the running one', () => {
    expect(share(progress({ epoch: 1, batch: 2 }))).toBeCloseTo(0.045);
    expect(share(progress({ epoch: 2, batch: 4, history: [point(1, 0), point(2, 0)] }))).toBeCloseTo(0.2);
  });
  it('is whole only at the end', () => {
    expect(share(progress({ epoch: 10, batch: 4, history: [point(9, 0)] }))).toBeLessThan(1);
    expect(share(progress({ state: 'succeeded' }))).toBe(1);
  });
});

describe('elapsed', () => {
  it('leaves out rests and never runs backwards', () => {
    expect(elapsed({ since_ms: null, trained_s: 0 }, 9_000)).toBe(0);
    expect(elapsed({ since_ms: 5_000, trained_s: 60 }, 9_000)).toBe(64);
    expect(elapsed({ since_ms: 5_000, trained_s: 60 }, 1_000)).toBe(60);
  });
});

it('a run goes on that rests, was lost, or has a finished epoch', () => {
  expect(canResume({ state: 'paused' }, 0)).toBe(true);
  expect(canResume({ state: 'lost' }, 0)).toBe(true);
  expect(canResume({ state: 'failed' }, 0)).toBe(false);
  expect(canResume({ state: 'cancelled' }, 2)).toBe(true);
  expect(canResume({ state: 'succeeded' }, 2)).toBe(false);
  expect(canResume({ state: 'running' }, 2)).toBe(false);
});

describe('datasetName', () => {
  it('is the folder, on every system', () => {
    expect(datasetName('/home/lin/plates/data.yaml')).toBe('plates');
    expect(datasetName('C:\\数据\\安全帽\\data.yml')).toBe('安全帽');
    expect(datasetName('/home/lin/plates/')).toBe('plates');
    expect(datasetName('')).toBe('');
  });
});

describe('metrics', () => {
  it('are found whatever the head', () => {
    expect(metric({ 'metrics/mAP50(M)': 0.5 }, 'mAP50')).toBe(0.5);
    expect(metric({ 'metrics/mAP50-95(B)': 0.5 }, 'mAP50')).toBeNull();
  });
});

it('series have one value an epoch', () => {
  const history = [point(1, 0.2), point(2, 0.4)];
  expect(lossSeries(history)).toEqual([{ name: 'box', values: [2, 1] }]);
  expect(metricSeries(history)[0]).toEqual({ name: 'mAP50', values: [0.2, 0.4] });
});
