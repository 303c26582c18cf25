import { backend } from '@/backend';

type Wish = { first: number | null; count: number };

/** Lines of a run's log: a few at a time, and one question at a time. */
export class LogReader {
  readonly #id: string;
  readonly #onfailure: (thrown: unknown) => void;
  /** Lines there are. */
  total = $state(0);
  /** The first of those that are held. */
  first = $state(0);
  lines = $state.raw<string[]>([]);
  #wish: Wish | null = null;
  #waits = false;

  constructor(id: string, onfailure: (thrown: unknown) => void) {
    this.#id = id;
    this.#onfailure = onfailure;
  }

  /**
   * Reads some lines, from `first` on; `null`: the last ones. No lines: only how many there are. While an answer is
   * awaited, only the newest wish is kept.
   */
  read(first: number | null, count: number): void {
    this.#wish = { first, count };
    if (!this.#waits) void this.#work();
  }

  async #work(): Promise<void> {
    this.#waits = true;
    try {
      for (let wish = this.#take(); wish !== null; wish = this.#take()) {
        const page = await backend.runLog(this.#id, wish.first, wish.count);
        this.total = page.total;
        if (wish.count > 0) {
          this.first = page.first;
          this.lines = page.lines;
        }
      }
    } catch (error) {
      this.#onfailure(error);
    } finally {
      this.#waits = false;
    }
  }

  #take(): Wish | null {
    const wish = this.#wish;
    this.#wish = null;
    return wish;
  }
}
