import type { Gpu } from '@/backend';
import { machine } from './machine.svelte';

/** How many seconds are kept: what a person still remembers. */
export const SECONDS = 120;

/** A card at one moment. What was not told is `null`, never 0. */
export type Sample = {
  /** Bytes by process, and what nobody is named for. */
  memory: { pid: number; bytes: number }[] | null;
  used: number | null;
  utilization: number | null;
  temperature: number | null;
  /** In watts. */
  power: number | null;
};

export function sampled(gpu: Gpu): Sample {
  const used = gpu.memory.known?.used ?? null;
  const named = (gpu.processes.known ?? []).flatMap(({ pid, memory }) =>
    memory.known === undefined ? [] : [{ pid, bytes: memory.known }],
  );
  const power = gpu.details.power.known;
  return {
    memory: used === null ? null : named,
    used,
    utilization: gpu.utilization.known ?? null,
    temperature: gpu.temperature.known ?? null,
    power: power === undefined ? null : power / 1000,
  };
}

/** The last two minutes of every card, by NVML index, for as long as someone watches. */
class GpuHistory {
  #samples = $state.raw<ReadonlyMap<number, readonly Sample[]>>(new Map());

  of(index: number): readonly Sample[] {
    return this.#samples.get(index) ?? [];
  }

  /** Watches until the answered function is called; for an `$effect`. */
  watch(): () => void {
    const stop = machine.watch();
    // What does not change is not told again, so time is kept here.
    const clock = setInterval(() => {
      this.#take();
    }, 1000);
    return () => {
      clearInterval(clock);
      stop();
    };
  }

  #take(): void {
    const cards = machine.now?.gpus.known?.cards;
    if (!cards) return;
    this.#samples = new Map(
      cards.map((card) => [card.index, [...this.of(card.index), sampled(card)].slice(-SECONDS)]),
    );
  }
}

export const gpuHistory = new GpuHistory();
