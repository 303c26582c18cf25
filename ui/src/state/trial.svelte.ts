import { backend, Failure } from '@/backend';
import type { Plan, Problem, TriedOut, TryOutProgress } from '@/backend';
import { wizard } from './wizard.svelte';

/** The trial run that is under way, which goes on while a person looks elsewhere, and how the last one ended. */
class TrialRun {
  #progress = $state.raw<TryOutProgress | null>(null);
  #ended = $state.raw<{ plan: string; tried?: TriedOut; problem?: Problem } | null>(null);
  #abort: AbortController | undefined;

  /** How far it is; `null`: none is under way. */
  get progress(): TryOutProgress | null {
    return this.#progress;
  }

  /** How the last one of this plan ended, where it failed. */
  failed(plan: Plan): { tried?: TriedOut; problem?: Problem } | null {
    const ended = this.#ended;
    return ended?.plan === JSON.stringify(plan) && !ended.tried?.trial ? ended : null;
  }

  async start(plan: Plan): Promise<void> {
    if (this.#progress) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#ended = null;
    this.#progress = { stage: 'preparing' };
    const key = JSON.stringify(plan);
    try {
      const tried = await backend.tryOut(
        plan,
        (progress) => {
          this.#progress = progress;
        },
        abort.signal,
      );
      this.#ended = { plan: key, tried };
    } catch (error) {
      // A person's own cancelling is no failure.
      if (!abort.signal.aborted) this.#ended = { plan: key, problem: Failure.problem(error) };
    } finally {
      this.#progress = null;
      // What was measured takes the place of what was estimated.
      void wizard.look();
    }
  }

  cancel(): void {
    this.#abort?.abort();
  }
}

export const trial = new TrialRun();
