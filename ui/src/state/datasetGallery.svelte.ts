import { backend, Failure } from '@/backend';
import type { Filter, GalleryImage, Matches, Problem } from '@/backend';
import { pagesOf } from '@/lib/grid';

/** Images asked for at once. */
export const PAGE = 100;
/** Pages kept: far more than a screen, far fewer than a dataset. */
const MOST_PAGES = 24;
/** How long a person has to rest on a place before its images are asked for. */
const REST_MS = 70;

type Pages<T> = Readonly<Partial<Record<number, T>>>;

export const EVERYTHING: Filter = { split: null, class: null, finding: null, name: '' };

export function isEverything(filter: Filter): boolean {
  return (
    filter.split === null && filter.class === null && filter.finding === null && filter.name.trim() === ''
  );
}

/** The images of the chosen dataset, as a person narrows them down: only those near what is seen are here. */
export class Gallery {
  #path = '';
  #filter = $state.raw<Filter>(EVERYTHING);
  #matches = $state.raw<Matches>();
  #problem = $state.raw<Problem>();
  #pages = $state.raw<Pages<GalleryImage[]>>({});
  #counting = $state(false);
  /** Counts what was asked for, so that late answers to earlier questions are passed over. */
  #asked = 0;
  #loading: number[] = [];
  #seen = { first: 0, last: PAGE };
  #resting: ReturnType<typeof setTimeout> | undefined;

  get filter(): Filter {
    return this.#filter;
  }

  get matches(): Matches | undefined {
    return this.#matches;
  }

  get total(): number {
    return this.#matches?.total ?? 0;
  }

  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** The images are being counted. */
  get counting(): boolean {
    return this.#counting;
  }

  /** The image at a place; `undefined`: it is not here yet. */
  at(index: number): GalleryImage | undefined {
    return this.#pages[Math.floor(index / PAGE)]?.[index % PAGE];
  }

  /** Shows a dataset as it is now; the filter stays where it is the same dataset. */
  async show(path: string): Promise<void> {
    if (path !== this.#path) {
      this.#path = path;
      this.#filter = EVERYTHING;
      this.#matches = undefined;
      this.#pages = {};
      this.#seen = { first: 0, last: PAGE };
    }
    await this.#count(pagesOf(this.#seen.first, this.#seen.last, PAGE));
  }

  /** Narrows down, or widens again. */
  async narrow(part: Partial<Filter>): Promise<void> {
    this.#filter = { ...this.#filter, ...part };
    this.#seen = { first: 0, last: PAGE };
    await this.#count([0]);
  }

  /** Counts anew, and loads what is seen before any of it is shown: nothing flickers. */
  async #count(wanted: number[]): Promise<void> {
    const asked = ++this.#asked;
    clearTimeout(this.#resting);
    this.#loading = [];
    this.#counting = true;
    const [path, filter] = [this.#path, this.#filter];
    try {
      const matches = await backend.matchingImages(path, filter);
      const there = wanted.filter((page) => page * PAGE < matches.total);
      const images = await Promise.all(
        there.map((page) => backend.datasetImages(path, filter, page * PAGE, PAGE)),
      );
      if (asked !== this.#asked) return;
      this.#matches = matches;
      this.#pages = Object.fromEntries(there.map((page, at) => [page, images[at] ?? []]));
      this.#problem = undefined;
    } catch (error) {
      if (asked === this.#asked) this.#problem = Failure.problem(error);
    } finally {
      if (asked === this.#asked) this.#counting = false;
    }
  }

  /** Says which images are seen: they are loaded once a person rests there. */
  see(first: number, last: number): void {
    this.#seen = { first, last };
    clearTimeout(this.#resting);
    const missing = pagesOf(first, Math.min(last, this.total), PAGE).filter((page) => !(page in this.#pages));
    if (missing.length === 0) return;
    this.#resting = setTimeout(() => void this.#load(missing), REST_MS);
  }

  /** The file at a place, loaded if need be; `undefined`: there is none. */
  async fileAt(index: number): Promise<string | undefined> {
    if (index < 0 || index >= this.total) return undefined;
    if (!this.at(index)) await this.#load([Math.floor(index / PAGE)]);
    return this.at(index)?.file;
  }

  async #load(wanted: number[]): Promise<void> {
    const asked = this.#asked;
    for (const page of wanted) {
      if (this.#loading.includes(page) || page * PAGE >= this.total) continue;
      this.#loading.push(page);
      try {
        const images = await backend.datasetImages(this.#path, this.#filter, page * PAGE, PAGE);
        if (asked !== this.#asked) return;
        this.#pages = bounded(this.#pages, page, images);
      } catch (error) {
        if (asked === this.#asked) this.#problem = Failure.problem(error);
      } finally {
        if (asked === this.#asked) this.#loading = this.#loading.filter((other) => other !== page);
      }
    }
  }
}

/** With another page, and without those farthest from it where there would be too many. */
export function bounded<T>(pages: Pages<T>, page: number, content: T, most = MOST_PAGES): Pages<T> {
  const far = (other: string) => Math.abs(Number(other) - page);
  const near = Object.entries(pages).filter(([other]) => far(other) > 0);
  near.sort(([a], [b]) => far(a) - far(b));
  return { ...Object.fromEntries(near.slice(0, most - 1)), [page]: content };
}

export const gallery = new Gallery();
