import { backend, Failure, type Prediction, type Problem } from '@/backend';

/** An image that was tried: what was found in it, or why it could not be looked at. */
export type Tried = { key: number; name: string } & (
  | { image: string; prediction: Prediction; problem?: undefined }
  | { problem: Problem; image?: undefined; prediction?: undefined }
);

/** The least confidence that the model tells. */
export const LEAST = 0.01;

/** A model that is being tried; the newest images first. */
export class Trial {
  readonly id: string;
  /** Boxes less sure than this are not shown. */
  confidence = $state(0.25);
  #images = $state.raw<Tried[]>([]);
  /** How many of the images that were asked for are done; `null`: none are asked for. */
  #under = $state.raw<{ done: number; images: number } | null>(null);
  /** A folder had more images than are looked at. */
  #more = $state.raw<{ images: number; total: number } | null>(null);
  #problem = $state.raw<Problem | null>(null);
  #next = 0;
  #asked = 0;

  constructor(id: string) {
    this.id = id;
  }

  get images(): Tried[] {
    return this.#images;
  }

  get under(): { done: number; images: number } | null {
    return this.#under;
  }

  get more(): { images: number; total: number } | null {
    return this.#more;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  async try(paths: string[]): Promise<void> {
    if (paths.length === 0) return;
    const asked = ++this.#asked;
    const before = this.#images;
    let found: Tried[] = [];
    this.#problem = null;
    this.#more = null;
    this.#under = { done: 0, images: paths.length };
    try {
      await backend.tryModel(this.id, paths, (update) => {
        if (asked !== this.#asked) return;
        if (update.kind === 'begun') {
          this.#under = { done: 0, images: update.images };
          if (update.total > update.images) this.#more = update;
          return;
        }
        const key = this.#next++;
        found = [
          ...found,
          update.kind === 'predicted'
            ? { key, name: update.name, image: update.image, prediction: update.prediction }
            : { key, name: update.name, problem: update.problem },
        ];
        this.#images = [...found, ...before];
        // What was found takes another way than the answer, and may come after it.
        if (this.#under) this.#under = { done: found.length, images: this.#under.images };
      });
    } catch (thrown) {
      if (asked === this.#asked) this.#problem = Failure.problem(thrown);
    } finally {
      if (asked === this.#asked) this.#under = null;
    }
  }

  /** An image out of the clipboard. */
  async paste(image: Blob): Promise<void> {
    try {
      await this.try([await backend.keepPasted(await base64(image))]);
    } catch (thrown) {
      this.#problem = Failure.problem(thrown);
    }
  }

  clear(): void {
    this.#images = [];
    this.#more = null;
    this.#problem = null;
  }

  /** Ends the model. */
  close(): void {
    this.#asked += 1;
    this.#under = null;
    void backend.closeTrial().catch(() => undefined);
  }
}

function base64(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(String(reader.result).replace(/^[^,]*,/, ''));
    };
    reader.onerror = () => {
      reject(reader.error ?? new Error('clipboard'));
    };
    reader.readAsDataURL(image);
  });
}
