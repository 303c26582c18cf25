import { backend, Failure, type EnvironmentProgress, type Problem } from '@/backend';
import { t } from '@/lib/text.svelte';
import { environments } from './environment.svelte';
import { toasts } from './toasts.svelte';

type Direction = 'export' | 'import';

/** The environment as one file: packed, or installed from one, while a person looks elsewhere. */
class Kit {
  #doing = $state<Direction | null>(null);
  #progress = $state.raw<EnvironmentProgress | null>(null);
  #failed = $state.raw<{ direction: Direction; problem: Problem } | null>(null);
  #written = $state<string | null>(null);
  #abort: AbortController | null = null;

  /** What is being done, from the moment a file is asked for; `null`: nothing. */
  get doing(): Direction | null {
    return this.#doing;
  }

  /** How far it is; `null`: it has not begun. */
  get progress(): EnvironmentProgress | null {
    return this.#progress;
  }

  /** What failed last, and why. */
  get failed(): { direction: Direction; problem: Problem } | null {
    return this.#failed;
  }

  /** The file that was written last. */
  get written(): string | null {
    return this.#written;
  }

  async run(direction: Direction): Promise<void> {
    if (this.#doing !== null) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#doing = direction;
    this.dismiss();
    const onprogress = (progress: EnvironmentProgress) => (this.#progress = progress);
    try {
      if (direction === 'export') {
        this.#written = await backend.exportKit(onprogress, abort.signal);
      } else if ((await backend.importKit(onprogress, abort.signal)) !== null) {
        toasts.done(t('environment-made'));
      }
    } catch (error) {
      // A person's own cancelling is no failure.
      if (!abort.signal.aborted) this.#failed = { direction, problem: Failure.problem(error) };
    } finally {
      this.#doing = null;
      this.#progress = null;
      this.#abort = null;
    }
    await environments.changed();
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** Forgets how it went. */
  dismiss(): void {
    this.#failed = null;
    this.#written = null;
  }
}

export const kit = new Kit();
