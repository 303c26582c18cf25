import { describe, expect, it, vi } from 'vitest';

// Outside of a browser the fake engine is what answers.
vi.stubGlobal('window', globalThis);
vi.stubGlobal('navigator', { language: 'en' });
vi.stubGlobal('location', { search: '', hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { backend } = await import('@/backend');
const { bounded, EVERYTHING, Gallery, isEverything, PAGE } = await import('./datasetGallery.svelte');

const rest = () => new Promise((resolve) => setTimeout(resolve, 120));

describe('a gallery of a hundred thousand images', () => {
  it('loads only what is looked at', async () => {
    const asked = vi.spyOn(backend, 'datasetImages');
    const gallery = new Gallery();
    await gallery.show('/data/coco128');
    expect(gallery.total).toBe(100_000);
    expect(gallery.at(0)?.name).toBe('plate_000001.jpg');
    expect(gallery.at(PAGE)).toBeUndefined();
    asked.mockClear();
    // Scrolled through: only where a person rests is asked for.
    for (let first = 0; first < 90_000; first += 1_000) gallery.see(first, first + 40);
    gallery.see(90_010, 90_050);
    await rest();
    expect(asked.mock.calls.map(([, , offset, count]) => [offset, count])).toEqual([[90_000, PAGE]]);
    expect(gallery.at(90_010)?.name).toBe('plate_090011.jpg');
    asked.mockRestore();
  });

  it('is narrowed down, and begins at its first image then', async () => {
    const gallery = new Gallery();
    await gallery.show('/data/coco128');
    await gallery.narrow({ split: 'val' });
    expect(gallery.total).toBe(4000);
    expect(gallery.at(0)?.split).toBe('val');
    // The other splits are counted as if this one were not chosen.
    expect(gallery.matches?.splits).toEqual([
      ['train', 96_000],
      ['val', 4000],
    ]);
    await gallery.narrow({ name: 'nothing is called this' });
    expect([gallery.total, gallery.at(0)]).toEqual([0, undefined]);
    await gallery.narrow(EVERYTHING);
    expect(gallery.total).toBe(100_000);
  });

  it('keeps the filter while it is the same dataset, and drops it for another', async () => {
    const gallery = new Gallery();
    await gallery.show('/data/coco128');
    await gallery.narrow({ class: 2 });
    await gallery.show('/data/coco128');
    expect(gallery.filter.class).toBe(2);
    await gallery.show('/home/lin/data/plates/data.yaml');
    expect(isEverything(gallery.filter)).toBe(true);
    expect(gallery.total).toBe(1560);
  });

  it('passes over late answers to earlier questions', async () => {
    const gallery = new Gallery();
    await gallery.show('/data/coco128');
    const slow = gallery.narrow({ split: 'train' });
    const quick = gallery.narrow({ split: 'val' });
    await Promise.all([slow, quick]);
    expect([gallery.filter.split, gallery.total]).toEqual(['val', 4000]);
  });

  it('says why images cannot be had, and gets over it', async () => {
    const gallery = new Gallery();
    const broken = vi
      .spyOn(backend, 'matchingImages')
      .mockRejectedValueOnce({ code: 'dataset.not-found', args: {}, causes: [] });
    await gallery.show('/data/coco128');
    expect(gallery.problem?.code).toBe('dataset.not-found');
    broken.mockRestore();
    await gallery.show('/data/coco128');
    expect([gallery.problem, gallery.total]).toEqual([undefined, 100_000]);
  });

  it('finds the file at any place', async () => {
    const gallery = new Gallery();
    await gallery.show('/data/coco128');
    expect(await gallery.fileAt(54_321)).toContain('plate_054322.jpg');
    expect(await gallery.fileAt(100_000)).toBeUndefined();
    expect(await gallery.fileAt(-1)).toBeUndefined();
  });
});

it('keeps the pages nearest to what is seen', () => {
  let pages: Readonly<Partial<Record<number, string>>> = {};
  for (let page = 0; page < 100; page += 1) pages = bounded(pages, page, String(page), 5);
  expect(Object.keys(pages)).toEqual(['95', '96', '97', '98', '99']);
  pages = bounded(pages, 10, '10', 5);
  expect(Object.keys(pages)).toHaveLength(5);
  expect(pages[99]).toBeUndefined();
});
