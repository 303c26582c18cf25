import { backend, Failure, type Problem, type RunUpdate, type RunView } from '@/backend';

/** One run, watched. */
export class WatchedRun {
  readonly id: string;
  #run = $state.raw<RunView | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #now = $state(Date.now());

  constructor(id: string) {
    this.id = id;
  }

  get run(): RunView | null {
    return this.#run;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  /** The time, once a second while it lives. */
  get now(): number {
    return this.#now;
  }

  /** Watches until the answered function is called. */
  watch(): () => void {
    let stop: (() => void) | null = null;
    let gone = false;
    const tick = setInterval(() => {
      this.#now = Date.now();
    }, 1000);
    const failed = (thrown: unknown) => {
      this.#problem = Failure.problem(thrown);
    };
    void this.#look().then(() => {
      if (gone || this.#run === null) return;
      let first = true;
      stop = backend.watchRun(
        this.id,
        (update) => {
          this.#hear(update, first);
          first = false;
        },
        failed,
      );
    });
    return () => {
      gone = true;
      clearInterval(tick);
      stop?.();
    };
  }

  /** The first update tells all epochs there are, the others those that are new. */
  #hear({ progress, epochs, report }: RunUpdate, first: boolean): void {
    if (this.#run === null) return;
    const before = this.#run.progress;
    const [next] = epochs;
    // Where nothing is new, the charts have nothing to draw. What is trained again replaces what was there.
    const history = first
      ? epochs
      : next
        ? [...before.history.filter(({ epoch }) => epoch < next.epoch), ...epochs]
        : before.history;
    this.#run = { ...this.#run, progress: { ...progress, history }, report };
    if (before.state !== progress.state) void this.#look();
  }

  /** A person changed the note. */
  noted(note: string): void {
    if (this.#run !== null) this.#run = { ...this.#run, note };
  }

  /** What is no part of the updates is read anew when the state changes. */
  async #look(): Promise<void> {
    try {
      this.#run = await backend.run(this.id);
    } catch (error) {
      this.#problem = Failure.problem(error);
    }
  }
}
