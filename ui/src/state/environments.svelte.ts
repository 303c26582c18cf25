import { backend, Failure } from '@/backend';
import type { EnvironmentState, Problem } from '@/backend';

/** The training environments that were found: the app's own first. */
class Environments {
  #all = $state.raw<EnvironmentState[]>();
  #looking = $state(false);
  #problem = $state.raw<Problem>();

  /** `undefined` until they were looked for. */
  get all(): EnvironmentState[] | undefined {
    return this.#all;
  }

  get looking(): boolean {
    return this.#looking;
  }

  /** Why they could not be looked for. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Looks for them; trying one takes seconds. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      this.#all = await backend.environments();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = Failure.problem(error);
    } finally {
      this.#looking = false;
    }
  }
}

export const environments = new Environments();
