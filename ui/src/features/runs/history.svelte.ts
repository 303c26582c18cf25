import { backend, Failure, type Problem, type RunSummary } from '@/backend';
import { isOver } from './figures';

const PACE = 2000;

/** All runs, looked at again and again; their sizes come afterwards, one by one. */
export class History {
  #runs = $state.raw<RunSummary[] | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #now = $state(Date.now());
  #sizes = $state.raw<Readonly<Record<string, number>>>({});
  /** Runs whose size is known for good: they are over. */
  #measured: Record<string, true> = {};

  get runs(): RunSummary[] | null {
    return this.#runs;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  /** When the runs were looked at. */
  get now(): number {
    return this.#now;
  }

  /** Bytes by run, as far as known. */
  get sizes(): Readonly<Record<string, number>> {
    return this.#sizes;
  }

  async look(): Promise<void> {
    try {
      this.#runs = await backend.runs();
      this.#now = Date.now();
      this.#problem = null;
    } catch (error) {
      this.#problem = Failure.problem(error);
    }
  }

  /** Looks until the answered function is called. */
  watch(): () => void {
    let gone = false;
    const again = async () => {
      await this.look();
      // One after the other: a disk has one head, and the list is there already.
      for (const run of this.#runs ?? []) {
        if (gone) return;
        if (!(run.id in this.#measured)) await this.#measure(run);
      }
    };
    let work = again();
    const timer = setInterval(() => {
      work = work.then(() => (gone ? undefined : again()));
    }, PACE);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }

  async #measure({ id, state }: RunSummary): Promise<void> {
    // A run that goes on grows: measured once, and again when it is over.
    if (!isOver(state) && id in this.#sizes) return;
    try {
      const bytes = await backend.runSize(id);
      if (isOver(state)) this.#measured[id] = true;
      this.#sizes = { ...this.#sizes, [id]: bytes };
    } catch {
      // It was deleted meanwhile; a list without its size is a list.
    }
  }

  /** Deletes runs; answers the bytes that became free. What cannot be deleted stops it. */
  async remove(ids: readonly string[]): Promise<number> {
    let freed = 0;
    try {
      for (const id of ids) freed += await backend.deleteRun(id);
    } finally {
      await this.look();
    }
    return freed;
  }
}
