import { backend } from '@/backend';
import type { Machine } from '@/backend';

/** This computer, live for as long as someone watches. */
class MachineState {
  #now = $state.raw<Machine>();
  #watchers = 0;
  #stop: (() => void) | undefined;

  /** `undefined` until it was observed. */
  get now(): Machine | undefined {
    return this.#now;
  }

  /** Watches until the answered function is called; for an `$effect`. */
  watch(): () => void {
    if (this.#watchers++ === 0) {
      this.#stop = backend.watchMachine((machine) => {
        this.#now = machine;
      });
    }
    return () => {
      if (--this.#watchers === 0) this.#stop?.();
    };
  }
}

export const machine = new MachineState();
