import { expect, it, vi } from 'vitest';

// Outside of a browser the fake engine is what answers.
vi.stubGlobal('window', globalThis);
vi.stubGlobal('navigator', { language: 'en' });
vi.stubGlobal('location', { search: '', hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { Job } = await import('./job.svelte');

const problem = (code: string) => ({ code, args: {}, causes: [] });

it('tells how far it is and answers what was done', async () => {
  const job = new Job();
  const answer = job.run((onprogress) => {
    onprogress({ done: 3, total: 7 });
    expect(job.progress).toEqual({ done: 3, total: 7 });
    return Promise.resolve('done');
  });
  expect(job.running).toBe(true);
  expect(await answer).toBe('done');
  expect([job.running, job.problem, job.cancelled]).toEqual([false, undefined, false]);
});

it('is ended by a person, which is no failure', async () => {
  const job = new Job();
  const ended = job.run(
    (_, signal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(problem('dataset.cancelled'));
        });
      }),
  );
  job.cancel();
  expect(await ended).toBeUndefined();
  expect([job.running, job.problem, job.cancelled]).toEqual([false, undefined, true]);
});

it('says why it failed, until it is tried again', async () => {
  const job = new Job();
  await job.run(() => Promise.reject(Object.assign(new Error(), problem('file.unwritable'))));
  expect(job.problem?.code).toBe('file.unwritable');
  await job.run(() => Promise.resolve(1));
  expect(job.problem).toBeUndefined();
});

it('passes over the answer of what was begun before', async () => {
  const job = new Job();
  let finish: (value: string) => void = () => undefined;
  const first = job.run(() => new Promise<string>((resolve) => (finish = resolve)));
  const second = job.run(() => Promise.resolve('second'));
  finish('first');
  expect(await first).toBeUndefined();
  expect(await second).toBe('second');
});
