import { backend, Failure, type Problem, type ResultImage, type RunUpdate, type RunView } from '@/backend';
import { isOver } from './figures';

/** One run, watched. */
export class WatchedRun {
  readonly id: string;
  #run = $state.raw<RunView | null>(null);
  #images = $state.raw<ResultImage[]>([]);
  #problem = $state.raw<Problem | null>(null);
  #now = $state(Date.now());

  constructor(id: string) {
    this.id = id;
  }

  get run(): RunView | null {
    return this.#run;
  }

  /** Pictures the trainer drew. */
  get images(): ResultImage[] {
    return this.#images;
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
      if (gone || this.#run === null || isOver(this.#run.progress.state)) return;
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
    const history = first ? epochs : [...before.history, ...epochs];
    this.#run = { ...this.#run, progress: { ...progress, history }, report };
    if (before.state !== progress.state) void this.#look();
  }

  /** What is no part of the updates is read anew when the state changes. */
  async #look(): Promise<void> {
    try {
      const run = await backend.run(this.id);
      this.#run = run;
      if (isOver(run.progress.state)) this.#images = await backend.runImages(this.id);
    } catch (error) {
      this.#problem = Failure.problem(error);
    }
  }
}
