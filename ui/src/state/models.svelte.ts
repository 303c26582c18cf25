import { backend } from '@/backend';
import type { ModelCard } from '@/backend';
import { toasts } from './toasts.svelte';

/** The models there are to choose. */
class Models {
  #all = $state.raw<ModelCard[]>([]);

  get all(): readonly ModelCard[] {
    return this.#all;
  }

  named(name: string): ModelCard | undefined {
    return this.#all.find((model) => model.name === name);
  }

  async load(): Promise<void> {
    try {
      this.#all = await backend.models();
    } catch (error) {
      toasts.failed(error);
    }
  }
}

export const models = new Models();
