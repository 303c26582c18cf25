import type { Difference } from '@/backend';

/** A run that was started in place of one that failed, so that it can be undone. */
export type Mended = {
  /** The run that failed. */
  from: string;
  /** The run that was started. */
  to: string;
  changes: readonly Difference[];
};

class MendedRuns {
  #last = $state.raw<Mended | null>(null);

  started(mended: Mended): void {
    this.#last = mended;
  }

  /** How this run came to be, where it was started by mending another. */
  of(id: string): Mended | null {
    return this.#last?.to === id ? this.#last : null;
  }

  undone(): void {
    this.#last = null;
  }
}

export const mended = new MendedRuns();
