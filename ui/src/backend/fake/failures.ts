/** Why runs of the fake failed. `?failure=` in the address chooses another reason than memory. */
import type { Backend } from '@/backend/backend';
import type { Difference, Evidence, Finding, Remedy, RunDiagnosis, RunView, Stage } from '@/backend/bindings';
import { chain } from './runs';

const value = (id: string, said: string): Evidence => ({
  kind: 'value',
  name: { id, args: {} },
  value: said,
});
const log = (line: number, text: string): Evidence => ({ kind: 'log', line, text });
const explain = (id: string): Remedy => ({
  id,
  applicability: 'manual',
  action: { kind: 'explain' },
  args: {},
});
const known = [
  value('fact-known-system', 'Linux (Ubuntu 24.04)'),
  value('fact-known-driver', '570.86.16'),
  value('fact-known-gpus', 'NVIDIA GeForce RTX 3060, NVIDIA GeForce RTX 4070'),
  value('fact-known-torch', '2.15.0+cu128'),
  value('fact-known-exit-code', '1'),
];

const changed = (name: string, before: string, now: string): Difference => ({
  name,
  what: { id: `changed-${name}`, args: {} },
  before,
  now,
});

type Case = {
  cause: string;
  stage: Stage;
  code: string;
  verb: Finding['verb'];
  confidence: RunDiagnosis['confidence'];
  evidence: Evidence[];
  remedies: Remedy[];
  others: string[];
  changes: Difference[];
};

const CASES: Record<string, Case> = {
  memory: {
    cause: 'cuda_oom',
    stage: 'memory',
    code: 'train.cuda-oom',
    verb: 'change',
    confidence: 'certain',
    evidence: [
      log(
        412,
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 11.99 GiB of which 211.06 MiB is free. Including non-PyTorch memory, this process has 11.40 GiB memory in use.',
      ),
      value('changed-batch', '16 → 32'),
    ],
    remedies: [
      {
        id: 'run-batch',
        applicability: 'one-click',
        action: { kind: 'change_plan', change: { set: 'batch', to: 16 } },
        args: { batch: 16, before: 32 },
      },
      {
        id: 'run-imgsz',
        applicability: 'one-click',
        action: { kind: 'change_plan', change: { set: 'imgsz', to: 480 } },
        args: { imgsz: 480, before: 640 },
      },
      explain('mend-cuda-oom'),
    ],
    others: ['train-cuda-oom-other-process'],
    changes: [changed('batch', '16', '32'), changed('driver', '550.54.14', '570.86.16')],
  },
  label: {
    cause: 'label_class_out_of_range',
    stage: 'data',
    code: 'data.label-class-out-of-range',
    verb: 'change',
    confidence: 'certain',
    evidence: [
      log(27, 'AssertionError: Label class 4 exceeds dataset class count 4. Possible class labels are 0-3'),
      {
        kind: 'file',
        path: '/home/lin/下载/安全帽检测/labels/train/000123.txt',
        line: 3,
        text: '4 0.512 0.431 0.08 0.11',
      },
    ],
    remedies: [
      { id: 'run-mend-dataset', applicability: 'needs-choice', action: { kind: 'mend_dataset' }, args: {} },
      {
        id: 'open-file',
        applicability: 'manual',
        action: { kind: 'open_file', path: '/home/lin/下载/安全帽检测/labels/train/000123.txt', line: 3 },
        args: { file: '000123.txt' },
      },
      explain('mend-label-class-out-of-range'),
    ],
    others: ['train-cuda-oom'],
    changes: [changed('fingerprint', '3fa1c99e02b7', '91be04d7a1c0')],
  },
  driver: {
    cause: 'gpu_fell_off_bus',
    stage: 'driver',
    code: 'driver.gpu-fell-off-bus',
    verb: 'ask',
    confidence: 'certain',
    evidence: [
      log(388, 'RuntimeError: CUDA error: unspecified launch failure'),
      value('fact-known-gpu-state', 'GPU is lost'),
    ],
    remedies: [
      {
        id: 'run-device',
        applicability: 'one-click',
        action: { kind: 'change_plan', change: { set: 'device', to: 'gpu:0' } },
        args: { index: 0, name: 'NVIDIA GeForce RTX 3060' },
      },
      { id: 'run-write-to', applicability: 'needs-choice', action: { kind: 'write_to' }, args: {} },
      explain('mend-gpu-fell-off-bus'),
    ],
    others: [],
    changes: [],
  },
  unknown: {
    cause: 'unknown',
    stage: 'train',
    code: 'train.cause-not-found',
    verb: null,
    confidence: 'possible',
    evidence: [log(402, 'zlib.FrobError: the frob is out of tune')],
    remedies: [explain('read-log')],
    others: [],
    changes: [],
  },
};

type Part = Pick<Backend, 'diagnoseRun' | 'bundle' | 'saveBundle' | 'saveFailureReport' | 'letter'>;

export function createFailures(find: (id: string) => RunView): Part {
  function diagnosis({ record, progress }: RunView): RunDiagnosis | null {
    if (progress.state !== 'failed') return null;
    const chosen = new URLSearchParams(location.search).get('failure') ?? 'memory';
    const { cause, stage, code, verb, confidence, evidence, remedies, others, changes } =
      CASES[chosen] ?? (CASES['memory'] as Case);
    const finding: Finding = {
      stage,
      code,
      severity: cause === 'unknown' ? 'unknown' : 'blocker',
      certainty: 'certain',
      verb,
      args: {},
      evidence,
      remedies,
    };
    const plan = record.plan;
    return {
      cause,
      confidence,
      finding,
      others: others.map((other) => ({
        cause: other,
        title: { id: `finding-${other}`, args: {} },
        detail: { id: `finding-${other}.detail`, args: {} },
      })),
      changes,
      good: { id: '20260729-164031-plates', created_ms: Date.now() - 86_400_000 },
      fixes: remedies.flatMap(({ id, action }) => {
        if (action.kind !== 'change_plan') return [];
        const change = action.change;
        if (change.set === 'batch')
          return [
            {
              remedy: id,
              plan: { ...plan, training: { ...plan.training, batch: change.to } },
              changes: [changed('batch', '32', String(change.to))],
            },
          ];
        if (change.set === 'imgsz')
          return [
            {
              remedy: id,
              plan: { ...plan, training: { ...plan.training, imgsz: change.to } },
              changes: [changed('imgsz', '640', String(change.to))],
            },
          ];
        return [{ remedy: id, plan, changes: [changed('device', 'gpu:1', 'gpu:0')] }];
      }),
      known,
      report: chain({ state: 'failed', findings: [{ ...finding, severity: 'blocker' }] }),
    };
  }

  return {
    diagnoseRun: (id) => Promise.resolve().then(() => diagnosis(find(id))),
    bundle: (id) =>
      Promise.resolve({
        name: `${id}.zip`,
        files: [
          {
            name: 'report.html',
            bytes: 8120,
            taken: { user: 2 },
            text: '<!doctype html>\n<html lang="en">…',
          },
          {
            name: 'report.md',
            bytes: 2410,
            taken: { user: 2 },
            text: '# Why the training failed\n\n**The card’s memory was not enough**\n',
          },
          {
            name: 'plan.toml',
            bytes: 388,
            taken: { user: 1 },
            text: 'format = 1\ndataset = "/home/[user]/data/plates/data.yaml"\n',
          },
          {
            name: 'trainer.log',
            bytes: 412_380,
            taken: { user: 14, host: 1, secret: 1 },
            text: 'Ultralytics 8.4.190 🚀 Python-3.12.11 torch-2.15.0+cu128\nFile "/home/[user]/train.py", line 3\n',
          },
        ],
      }),
    saveBundle: (id) => Promise.resolve(`/home/lin/${id}.zip`),
    saveFailureReport: (id, form) => Promise.resolve(`/home/lin/${id}.${form === 'html' ? 'html' : 'md'}`),
    letter: (id) =>
      Promise.resolve(
        `Hello, a training on the computer forge cannot go on.\n\nThe card fell off the bus.\n\nThis was seen:\nState of the card: GPU is lost\n\nThe run is called ${id}.`,
      ),
  };
}
