import { expect, test } from 'vitest';
import type { RunState, RunSummary } from '@/backend';
import { wanted } from './history';

function run(id: string, created_ms: number, state: RunState, map50: number | null, note = ''): RunSummary {
  return {
    pausing: null,
    why: null,
    paused_ms: null,
    since_ms: null,
    trained_s: 0,
    id,
    created_ms,
    ended_ms: null,
    state,
    dataset: `/data/${id}/data.yaml`,
    model: 'yolov8n',
    epoch: 1,
    epochs: 2,
    map50,
    note,
  };
}

const runs = [
  run('plates', 1, 'succeeded', 0.4, 'Lower learning rate'),
  run('helmets', 3, 'failed', null),
  run('安全帽', 2, 'running', 0.9),
];
const word = (state: RunState) => (state === 'failed' ? 'Failed' : 'x');
const sizes = { plates: 5, helmets: 9 };
const ids = (change: Partial<Parameters<typeof wanted>[1]>) =>
  wanted(runs, { query: '', kept: 'all', order: 'newest', word, sizes, ...change }).map(({ id }) => id);

test('each word of a search may be anywhere', () => {
  expect(ids({ query: 'LEARNING yolov8' })).toEqual(['plates']);
  expect(ids({ query: '安全' })).toEqual(['安全帽']);
  expect(ids({ query: 'failed' })).toEqual(['helmets']);
  expect(ids({ query: 'plates helmets' })).toEqual([]);
});

test('runs are kept by state and put in order', () => {
  expect(ids({ kept: 'active' })).toEqual(['安全帽']);
  expect(ids({ kept: 'succeeded' })).toEqual(['plates']);
  expect(ids({})).toEqual(['helmets', '安全帽', 'plates']);
  expect(ids({ order: 'oldest' })).toEqual(['plates', '安全帽', 'helmets']);
  expect(ids({ order: 'best' })).toEqual(['安全帽', 'plates', 'helmets']);
  expect(ids({ order: 'size' })).toEqual(['helmets', 'plates', '安全帽']);
});
