import { backend, Failure } from '@/backend';
import type { DatasetView, HealthView, InspectionProgress, Message, Problem } from '@/backend';
import { settings } from './settings.svelte';

/** The chosen dataset, as it was read. */
class DatasetState {
  #path = $state('');
  #view = $state.raw<DatasetView>();
  #progress = $state.raw<InspectionProgress>();
  #problem = $state.raw<Problem>();
  #lookedFor = $state.raw<Message>();
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

  /** It could not be read, and nobody stopped that. */
  get failed(): boolean {
    return this.#problem !== undefined && this.#problem.code !== 'dataset.cancelled';
  }

  /** Why changes on the disk are looked for now and then; `undefined`: they are told at once, or nobody watches. */
  get lookedFor(): Message | undefined {
    return this.#lookedFor;
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

  /** Takes over what a second look found. */
  examined(path: string, health: HealthView): void {
    if (path === this.#path && this.#view) this.#view = { ...this.#view, health };
  }

  /** Has `onchange` called whenever the dataset changed on the disk, or is gone or back, until the answer is called. */
  watch(path: string, onchange: () => void): () => void {
    let lost = false;
    const stop = backend.watchDataset(path, (change) => {
      // Told once at the beginning, when it was just read.
      const changed = change.state === 'lost' || lost || change.files > 0;
      lost = change.state === 'lost';
      this.#lookedFor = (change.state === 'read' && change.looked_for) || undefined;
      if (changed) onchange();
    });
    return () => {
      stop();
      this.#lookedFor = undefined;
    };
  }

  /** Gives up reading; what was read of it before stays. */
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
