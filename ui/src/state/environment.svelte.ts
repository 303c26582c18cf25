import {
  backend,
  Failure,
  type EnvironmentCost,
  type EnvironmentProgress,
  type EnvironmentState,
  type Message,
  type Problem,
} from '@/backend';
import { t } from '@/lib/text.svelte';
import { toasts } from './toasts.svelte';

/** A step of making an environment. */
type Step = Exclude<EnvironmentProgress, { step: 'note' }>;

/** The training environments, and the making of the app's own one, which goes on while a person looks elsewhere. */
class Environments {
  #all = $state.raw<EnvironmentState[] | null>(null);
  #cost = $state.raw<EnvironmentCost | Problem | null>(null);
  #cpuOnly = $state(false);
  #usesCards = $state(true);
  #progress = $state.raw<Step | null>(null);
  #note = $state.raw<Message | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #making = $state.raw<AbortController | null>(null);
  /** Counts every change of what is there, so that others look again. */
  #changes = $state(0);

  /** What was found; `null`: not looked yet. */
  get all(): EnvironmentState[] | null {
    return this.#all;
  }

  /** What making one would take, or why that cannot be said; `null`: not known yet. */
  get cost(): EnvironmentCost | Problem | null {
    return this.#cost;
  }

  /** Whether a person wants one that leaves the cards alone. */
  get cpuOnly(): boolean {
    return this.#cpuOnly;
  }

  /** Whether there is a choice: the one that fits this computer would use its cards, or it cannot be said. */
  get usesCards(): boolean {
    return this.#usesCards;
  }

  /** The step it is at; `null`: none is being made. */
  get progress(): Step | null {
    return this.#progress;
  }

  /** What is otherwise than was said before. */
  get note(): Message | null {
    return this.#note;
  }

  get making(): boolean {
    return this.#making !== null;
  }

  /** Why the last making ended without one. */
  get problem(): Problem | null {
    return this.#problem;
  }

  get changes(): number {
    return this.#changes;
  }

  async look(): Promise<void> {
    // What is there can be chosen even where it cannot be said what making one would take.
    const [all, cost] = await Promise.allSettled([
      backend.environments(),
      backend.environmentCost(this.#cpuOnly),
    ]);
    if (all.status === 'fulfilled') this.#all = all.value;
    else toasts.failed(all.reason);
    this.#cost = cost.status === 'fulfilled' ? cost.value : Failure.problem(cost.reason);
    if (!this.#cpuOnly) this.#usesCards = cost.status === 'rejected' || cost.value.build !== 'cpu';
  }

  /** With the cards, or without. */
  async choose(cpuOnly: boolean): Promise<void> {
    this.#cpuOnly = cpuOnly;
    await this.look();
  }

  async make(): Promise<void> {
    if (this.#making !== null) return;
    const abort = new AbortController();
    this.#making = abort;
    this.#problem = null;
    try {
      await backend.createEnvironment(
        this.#cpuOnly,
        (progress) => {
          if (progress.step === 'note') this.#note = progress.note;
          else this.#progress = progress;
        },
        abort.signal,
      );
      toasts.done(t('environment-made'));
    } catch (error) {
      // A person's own cancelling is no failure.
      if (!abort.signal.aborted) this.#problem = Failure.problem(error);
    } finally {
      this.#making = null;
      this.#progress = null;
      this.#note = null;
      this.#changes += 1;
      await this.look();
    }
  }

  cancel(): void {
    this.#making?.abort();
  }

  /** Another one is there than before. */
  async changed(): Promise<void> {
    this.#changes += 1;
    await this.look();
  }

  async remove(): Promise<void> {
    try {
      const bytes = await backend.removeEnvironment();
      toasts.done(t('environment-removed', { bytes }));
    } catch (error) {
      toasts.failed(error);
    }
    this.#changes += 1;
    await this.look();
  }
}

export const environments = new Environments();
