import { backend, Failure } from '@/backend';
import type { Draft, Forecast, Outlook, Plan, Preflight, Problem } from '@/backend';
import { BATCHES } from '@/lib/batches';
import { STEPS, type Step } from '@/lib/route';
import { dataset } from './dataset.svelte';
import { toasts } from './toasts.svelte';

/** How long after the last change of the plan the chain is looked at, and the draft kept. */
const QUIET_MS = 300;
/** A look shorter than this is not shown as one: the chain must not flicker while a slider moves. */
const SHOWN_AFTER_MS = 250;

function apartFromBatch(plan: Plan): string {
  return JSON.stringify({ ...plan, training: { ...plan.training, batch: 0 } });
}

/** The unfinished training: its plan, how far a person came, and what the chain says to it. */
class Wizard {
  #plan = $state.raw<Plan>();
  #furthest = $state<Step>('dataset');
  #preflight = $state.raw<Preflight>();
  #preflightProblem = $state.raw<Problem>();
  #outlook = $state.raw<Outlook | null>(null);
  /** The plan that the outlook is of, apart from its batch. */
  #outlookOf = '';
  #looking = $state(false);
  #step: Step = 'dataset';
  #soon: ReturnType<typeof setTimeout> | undefined;
  #pass = 0;
  #thought = 0;

  /** `undefined` until the draft was read. */
  get plan(): Plan | undefined {
    return this.#plan;
  }

  /** The furthest step a person reached. */
  get furthest(): Step {
    return this.#furthest;
  }

  /** What the last pass over the chain said. */
  get preflight(): Preflight | undefined {
    return this.#preflight;
  }

  /** Why the last pass could not be made. */
  get preflightProblem(): Problem | undefined {
    return this.#preflightProblem;
  }

  /** A pass over the chain is under way. */
  get looking(): boolean {
    return this.#looking;
  }

  /** What the plan needs, and what changing it would do; `null`: not known. */
  get outlook(): Outlook | null {
    return this.#outlook;
  }

  /** What the plan needs with its batch; `null`: not known. Of a batch that nobody asked about, the one below counts. */
  get forecast(): Forecast | null {
    const batch = this.#plan?.training.batch ?? 0;
    return (
      (this.#outlook?.batches.findLast((row) => row.batch <= batch) ?? this.#outlook?.batches[0])?.forecast ??
      null
    );
  }

  /** Reads the draft. Answers the step a person was at. */
  async load(): Promise<Step> {
    try {
      const draft = await this.#draft();
      this.#plan = draft?.plan ?? (await backend.newPlan());
      if (draft) {
        this.#step = STEPS.find((step) => step === draft.step) ?? 'dataset';
        this.#furthest = STEPS.find((step) => step === draft.furthest) ?? this.#step;
      }
      if (this.#plan.dataset) void dataset.read(this.#plan.dataset);
      void this.#think();
      void this.look();
    } catch (error) {
      toasts.failed(error);
    }
    return this.#step;
  }

  /** One that cannot be read is kept aside, and said; a person begins anew. */
  async #draft(): Promise<Draft | null> {
    try {
      return await backend.draft();
    } catch (error) {
      toasts.failed(error);
      return null;
    }
  }

  /** A person is at a step. */
  visit(step: Step): void {
    this.#step = step;
    if (STEPS.indexOf(step) > STEPS.indexOf(this.#furthest)) this.#furthest = step;
    void this.#keep();
  }

  /** Takes over a changed plan; what follows from it follows by itself. */
  change(how: (plan: Plan) => Plan): void {
    if (!this.#plan) return;
    this.#plan = how(this.#plan);
    // A slider that moves asks nobody: every batch it can stop at was worked out at once.
    if (!this.#knows(this.#plan)) void this.#think();
    this.#later();
  }

  #knows(plan: Plan): boolean {
    return (
      apartFromBatch(plan) === this.#outlookOf &&
      !!this.#outlook?.batches.some(({ batch }) => batch === plan.training.batch)
    );
  }

  /** Takes over another plan, with its dataset. */
  replace(plan: Plan): void {
    this.#plan = plan;
    if (plan.dataset) void dataset.read(plan.dataset);
    else dataset.forget();
    void this.#think();
    this.#later();
  }

  /** Chooses a dataset and reads it. */
  choose(path: string): void {
    this.change((plan) => ({ ...plan, dataset: path }));
    if (!path) {
      dataset.forget();
      return;
    }
    void dataset.read(path).then(() => {
      // The chain looked while the dataset was being read.
      void this.#think();
      void this.look();
    });
  }

  /** Begins anew, with nothing chosen. */
  async restart(): Promise<void> {
    try {
      this.replace(await backend.newPlan());
      this.#furthest = 'dataset';
    } catch (error) {
      toasts.failed(error);
    }
  }

  /**
   * Looks at the whole chain now; `anew`: also at what was seen lately and seems not to have changed. A pass that was
   * overtaken says nothing.
   */
  async look(anew = false): Promise<void> {
    const plan = this.#plan;
    if (!plan) return;
    clearTimeout(this.#soon);
    const pass = ++this.#pass;
    const shown = setTimeout(
      () => {
        if (pass === this.#pass) this.#looking = true;
      },
      this.#preflight ? SHOWN_AFTER_MS : 0,
    );
    try {
      const preflight = await backend.preflight(plan, [], anew);
      if (pass !== this.#pass) return;
      this.#preflight = preflight;
      this.#preflightProblem = undefined;
    } catch (error) {
      if (pass === this.#pass) this.#preflightProblem = Failure.problem(error);
    } finally {
      clearTimeout(shown);
      if (pass === this.#pass) this.#looking = false;
    }
    // What was observed for the chain is what estimates are made from.
    void this.#think();
  }

  /** A person came back to the window: what they mended elsewhere is seen without being asked for. */
  refresh(): void {
    if (!this.#plan || this.#looking) return;
    if (this.#plan.dataset && !dataset.progress) void dataset.read(this.#plan.dataset);
    void this.look();
  }

  /** Starts the training. Answers the run's id. */
  async start(accepted: string[]): Promise<string | undefined> {
    if (!this.#plan) return undefined;
    try {
      return await backend.startRun(this.#plan, accepted);
    } catch (error) {
      toasts.failed(error);
      void this.look();
      return undefined;
    }
  }

  #later(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => {
      void this.#keep();
      void this.look();
    }, QUIET_MS);
  }

  async #keep(): Promise<void> {
    if (!this.#plan) return;
    try {
      await backend.saveDraft({ step: this.#step, furthest: this.#furthest, plan: this.#plan });
    } catch (error) {
      toasts.failed(error);
    }
  }

  async #think(): Promise<void> {
    const plan = this.#plan;
    if (!plan) return;
    const asked = ++this.#thought;
    try {
      const outlook = await backend.outlook(plan, BATCHES);
      if (asked !== this.#thought) return;
      this.#outlook = outlook;
      this.#outlookOf = apartFromBatch(plan);
    } catch (error) {
      toasts.failed(error);
    }
  }
}

export const wizard = new Wizard();
