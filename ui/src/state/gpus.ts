/** What of a computer's cards programs can compute on. Pure. */
import type { Gpu, Gpus, Machine } from '@/backend';

/** A card, or a part of a divided one as the card of its own that it is to a program, and how a plan names it. */
export type Usable = { gpu: Gpu; device: string; part: boolean };

const NOT_TOLD = { unknown: { id: 'reason-gpu-not-supported', args: {} } };

/** The parts of a divided card, each as a card of its own; empty: it is not divided. */
export function partsOf(gpu: Gpu): Usable[] {
  const mig = gpu.details.mig.known;
  if (!mig?.enabled) return [];
  return mig.slices.map(({ uuid, name, memory, processes }) => ({
    device: uuid,
    part: true,
    gpu: {
      ...gpu,
      uuid: { known: uuid },
      name: name === null ? gpu.name : { known: name },
      memory: memory === null ? NOT_TOLD : { known: memory },
      utilization: NOT_TOLD,
      processes,
    },
  }));
}

/** Every card, of divided ones their parts. One that is divided into nothing stays: it says so. */
export function usable(cards: readonly Gpu[]): Usable[] {
  return cards.flatMap((gpu) => {
    const parts = partsOf(gpu);
    return parts.length > 0 ? parts : [{ gpu, device: `gpu:${String(gpu.index)}`, part: false }];
  });
}

/** What a person calls a device of a plan; `undefined`: it is none of these. */
export function nameOf(device: string, gpus: Gpus | undefined): string | undefined {
  return usable(gpus?.cards ?? []).find((one) => one.device === device)?.gpu.name.known;
}

/** Whether Apple's GPU can be chosen. */
export function hasAppleGpu(machine: Machine | undefined): boolean {
  return machine?.computer.known?.apple_gpu ?? false;
}
