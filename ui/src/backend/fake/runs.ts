/** Runs of the fake: one under way, one finished, one failed. */
import type {
  EpochPoint,
  Link,
  Plan,
  Progress,
  Report,
  RunSummary,
  RunView,
  Usage,
} from '@/backend/bindings';
import { NAMES, environment, plan, STAGES } from './world';

function point(epoch: number): EpochPoint {
  const fall = (from: number, to: number, pace: number) =>
    to + (from - to) * Math.exp(-epoch / pace) + 0.02 * Math.sin(epoch * 2.3);
  const rise = (to: number, pace: number) =>
    Math.max(0, to * (1 - Math.exp(-epoch / pace)) + 0.01 * Math.sin(epoch * 1.7));
  return {
    epoch,
    losses: { box_loss: fall(2.1, 0.72, 14), cls_loss: fall(3.4, 0.51, 9), dfl_loss: fall(1.9, 0.94, 18) },
    metrics: {
      'metrics/precision(B)': rise(0.91, 10),
      'metrics/recall(B)': rise(0.86, 13),
      'metrics/mAP50(B)': rise(0.92, 12),
      'metrics/mAP50-95(B)': rise(0.64, 17),
      'val/box_loss': fall(2.2, 0.9, 15),
      'val/cls_loss': fall(3.2, 0.66, 11),
      'val/dfl_loss': fall(2, 1.02, 18),
    },
    seconds: epoch * 11.4,
  };
}

const GIB = 1024 ** 3;

const blank: Progress = {
  state: 'queued',
  cancelling: null,
  pausing: null,
  paused: false,
  next_seq: 0,
  last_ms: 0,
  started_ms: null,
  since_ms: null,
  trained_s: 0,
  paused_ms: null,
  ended_ms: null,
  resumed: 0,
  resumed_after: 0,
  supervisor: null,
  trainer: null,
  heard: 0,
  copied_bytes: 0,
  fingerprint: null,
  epochs: 0,
  epoch: 0,
  batch: 0,
  batches: 0,
  batch_size: 0,
  imgsz: 0,
  device: '',
  validation: null,
  finishing: false,
  losses: {},
  history: [],
  remaining_s: null,
  epoch_remaining_s: null,
  usage: null,
  loading_share: null,
  peak_memory: 0,
  peak_gpu_reserved: 0,
  first_gpu_reserved: 0,
  peak_gpu_memory: 0,
  amp: null,
  trial: null,
  best: null,
  folder: null,
  metrics: {},
  classes: [],
  confusion: null,
  error: null,
  exit: null,
  done: false,
  findings: [],
  versions: null,
  pace: {
    steps: 0,
    clocked: true,
    validation_steps: 0,
    first_step: null,
    step: null,
    validation_step: null,
    step_s: null,
    epochs_s: [],
    validations_s: [],
    clock_s: null,
    draws: true,
    has_first: false,
  },
};

export function chain({ state, findings = [] }: Partial<Progress>): Report {
  const broken = findings.find(({ severity }) => severity === 'blocker')?.stage;
  const at = STAGES.indexOf(broken ?? (state === 'succeeded' ? 'results' : 'train'));
  const links = STAGES.map((stage, index): Link => {
    if (index < 2) return { stage, state: 'not_needed' };
    if (findings.some((found) => found.stage === stage && found.severity === 'warning'))
      return { stage, state: 'warning' };
    if (index < at) return { stage, state: 'ok' };
    if (index > at) return { stage, state: 'pending' };
    if (state === 'paused' || state === 'cancelled') return { stage, state: broken ? 'blocker' : state };
    return { stage, state: broken ? 'blocker' : state === 'running' ? 'active' : 'ok' };
  });
  return { at_ms: Date.now(), links, findings };
}

function run(id: string, created_ms: number, chosen: Plan, progress: Partial<Progress>): RunView {
  const folder = `/home/lin/.local/share/yolo-preflight/runs/${id}`;
  return {
    folder,
    command: `${environment.python} ${folder}/train.py ${folder}/arguments.json`,
    record: {
      format: 2,
      id,
      created_ms,
      plan: chosen,
      accepted: [],
      environment,
      device: '1',
      command: [environment.python, `${folder}/train.py`, `${folder}/arguments.json`],
      variables: {},
      inherited: {},
      hardware: {
        system: 'Linux (Ubuntu 24.04)',
        cpu: 'AMD Ryzen 9 7900',
        memory: 32 * GIB,
        driver: '570.86.16',
        gpus: ['NVIDIA GeForce RTX 3060', 'NVIDIA GeForce RTX 4070'],
      },
      app_version: '0.1.0',
      trial: null,
    },
    note: '',
    progress: { ...blank, ...progress },
    report: chain(progress),
  };
}

function trained(epochs: number, of: number, at: number): Partial<Progress> {
  return {
    started_ms: at + 9_000,
    trained_s: epochs * 11.4,
    epochs: of,
    epoch: epochs,
    batches: 78,
    batch: 78,
    batch_size: 16,
    imgsz: 640,
    device: 'cuda:0',
    supervisor: 8123,
    trainer: [8130, 0],
    history: Array.from({ length: epochs }, (_, index) => point(index + 1)),
    peak_gpu_reserved: 3.9 * 1024 ** 3,
    peak_gpu_memory: 4.3 * 1024 ** 3,
    versions: ['8.4.190', '2.15.0+cu128'],
  };
}

const now = Date.now();
const usage: Usage = {
  cpu: 5.6,
  memory: 6.2 * GIB,
  gpu_memory: 4.1 * GIB,
  gpu_most: 4.1 * GIB,
  gpu_utilization: 93,
  gpu_free: [7.4 * GIB, 12 * GIB],
  gpu_trouble: null,
  memory_free: [14 * GIB, 32 * GIB],
  disk_free: 170 * GIB,
};
const chosen: Plan = {
  ...plan,
  dataset: '/home/lin/data/plates/data.yaml',
  target: { kind: 'this-computer', device: 'gpu:1', python: null },
};
const folder = (id: string) => `/home/lin/.local/share/yolo-preflight/runs/${id}`;

export const runs: RunView[] = [
  run('20260730-101502-plates', now - 420_000, chosen, {
    ...trained(34, 100, now - 420_000),
    state: 'running',
    batch: 31,
    epoch: 35,
    losses: { box_loss: 0.91, cls_loss: 0.62, dfl_loss: 1.02 },
    last_ms: now,
    since_ms: now - 411_000,
    trained_s: 0,
    remaining_s: 742,
    epoch_remaining_s: 7,
    best: `${folder('20260730-101502-plates')}/train/weights/best.pt`,
    usage,
    loading_share: 0.14,
  }),
  run(
    '20260730-091140-screws',
    now - 4_200_000,
    { ...chosen, dataset: '/home/lin/data/screws/data.yaml' },
    {
      ...trained(11, 80, now - 4_200_000),
      state: 'running',
      batch: 54,
      epoch: 12,
      losses: { box_loss: 1.32, cls_loss: 0.97, dfl_loss: 1.21 },
      last_ms: now,
      since_ms: now - 4_191_000,
      trained_s: 0,
      remaining_s: 26_400,
      usage: { ...usage, cpu: 0, gpu_utilization: 0 },
      loading_share: 0.62,
      findings: [
        {
          stage: 'train',
          code: 'train.stalled',
          severity: 'warning',
          certainty: 'certain',
          verb: 'change',
          args: { seconds: 252, doing: 'idle' },
          evidence: [
            { kind: 'value', name: { id: 'fact-since-last-step', args: {} }, value: '4 min 12 s' },
            { kind: 'value', name: { id: 'fact-usual-step', args: {} }, value: '0.31 s' },
            { kind: 'value', name: { id: 'fact-cpu-use', args: {} }, value: '0 %' },
          ],
          remedies: ['read-log', 'start-again'].map((id) => ({
            id,
            applicability: 'manual',
            action: { kind: 'explain' },
            args: {},
          })),
        },
        {
          stage: 'data',
          code: 'data.loading-slow',
          severity: 'warning',
          certainty: 'certain',
          verb: 'change',
          args: { share: 0.62 },
          evidence: [{ kind: 'value', name: { id: 'fact-loading-share', args: {} }, value: '62 %' }],
          remedies: ['more-workers', 'cache-images'].map((id) => ({
            id,
            applicability: 'manual',
            action: { kind: 'explain' },
            args: {},
          })),
        },
      ],
    },
  ),
  run('20260730-071820-plates', now - 12_000_000, chosen, {
    ...trained(42, 100, now - 12_000_000),
    state: 'paused',
    pausing: { reason: 'user', now: false },
    paused: true,
    paused_ms: now - 9_000_000,
    last_ms: now - 9_000_000,
    best: `${folder('20260730-071820-plates')}/train/weights/best.pt`,
    exit: [75, null],
  }),
  run(
    '20260730-013355-screws',
    now - 33_000_000,
    { ...chosen, dataset: '/home/lin/data/screws/data.yaml' },
    {
      ...trained(17, 80, now - 33_000_000),
      state: 'lost',
      ended_ms: now - 3_000_000,
      last_ms: now - 3_000_000,
      findings: [
        {
          stage: 'train',
          code: 'train.rebooted',
          severity: 'blocker',
          certainty: 'certain',
          verb: 'change',
          args: { epoch: 17 },
          evidence: [
            { kind: 'value', name: { id: 'fact-last-sign', args: {} }, value: '2026-07-30 03:00:12' },
          ],
          remedies: [
            { id: 'resume-run', applicability: 'one-click', action: { kind: 'resume_run' }, args: {} },
          ],
        },
      ],
    },
  ),
  run('20260729-164031-plates', now - 86_400_000, chosen, {
    ...trained(100, 100, now - 86_400_000),
    state: 'succeeded',
    ended_ms: now - 85_200_000,
    last_ms: now - 85_200_000,
    best: `${folder('20260729-164031-plates')}/train/weights/best.pt`,
    folder: `${folder('20260729-164031-plates')}/train`,
    metrics: point(100).metrics,
    classes: NAMES.map((name, index) => ({
      name,
      images: 96 - index * 17,
      instances: 214 - index * 48,
      precision: 0.94 - index * 0.06,
      recall: 0.91 - index * 0.09,
      map50: 0.95 - index * 0.08,
      map50_95: 0.71 - index * 0.09,
    })),
    confusion: {
      names: [...NAMES],
      counts: [
        [196, 3, 0, 4, 11],
        [6, 142, 2, 0, 8],
        [0, 5, 104, 1, 3],
        [2, 0, 0, 51, 6],
        [10, 16, 12, 14, 0],
      ],
    },
    exit: [0, null],
  }),
  run(
    '20260728-090212-helmets',
    now - 172_800_000,
    { ...chosen, dataset: '/home/lin/下载/安全帽检测/data.yaml' },
    {
      ...trained(3, 50, now - 172_800_000),
      state: 'failed',
      ended_ms: now - 172_700_000,
      last_ms: now - 172_700_000,
      error: [
        'OutOfMemoryError',
        'CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 11.99 GiB of which 211.06 MiB is free.',
        'Traceback (most recent call last):\n  File "train.py", line 88, in main\n    trainer.train()\n',
      ],
      exit: [1, null],
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
              line: 412,
              text: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 11.99 GiB of which 211.06 MiB is free.',
            },
          ],
          remedies: [],
        },
      ],
    },
  ),
];

export function isStalled({ report }: RunView): boolean {
  return report.findings.some(({ code }) => code === 'train.stalled');
}

/** A run that goes on. */
export function goneOn(progress: Progress, batch: number | null): Progress {
  const after = progress.history.length;
  return {
    ...progress,
    state: 'queued',
    pausing: null,
    paused: false,
    paused_ms: null,
    ended_ms: null,
    cancelling: null,
    exit: null,
    error: null,
    findings: [],
    resumed: progress.resumed + 1,
    resumed_after: after,
    epoch: after + 1,
    batch: 0,
    batch_size: batch ?? progress.batch_size,
    last_ms: Date.now(),
  };
}

/** A step further. */
export function advance(progress: Progress): Progress {
  if (progress.state === 'queued') return { ...progress, state: 'running', since_ms: Date.now() };
  if (progress.state !== 'running') return progress;
  if (progress.pausing?.now === true || (progress.pausing !== null && progress.batch >= progress.batches)) {
    return {
      ...progress,
      state: 'paused',
      paused_ms: Date.now(),
      last_ms: Date.now(),
      trained_s: (progress.trained_s ?? 0) + (Date.now() - (progress.since_ms ?? Date.now())) / 1000,
      since_ms: null,
      remaining_s: null,
      epoch_remaining_s: null,
    };
  }
  if (progress.batch < progress.batches) {
    return {
      ...progress,
      batch: Math.min(progress.batches, progress.batch + 9),
      last_ms: Date.now(),
      remaining_s: Math.max(0, (progress.remaining_s ?? 0) - 1),
    };
  }
  const finished = progress.epoch;
  return {
    ...progress,
    epoch: finished + 1,
    batch: 0,
    history: [...progress.history, point(finished)],
    last_ms: Date.now(),
  };
}

export function summary({ record, progress, note }: RunView): RunSummary {
  return {
    id: record.id,
    created_ms: record.created_ms,
    ended_ms: progress.ended_ms,
    state: progress.state,
    pausing: progress.pausing,
    paused_ms: progress.paused_ms,
    since_ms: progress.since_ms,
    trained_s: progress.trained_s,
    dataset: record.plan.dataset,
    model: record.plan.model.name,
    epoch: progress.epoch,
    epochs: record.plan.training.epochs,
    map50: progress.history.at(-1)?.metrics['metrics/mAP50(B)'] ?? null,
    why:
      progress.state === 'failed'
        ? { cause: 'cuda_oom', title: { id: 'finding-train-cuda-oom', args: {} } }
        : null,
    note,
  };
}

/** A running run's first moment. */
export function started(id: string, of: Plan): RunView {
  return run(id, Date.now(), of, {
    ...trained(0, of.training.epochs, Date.now()),
    state: 'running',
    since_ms: Date.now(),
    epoch: 1,
    batch: 1,
    last_ms: Date.now(),
  });
}

export const log: string[] = [
  'Ultralytics 8.4.190 🚀 Python-3.12.11 torch-2.15.0+cu128 CUDA:0 (NVIDIA GeForce RTX 4070, 12281MiB)',
  'engine/trainer: agnostic_nms=False, amp=True, batch=16, cache=False, cos_lr=False, data=data.yaml, …',
  'Overriding model.yaml nc=80 with nc=4',
  '                   from  n    params  module                                       arguments',
  ...Array.from(
    { length: 22 },
    (_, n) =>
      `${String(n).padStart(3)}                  -1  1     ${String(464 * (n + 1)).padStart(6)}  ultralytics.nn.modules.conv.Conv             [${String(3 + n)}, 16, 3, 2]`,
  ),
  'train: Scanning labels/train... 1248 images, 43 backgrounds, 0 corrupt: 100%',
  ...Array.from(
    { length: 4000 },
    (_, n) =>
      `      ${String(Math.floor(n / 40) + 1)}/100      4.1G     0.9${String(n % 90)}     0.6${String(n % 70)}      1.02         31        640: ${String(((n % 40) * 5) / 2)}%`,
  ),
];
