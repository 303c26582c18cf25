import {
  backend,
  Failure,
  type Problem,
  type Progress,
  type Report,
  type Run,
  type RunImage,
} from '@/backend';
import { isOver } from './figures';

/** One run, watched. */
export class WatchedRun {
  readonly id: string;
  #run = $state.raw<Run | null>(null);
  #report = $state.raw<Report | null>(null);
  #images = $state.raw<RunImage[]>([]);
  #problem = $state.raw<Problem | null>(null);
  #now = $state(Date.now());

  constructor(id: string) {
    this.id = id;
  }

  get run(): Run | null {
    return this.#run;
  }

  /** The chain: the preflight's, then the diagnosis'. */
  get report(): Report | null {
    return this.#report;
  }

  /** Pictures the trainer drew. */
  get images(): RunImage[] {
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
    let unfollow = () => {};
    let gone = false;
    const tick = setInterval(() => {
      this.#now = Date.now();
    }, 1000);
    void (async () => {
      try {
        const run = await backend.run(this.id);
        if (gone) return;
        this.#run = run;
        await this.#look();
        if (gone || isOver(run.progress.state)) return;
        unfollow = backend.followRun(this.id, (progress) => {
          this.#hear(progress);
        });
      } catch (error) {
        this.#problem = Failure.problem(error);
      }
    })();
    return () => {
      gone = true;
      clearInterval(tick);
      unfollow();
    };
  }

  #hear(progress: Progress): void {
    if (this.#run === null) return;
    const before = this.#run.progress;
    this.#run = { ...this.#run, progress };
    // The chain and the pictures change with the state and with each epoch, not with each step.
    if (before.state !== progress.state || before.history.length !== progress.history.length)
      void this.#look();
  }

  async #look(): Promise<void> {
    try {
      [this.#report, this.#images] = await Promise.all([
        backend.runReport(this.id),
        backend.runImages(this.id),
      ]);
    } catch (error) {
      this.#problem = Failure.problem(error);
    }
  }
}
