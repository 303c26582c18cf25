import { backend } from '@/backend';
import type { Goal, Waiting } from '@/backend';
import { toasts } from './toasts.svelte';

/** How often it is looked at what waits. */
const PACE_MS = 2000;

/** What waits for a card; there is one at a time. */
class WaitingState {
  #now = $state.raw<Waiting | null>(null);
  #watchers = 0;
  #clock: ReturnType<typeof setInterval> | undefined;

  get now(): Waiting | null {
    return this.#now;
  }

  /** Watches until the answered function is called; for an `$effect`. */
  watch(): () => void {
    if (this.#watchers++ === 0) {
      void this.#look();
      this.#clock = setInterval(() => void this.#look(), PACE_MS);
    }
    return () => {
      if (--this.#watchers === 0) clearInterval(this.#clock);
    };
  }

  async wait(goal: Goal): Promise<boolean> {
    try {
      this.#now = await backend.waitFor(goal);
      return true;
    } catch (error) {
      toasts.failed(error);
      return false;
    }
  }

  /** Waits no longer, or forgets how it went. */
  async stop(): Promise<void> {
    try {
      await backend.stopWaiting();
      this.#now = null;
    } catch (error) {
      toasts.failed(error);
    }
  }

  async #look(): Promise<void> {
    try {
      this.#now = await backend.waiting();
    } catch {
      // It is asked again in a moment.
    }
  }
}

export const waiting = new WaitingState();
