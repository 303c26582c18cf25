import { backend, Failure, type Problem, type WeightsEntry, type WeightsProgress } from '@/backend';
import { t } from '@/lib/text.svelte';
import { toasts } from './toasts.svelte';

/** The pretrained weights on this computer, and the fetching of some, which goes on while a person looks elsewhere. */
class PretrainedWeights {
  #all = $state.raw<WeightsEntry[]>([]);
  #model = $state<string | null>(null);
  #progress = $state.raw<WeightsProgress | null>(null);
  #failed = $state.raw<{ model: string; problem: Problem } | null>(null);
  #abort: AbortController | undefined;
  /** Counts every change of what is there, so that others look again. */
  #changes = $state(0);

  /** The model whose weights are being fetched; `null`: none are. */
  get fetching(): string | null {
    return this.#model;
  }

  get progress(): WeightsProgress | null {
    return this.#progress;
  }

  get changes(): number {
    return this.#changes;
  }

  /** What is here of a model; `undefined`: not looked yet, or nobody publishes any. */
  of(model: string): WeightsEntry | undefined {
    return this.#all.find((entry) => entry.model === model);
  }

  /** Why the last attempt to fetch a model's weights failed. */
  problem(model: string): Problem | null {
    return this.#failed?.model === model ? this.#failed.problem : null;
  }

  async look(): Promise<void> {
    try {
      this.#all = await backend.weights();
    } catch (error) {
      toasts.failed(error);
    }
  }

  /** `again`: in place of the file that is here. */
  async fetch(model: string, again = false): Promise<void> {
    if (this.#model !== null) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#model = model;
    this.#failed = null;
    try {
      const { before } = await backend.fetchWeights(
        model,
        again,
        (progress) => {
          this.#progress = progress;
        },
        abort.signal,
      );
      toasts.done(t(before === null ? 'weights-fetched' : 'weights-fetched-another', { model }));
    } catch (error) {
      // A person's own cancelling is no failure.
      if (!abort.signal.aborted) this.#failed = { model, problem: Failure.problem(error) };
    } finally {
      this.#model = null;
      this.#progress = null;
      await this.look();
      this.#changes += 1;
    }
  }

  cancel(): void {
    this.#abort?.abort();
  }
}

export const weights = new PretrainedWeights();
