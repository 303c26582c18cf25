import { expect, it, vi } from 'vitest';
import type { Prediction } from '@/backend';

// Outside of a browser the fake engine is what answers.
vi.stubGlobal('window', globalThis);
vi.stubGlobal('navigator', { language: 'en' });
vi.stubGlobal('location', { search: '', hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { backend } = await import('@/backend');
const { Trial } = await import('./trial.svelte');

it('ends with the answer, though what was found comes after it', async () => {
  const prediction: Prediction = {
    width: 64,
    height: 48,
    boxes: [],
    inference_s: 0.03,
    total_s: 0.04,
    names: ['plate'],
    device: 'cpu',
    on_processor: null,
  };
  const asked = vi.spyOn(backend, 'tryModel').mockImplementation((_id, _paths, onupdate) => {
    onupdate({ kind: 'begun', images: 1, total: 1 });
    setTimeout(() => {
      onupdate({ kind: 'predicted', image: 'i', name: 'a.jpg', prediction });
    }, 20);
    return Promise.resolve();
  });
  const trial = new Trial('run');
  await trial.try(['/a.jpg']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(trial.images.map(({ name }) => name)).toEqual(['a.jpg']);
  expect(trial.under).toBeNull();
  asked.mockRestore();
});
