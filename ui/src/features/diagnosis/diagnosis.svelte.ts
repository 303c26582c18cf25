import { backend, Failure, type Problem, type RunDiagnosis } from '@/backend';

/** Why a run failed. */
export class DiagnosedRun {
  readonly #id: string;
  #value = $state.raw<RunDiagnosis | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #looking = $state(false);

  constructor(id: string) {
    this.#id = id;
  }

  /** `null`: it did not fail, or it is not known yet. */
  get value(): RunDiagnosis | null {
    return this.#value;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  get looking(): boolean {
    return this.#looking;
  }

  async look(): Promise<void> {
    this.#looking = true;
    try {
      this.#value = await backend.diagnoseRun(this.#id);
      this.#problem = null;
    } catch (thrown) {
      this.#problem = Failure.problem(thrown);
    } finally {
      this.#looking = false;
    }
  }

  /** It goes on: what ended it is history. */
  forget(): void {
    this.#value = null;
  }
}
