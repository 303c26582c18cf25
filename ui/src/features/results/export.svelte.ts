import {
  backend,
  Failure,
  type EnvironmentProgress,
  type Export,
  type ExportProgress,
  type Needs,
  type Problem,
} from '@/backend';

/** The exporting of one run's model. It goes on while a person looks elsewhere. */
export class Exporting {
  readonly id: string;
  #needs = $state.raw<Needs | null>(null);
  #step = $state.raw<ExportProgress | EnvironmentProgress | null>(null);
  #made = $state.raw<Export | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #work = $state.raw<AbortController | null>(null);

  constructor(id: string) {
    this.id = id;
  }

  /** What has to be installed first, and waits for a yes. */
  get needs(): Needs | null {
    return this.#needs;
  }

  /** The step it is at; `null`: looking what is needed. */
  get step(): ExportProgress | EnvironmentProgress | null {
    return this.#step;
  }

  /** What came out, if it was exported in this window. */
  get made(): Export | null {
    return this.#made;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  get busy(): boolean {
    return this.#work !== null;
  }

  /** Exports, unless something has to be installed first. */
  async begin(): Promise<void> {
    await this.#working(async (signal) => {
      const needs = await backend.exportNeeds(this.id);
      if (needs.packages.length > 0) this.#needs = needs;
      else await this.#export(signal);
    });
  }

  /** A person said yes: installs what is needed, then exports. */
  async install(): Promise<void> {
    this.#needs = null;
    await this.#working(async (signal) => {
      await backend.addExportPackages((step) => {
        this.#step = step;
      }, signal);
      await this.#export(signal);
    });
  }

  /** A person said no. */
  leave(): void {
    this.#needs = null;
  }

  cancel(): void {
    this.#work?.abort();
  }

  async #export(signal: AbortSignal): Promise<void> {
    this.#made = await backend.exportModel(
      this.id,
      (step) => {
        this.#step = step;
      },
      signal,
    );
  }

  async #working(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#work !== null) return;
    const abort = new AbortController();
    this.#work = abort;
    this.#problem = null;
    this.#step = null;
    try {
      await work(abort.signal);
    } catch (thrown) {
      // A person's own cancelling is no failure.
      if (!abort.signal.aborted) this.#problem = Failure.problem(thrown);
    } finally {
      this.#work = null;
      this.#step = null;
    }
  }
}

const all: Record<string, Exporting> = {};

/** The exporting of a run, the same for everyone who asks. */
export function exporting(id: string): Exporting {
  return (all[id] ??= new Exporting(id));
}
