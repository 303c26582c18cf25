/** What plans need, in the fake; trying them out; what was learned. */
import { Failure, type Backend } from '@/backend/backend';
import type {
  Alternative,
  Calibration,
  Card,
  Forecast,
  Interval,
  Outlook,
  Plan,
  Shape,
  Trial,
  Zone,
} from '@/backend/bindings';
import { estimate } from './judge';
import { gpus, models } from './world';

const GiB = 1024 ** 3;
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128];
const RANK: Record<Zone, number> = { fits: 0, tight: 1, unlikely: 2, impossible: 3 };

type Part = Pick<Backend, 'outlook' | 'tryOut' | 'learned' | 'forgetLearned'>;

/** Of a plan for elsewhere, what is usual. */
const deviceOf = ({ target }: Plan): string => (target.kind === 'this-computer' ? target.device : 'auto');
const withBatch = (plan: Plan, batch: number): Plan => ({ ...plan, training: { ...plan.training, batch } });
const withDevice = (plan: Plan, device: string): Plan => ({
  ...plan,
  target: { kind: 'this-computer', device, python: null },
});
const withModel = (plan: Plan, name: string): Plan => ({ ...plan, model: { ...plan.model, name } });

/** The part of the fake that is about what plans need. */
export function createForecasts(
  bare: boolean,
  pace: number,
  wait: (ms: number, signal?: AbortSignal, code?: string) => Promise<void>,
): Part {
  let calibration: Calibration | null = bare ? null : { factor: 1.06, runs: 12 };
  const trials = new Map<string, Trial>();
  const key = (plan: Plan) => JSON.stringify([plan.dataset, plan.model, plan.training, plan.target]);
  const onCard = (plan: Plan) => deviceOf(plan) !== 'cpu';

  function forecast(plan: Plan): Forecast {
    const made = estimate(plan);
    const trial = trials.get(key(plan));
    const { epochs, batch, imgsz } = plan.training;
    const step = onCard(plan) ? 0.012 : 0.9;
    const expected = epochs * (1248 / batch) * (step * batch * (imgsz / 640) ** 2) + 20;
    const spread = trial ? [0.8, 1.4] : [0.35, 2.6];
    const seconds = { low: expected * (spread[0] ?? 1), expected, high: expected * (spread[1] ?? 1) };
    const hours = (n: number) => n / 3600;
    const measured = trial ? (onCard(plan) ? (trial.shown ?? 0) : trial.memory) : 0;
    const need = trial ? { low: measured * 0.95, expected: measured, high: measured * 1.08 } : made.need;
    const scale = need.expected / made.need.expected;
    const zone: Zone | null =
      made.supply === null
        ? null
        : made.supply >= need.high
          ? 'fits'
          : made.supply >= need.expected
            ? 'tight'
            : made.supply >= need.low
              ? 'unlikely'
              : 'impossible';
    return {
      estimate: {
        ...made,
        need,
        zone,
        parts: made.parts.map((part) => ({ ...part, bytes: part.bytes * scale })),
      },
      source: trial
        ? { by: 'trial', at_ms: trial.at_ms }
        : calibration && onCard(plan)
          ? { by: 'calibration', calibration }
          : { by: 'estimate' },
      time: plan.dataset
        ? {
            seconds,
            gpu_hours: onCard(plan)
              ? { low: hours(seconds.low), expected: hours(expected), high: hours(seconds.high) }
              : null,
            basis: trial ? { by: 'trial' } : { by: 'rule' },
          }
        : null,
    };
  }

  function cards(plan: Plan): Card[] {
    const chosen = deviceOf(plan) === 'auto' ? 1 : Number(deviceOf(plan).slice(4));
    return gpus.cards
      .map((gpu): Card => {
        const { estimate: made } = forecast(withDevice(plan, `gpu:${String(gpu.index)}`));
        const memory = 'known' in gpu.memory ? gpu.memory.known : undefined;
        const taken = made.zone !== 'fits' && memory !== undefined && memory.total >= made.need.expected;
        return {
          index: gpu.index,
          device: `gpu:${String(gpu.index)}`,
          name: 'known' in gpu.name ? (gpu.name.known ?? '') : '',
          memory: memory ? [memory.free, memory.total] : null,
          zone: made.zone,
          largest_batch: made.largest_batch,
          chosen: gpu.index === chosen,
          why: {
            id: made.zone === 'fits' ? 'card-only-one' : taken ? 'card-taken' : 'card-too-small',
            args: {},
          },
        };
      })
      .sort((a, b) => RANK[a.zone ?? 'impossible'] - RANK[b.zone ?? 'impossible']);
  }

  function alternatives(plan: Plan): Alternative[] {
    const now = forecast(plan).estimate;
    if (now.zone === 'fits' || now.zone === null) return [];
    const found: Alternative[] = [];
    const add = (
      id: string,
      args: Alternative['what']['args'],
      cost: Alternative['cost'],
      change: Alternative['change'],
      other: Plan,
    ) => {
      const { need, zone } = forecast(other).estimate;
      found.push({ what: { id, args }, cost, change, need, zone: zone ?? 'impossible' });
    };
    const batch = now.largest_batch ?? 0;
    if (batch > 0)
      add(
        'remedy-smaller-batch',
        { batch },
        { id: 'cost-smaller-batch', args: {} },
        { set: 'batch', to: batch },
        withBatch(plan, batch),
      );
    const imgsz = 416;
    add(
      'remedy-smaller-images',
      { imgsz },
      { id: 'cost-smaller-images', args: { share: (imgsz / plan.training.imgsz) ** 2 } },
      { set: 'imgsz', to: imgsz },
      { ...plan, training: { ...plan.training, imgsz } },
    );
    add(
      'remedy-smaller-model',
      { model: 'yolov8n' },
      { id: 'cost-smaller-model', args: { points: 7.6, share: 0.3 } },
      { set: 'model', to: 'yolov8n' },
      withModel(plan, 'yolov8n'),
    );
    add(
      'remedy-use-processor',
      {},
      { id: 'cost-use-processor', args: {} },
      { set: 'device', to: 'cpu' },
      withDevice(plan, 'cpu'),
    );
    return found;
  }

  function outlook(plan: Plan, batches: readonly number[]): Outlook {
    const on_card = onCard(plan);
    const { need, zone, supply } = forecast(plan).estimate;
    const double = (n: Interval): Interval => ({
      low: n.low * 1.7,
      expected: n.expected * 1.8,
      high: n.high * 1.9,
    });
    const single = double(need);
    const busy = deviceOf(plan) === 'gpu:0';
    return {
      on_card,
      spills: false,
      batches: [...new Set([...batches, plan.training.batch])]
        .sort((a, b) => a - b)
        .map((batch) => ({ batch, forecast: forecast(withBatch(plan, batch)) })),
      largest_imgsz: 1152,
      precision: on_card
        ? {
            mixed: need,
            mixed_zone: zone,
            single,
            single_zone: supply === null ? null : supply >= single.high ? 'fits' : 'impossible',
            asked: true,
            refused: false,
          }
        : null,
      fits: models.map(({ name }) => {
        const shown = [...new Set([...BATCHES, plan.training.batch])].sort((a, b) => a - b);
        const cells = shown.map((batch) => {
          const made = forecast(withBatch(withModel(plan, name), batch)).estimate;
          return { batch, need: made.need, zone: made.zone };
        });
        return { model: name, cells, largest_batch: forecast(withModel(plan, name)).estimate.largest_batch };
      }),
      cards: cards(plan),
      holders: on_card
        ? [
            ...(busy ? [{ name: 'python', pid: 4711, bytes: 18.1 * GiB }] : []),
            { name: null, pid: null, bytes: busy ? 0.5 * GiB : 0.41 * GiB },
          ]
        : [],
      alternatives: alternatives(plan),
      trial: trials.get(key(plan)) ?? null,
      accuracy: calibration ? { runs: 12, off_by: 0.03, inside: 11 } : null,
    };
  }

  function measure(plan: Plan): Trial {
    const { batch, imgsz, epochs, workers, extra } = plan.training;
    const card = onCard(plan);
    const shape: Shape = {
      model: plan.model.name,
      imgsz,
      batch,
      epochs,
      cards: card ? 1 : 0,
      card: card ? 'NVIDIA GeForce RTX 4070' : null,
      workers,
      extra,
      dataset: '0123456789abcdef',
      classes: 4,
      most_boxes: 31,
      images: 1248,
      val_images: 312,
      ultralytics: '8.4.190',
      torch: '2.15.0+cu128',
    };
    const { need } = estimate(plan);
    const reserved = Math.round(need.expected * 0.9 - 0.2 * GiB);
    return {
      at_ms: Date.now(),
      shape,
      figures: {
        steps: card ? 8 : 4,
        batch,
        step_s: card ? 0.19 : 5.21,
        loading: card ? 0.12 : 0.03,
        val_batch: batch * 2,
        validation_s: card ? 0.21 : 3.4,
        reserved: card ? reserved : null,
        reserved_training: card ? reserved : null,
        allocated: card ? Math.round(reserved * 0.9) : null,
        amp: card,
        optimizer: 'AdamW',
      },
      shown: card ? reserved + 0.21 * GiB : null,
      memory: card ? 2.9 * GiB : need.expected * 1.04,
      took_s: 24,
    };
  }

  return {
    outlook: (plan, batches) => Promise.resolve(outlook(plan, batches)),
    async tryOut(plan, onprogress, signal) {
      onprogress({ stage: 'preparing' });
      await wait(700 * pace, signal, 'trial.cancelled');
      onprogress({ stage: 'loading' });
      await wait(1800 * pace, signal, 'trial.cancelled');
      const steps = onCard(plan) ? 8 : 4;
      for (let step = 0; step <= steps; step += 1) {
        onprogress({ stage: 'training', step, steps });
        await wait(350 * pace, signal, 'trial.cancelled');
      }
      onprogress({ stage: 'validating' });
      await wait(600 * pace, signal, 'trial.cancelled');
      if (bare) throw new Failure({ code: 'run.no-environment', args: {}, causes: [] });
      // What does not fit fails as it would.
      if (forecast(plan).estimate.zone === 'impossible') {
        return {
          trial: null,
          findings: [
            {
              stage: 'memory',
              code: 'memory.cuda-oom',
              severity: 'blocker',
              certainty: 'certain',
              verb: 'change',
              args: {},
              evidence: [
                {
                  kind: 'log',
                  line: 41,
                  text: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.25 GiB. GPU 0 has a total capacity of 11.99 GiB of which 912.00 MiB is free.\n',
                },
              ],
              remedies: [],
            },
          ],
        };
      }
      const measured = measure(plan);
      trials.set(key(plan), measured);
      return { trial: measured, findings: [] };
    },
    learned: () =>
      Promise.resolve({
        runs: calibration ? 12 : 0,
        trials: trials.size,
        accuracy: calibration ? { runs: 12, off_by: 0.03, inside: 11 } : null,
        cards: calibration ? [{ card: 'NVIDIA GeForce RTX 4070', calibration }] : [],
      }),
    forgetLearned: () => {
      calibration = null;
      trials.clear();
      return Promise.resolve();
    },
  };
}
