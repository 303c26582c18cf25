import { backend, Failure } from '@/backend';
import type { DatasetView, InspectionProgress, Problem } from '@/backend';
import { settings } from './settings.svelte';

/** The chosen dataset, as it was read. */
class DatasetState {
  #path = $state('');
  #view = $state.raw<DatasetView>();
  #progress = $state.raw<InspectionProgress>();
  #problem = $state.raw<Problem>();
  #reading: AbortController | undefined;

  get path(): string {
    return this.#path;
  }

  get view(): DatasetView | undefined {
    return this.#view;
  }

  /** How far reading is; `undefined`: nothing is being read. */
  get progress(): InspectionProgress | undefined {
    return this.#progress;
  }

  /** Why it could not be read. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Reads a dataset. What is read meanwhile is given up. */
  async read(path: string): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    if (path !== this.#path) this.#view = undefined;
    this.#path = path;
    this.#problem = undefined;
    this.#progress = { done: 0, total: 0 };
    const mine = () => this.#reading === reading;
    try {
      const view = await backend.inspectDataset(
        path,
        (progress) => {
          if (mine()) this.#progress = progress;
        },
        reading.signal,
      );
      if (mine()) this.#view = view;
    } catch (error) {
      if (mine()) {
        const problem = Failure.problem(error);
        this.#view = undefined;
        this.#problem = problem;
      }
    } finally {
      if (mine()) {
        this.#progress = undefined;
        this.#reading = undefined;
      }
    }
    if (!reading.signal.aborted) void settings.refresh();
  }

  /** Gives up reading. */
  cancel(): void {
    this.#reading?.abort();
  }

  forget(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#path = '';
    this.#view = undefined;
    this.#problem = undefined;
    this.#progress = undefined;
  }
}

export const dataset = new DatasetState();
