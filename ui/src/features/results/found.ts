/** What a model found, as it is drawn. */
import type { LabelBox, Prediction } from '@/backend';
import { percent } from '@/lib/format';

export type Found = { id: number; name: string; confidence: number; caption: string; box: LabelBox };

/** The boxes that the model is sure enough of, the surest first, in shares of the image. */
export function boxesOf({ boxes, names, width, height }: Prediction, from: number): Found[] {
  return boxes
    .filter(({ confidence }) => (confidence ?? 0) >= from)
    .map(({ class: id, confidence, left, top, right, bottom }) => {
      const [l, t, r, b] = [left ?? 0, top ?? 0, right ?? 0, bottom ?? 0];
      const name = names[id] ?? String(id);
      const box = {
        class: id,
        x: (l + r) / 2 / width,
        y: (t + b) / 2 / height,
        w: (r - l) / width,
        h: (b - t) / height,
      };
      return { id, name, confidence: confidence ?? 0, caption: `${name} ${percent(confidence ?? 0)}`, box };
    });
}
