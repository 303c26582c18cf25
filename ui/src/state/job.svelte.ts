import { Failure } from '@/backend';
import type { InspectionProgress, Problem } from '@/backend';

/** Something long that is done to a dataset: how far it is, how it ended, and how to end it. */
export class Job {
  #progress = $state.raw<InspectionProgress>();
  #problem = $state.raw<Problem>();
  #cancelled = $state(false);
  #abort: AbortController | undefined;

  get running(): boolean {
    return this.#progress !== undefined;
  }

  /** How far it is; `undefined`: nothing is under way. */
  get progress(): InspectionProgress | undefined {
    return this.#progress;
  }

  /** Why it failed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** A person ended it. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Does something; `undefined`: it failed, or was ended. What is under way is ended first. */
  async run<T>(
    work: (onprogress: (progress: InspectionProgress) => void, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const mine = () => this.#abort === abort;
    this.#problem = undefined;
    this.#cancelled = false;
    this.#progress = { done: 0, total: 0 };
    try {
      const answer = await work((progress) => {
        if (mine()) this.#progress = progress;
      }, abort.signal);
      return mine() ? answer : undefined;
    } catch (error) {
      if (mine()) {
        this.#cancelled = abort.signal.aborted;
        if (!abort.signal.aborted) this.#problem = Failure.problem(error);
      }
      return undefined;
    } finally {
      if (mine()) {
        this.#progress = undefined;
        this.#abort = undefined;
      }
    }
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** As if nothing had been done. */
  reset(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#progress = undefined;
    this.#problem = undefined;
    this.#cancelled = false;
  }
}
