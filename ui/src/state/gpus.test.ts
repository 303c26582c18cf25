import { describe, expect, it } from 'vitest';
import type { Gpu, Gpus } from '@/backend';
import { gpus } from '@/backend/fake/world';
import { nameOf, partsOf, usable } from './gpus';

const [card, other] = gpus.cards as [Gpu, Gpu];
const GiB = 1024 ** 3;

function divided(slices: string[]): Gpu {
  const slice = (uuid: string) => ({
    uuid,
    name: `${card.name.known ?? ''} MIG 3g.40gb`,
    memory: { total: 40 * GiB, used: 10 * GiB, free: 30 * GiB },
    processes: { known: [] },
  });
  return {
    ...card,
    details: { ...card.details, mig: { known: { enabled: true, slices: slices.map(slice) } } },
  };
}

describe('what programs can compute on', () => {
  it('is a card, or each part of a divided one', () => {
    expect(usable([divided(['MIG-a', 'MIG-b']), other]).map(({ device }) => device)).toEqual([
      'MIG-a',
      'MIG-b',
      'gpu:1',
    ]);
    const [part] = partsOf(divided(['MIG-a']));
    expect(part?.gpu.memory.known?.free).toBe(30 * GiB);
    expect(part?.gpu.utilization.known).toBeUndefined();
  });

  it('keeps a card that is divided into nothing, for it says so', () => {
    expect(usable([divided([])]).map(({ device }) => device)).toEqual(['gpu:0']);
    expect(partsOf(other)).toEqual([]);
  });

  it('has names that people know', () => {
    const all: Gpus = { ...gpus, cards: [divided(['MIG-a']), other] };
    expect(nameOf('MIG-a', all)).toBe('NVIDIA GeForce RTX 4090 MIG 3g.40gb');
    expect(nameOf('gpu:1', all)).toBe('NVIDIA GeForce RTX 4070');
    expect(nameOf('MIG-z', all)).toBeUndefined();
    expect(nameOf('gpu:0', undefined)).toBeUndefined();
  });
});
