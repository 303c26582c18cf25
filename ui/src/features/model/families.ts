/** How the models compare, for bars a person reads at a glance. */
import type { ModelCard } from '@/backend';

/** The families, newest last, as the engine lists them. */
export function familiesOf(models: readonly ModelCard[]): string[] {
  return [...new Set(models.map(({ family }) => family))];
}

/** `yolov8` → `YOLOv8`. */
export function familyName(family: string): string {
  return family.replace(/^yolo/, 'YOLO');
}

/** Share of a bar, from a little to full, of a value between the least and the most of all models. */
function share(value: number, least: number, most: number): number {
  return most > least ? 0.12 + (0.88 * (value - least)) / (most - least) : 1;
}

/** Speed as published work tells it: fewer operations are faster, and each halving counts the same. */
export function speedShare(model: ModelCard, models: readonly ModelCard[]): number {
  const work = (card: ModelCard) => -Math.log2(Math.max(0.1, card.gflops ?? 0.1));
  const all = models.map(work);
  return share(work(model), Math.min(...all), Math.max(...all));
}

export function accuracyShare(model: ModelCard, models: readonly ModelCard[]): number {
  const all = models.map(({ map50_95 }) => map50_95 ?? 0);
  return share(model.map50_95 ?? 0, Math.min(...all), Math.max(...all));
}
