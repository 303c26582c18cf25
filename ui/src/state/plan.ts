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

type Here = Extract<Plan['target'], { kind: 'this-computer' }>;
type Platform = Extract<Plan['target'], { kind: 'platform' }>;

/** What a plan chooses of this computer; of a plan for elsewhere, what is usual. */
export function here(plan: Plan): Here {
  const { target } = plan;
  return target.kind === 'this-computer' ? target : { kind: 'this-computer', device: 'auto', python: null };
}

/** The platform a plan is for; `undefined`: it is for this computer. */
export function platformOf(plan: Plan): Platform | undefined {
  return plan.target.kind === 'platform' ? plan.target : undefined;
}

/** The plan for this computer. */
export function withTarget(plan: Plan, target: Partial<Here>): Plan {
  return { ...plan, target: { ...here(plan), ...target } };
}

/** The plan for a platform. */
export function withPlatform(plan: Plan, target: Partial<Platform>): Plan {
  const before = platformOf(plan) ?? { kind: 'platform' as const, profile: '', card: null, cards: 1 };
  return { ...plan, target: { ...before, ...target } };
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
    case 'model':
      return withModel(plan, { name: change.to });
    case 'default': {
      const extra = Object.entries(plan.training.extra).filter(([name]) => name !== change.to);
      return withTraining(plan, { extra: Object.fromEntries(extra) });
    }
    case 'workers':
      return withTraining(plan, { workers: change.to });
    case 'argument':
      return withTraining(plan, { extra: { ...plan.training.extra, [change.to.name]: change.to.value } });
    case 'card':
      return withPlatform(plan, { card: change.to });
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
