import { Failure } from '@/backend';
import type { Problem } from '@/backend';

export type Toast = { id: number } & ({ kind: 'done'; text: string } | { kind: 'problem'; problem: Problem });

/** Short words that go away by themselves, and problems that stay until they are read. */
class Toasts {
  #all = $state.raw<Toast[]>([]);
  #next = 0;

  get all(): Toast[] {
    return this.#all;
  }

  /** Something was done. */
  done(text: string): void {
    const id = this.#next++;
    this.#all = [...this.#all, { id, kind: 'done', text }];
    setTimeout(() => {
      this.dismiss(id);
    }, 4000);
  }

  /** Something could not be done. */
  failed(thrown: unknown): void {
    const problem = Failure.problem(thrown);
    const same = this.#all.some((toast) => toast.kind === 'problem' && toast.problem.code === problem.code);
    if (!same) this.#all = [...this.#all, { id: this.#next++, kind: 'problem', problem }];
  }

  dismiss(id: number): void {
    this.#all = this.#all.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
