/** What can be done to a plan. Pure: every function answers a new plan. */
import type { Plan, PlanChange } from '@/backend';

/** What a person can choose of a batch and an image size. */
export const BATCH = { min: 1, max: 1024 } as const;
export const IMGSZ = { min: 32, max: 4096, step: 32 } as const;
export const EPOCHS = { min: 1, max: 100_000 } as const;

export function withTraining(plan: Plan, training: Partial<Plan['training']>): Plan {
  return { ...plan, training: { ...plan.training, ...training } };
}

export function withModel(plan: Plan, model: Partial<Plan['model']>): Plan {
  const changed = { ...plan.model, ...model };
  // A plan's file is a plan's file only while its weights are that file.
  return { ...plan, model: changed.weights === 'file' ? changed : { ...changed, file: '' } };
}

export function withTarget(plan: Plan, target: Partial<Plan['target']>): Plan {
  return { ...plan, target: { ...plan.target, ...target } };
}

/** The plan after a remedy's change. */
export function changed(plan: Plan, change: PlanChange): Plan {
  switch (change.set) {
    case 'batch':
      return withTraining(plan, { batch: change.to });
    case 'imgsz':
      return withTraining(plan, { imgsz: change.to });
    case 'epochs':
      return withTraining(plan, { epochs: change.to });
    case 'device':
      return withTarget(plan, { device: change.to });
    case 'from_scratch':
      return withModel(plan, { weights: 'scratch' });
    case 'own_environment':
      return withTarget(plan, { python: null });
  }
}

/** The cards a device names, by NVML index. */
export function cardsOf(device: string): number[] {
  if (!device.startsWith('gpu:')) return [];
  return device
    .slice('gpu:'.length)
    .split(',')
    .map(Number)
    .filter((index) => Number.isInteger(index));
}

/** A word of a command line, as a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What Ultralytics is asked to do, as its own command would say it. `device` as Ultralytics counts. */
export function ultralyticsCommand(plan: Plan): string {
  const { model, training, target } = plan;
  const weights =
    model.weights === 'file'
      ? model.file
      : model.weights === 'scratch'
        ? `${model.name}.yaml`
        : `${model.name}.pt`;
  const cards = cardsOf(target.device);
  const words: [string, string][] = [
    ['data', plan.dataset],
    ['model', weights],
    ['imgsz', String(training.imgsz)],
    ['batch', String(training.batch)],
    ['epochs', String(training.epochs)],
    ['seed', String(training.seed)],
  ];
  if (training.workers !== null) words.push(['workers', String(training.workers)]);
  if (target.device === 'cpu') words.push(['device', 'cpu']);
  else if (cards.length > 0) words.push(['device', cards.join(',')]);
  for (const [name, value] of Object.entries(training.extra)) {
    words.push([name, typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)]);
  }
  return ['yolo detect train', ...words.map(([name, value]) => quoted(`${name}=${value}`))].join(' ');
}
