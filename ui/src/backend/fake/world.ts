/** A computer with two cards, a dataset and some runs, for looking at the window without the engine. */
import type {
  Computer,
  Dataset,
  Environment,
  Finding,
  Gpu,
  Gpus,
  LabelBox,
  ModelCard,
  Plan,
  Settings,
  TrainingCommand,
  Stage,
  WeightsEntry,
} from '@/backend/bindings';

/** The links of the chain, in order. */
export const STAGES: Stage[] = [
  'auth',
  'quota',
  'gpu_pool',
  'driver',
  'image',
  'data',
  'memory',
  'start',
  'train',
  'results',
];

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;

export const settings: Settings = {
  language: null,
  theme: 'system',
  stop_grace_s: null,
  keep_awake: null,
  notifications: null,
  least_gpu_hours: null,
  resume_after_restart: false,
  busy_above: null,
  recent_datasets: [
    '/home/lin/data/plates/data.yaml',
    '/home/lin/下载/安全帽检测/data.yaml',
    '/data/coco128',
  ],
  accepted_pythons: [],
  sources: {
    index: null,
    torch_index: null,
    python_mirror: null,
    weights: [],
    proxy: null,
    ca_file: null,
    package_cache: null,
  },
};

export const plan: Plan = {
  format: 1,
  dataset: '',
  model: { name: 'yolov8n', weights: 'pretrained', file: '' },
  training: { imgsz: 640, batch: 16, epochs: 100, workers: null, seed: 0, extra: {} },
  target: { kind: 'this-computer', device: 'auto', python: null },
};

export function command({ dataset: data, model, training }: Plan): TrainingCommand {
  const folder = '/home/lin/.local/share/yolo-preflight/runs/RUN';
  const words = [environment.python, `${folder}/train.py`, `${folder}/arguments.json`];
  const { imgsz, batch, epochs, seed } = training;
  const train = {
    data: `${folder}/dataset/data.yaml`,
    epochs,
    imgsz,
    batch,
    device: '1',
    seed,
    exist_ok: true,
  };
  const told = { events: `${folder}/trainer.jsonl`, model: `${model.name}.pt`, train };
  return {
    words,
    line: words.join(' '),
    arguments: JSON.stringify(told, null, 2),
    ultralytics: `yolo detect train data=${data} model=${model.name}.pt imgsz=${String(imgsz)} batch=${String(batch)} epochs=${String(epochs)} device=1 seed=${String(seed)}`,
  };
}

const v8 = 'https://docs.ultralytics.com/models/yolov8/';
const v11 = 'https://docs.ultralytics.com/models/yolo11/';
const v26 = 'https://docs.ultralytics.com/models/yolo26/';
const card = (
  family: string,
  size: string,
  parameters_millions: number,
  gflops: number,
  map50_95: number,
  source: string,
): ModelCard => ({ name: family + size, family, size, parameters_millions, gflops, map50_95, source });

export const models: ModelCard[] = [
  card('yolov8', 'n', 3.2, 8.7, 37.3, v8),
  card('yolov8', 's', 11.2, 28.6, 44.9, v8),
  card('yolov8', 'm', 25.9, 78.9, 50.2, v8),
  card('yolov8', 'l', 43.7, 165.2, 52.9, v8),
  card('yolov8', 'x', 68.2, 257.8, 53.9, v8),
  card('yolo11', 'n', 2.6, 6.5, 39.5, v11),
  card('yolo11', 's', 9.4, 21.5, 47.0, v11),
  card('yolo11', 'm', 20.1, 68.0, 51.5, v11),
  card('yolo11', 'l', 25.3, 86.9, 53.4, v11),
  card('yolo11', 'x', 56.9, 194.9, 54.7, v11),
  card('yolo26', 'n', 2.4, 5.4, 40.9, v26),
  card('yolo26', 's', 9.5, 20.7, 48.6, v26),
  card('yolo26', 'm', 20.4, 68.2, 53.1, v26),
  card('yolo26', 'l', 24.8, 86.4, 55.0, v26),
  card('yolo26', 'x', 55.7, 193.9, 57.5, v26),
];

export const computer: Computer = {
  os: 'linux',
  os_name: 'Debian GNU/Linux 12',
  cpu: 'AMD Ryzen 9 7900X',
  cores: 24,
  memory_total: 64 * GiB,
  memory_available: 41.2 * GiB,
  apple_gpu: false,
};

const notTold = { unknown: { id: 'reason-gpu-not-supported', args: {} } };

function gpu(
  index: number,
  name: string,
  total: number,
  used: number,
  processes: [number, string, number][],
): Gpu {
  return {
    index,
    uuid: { known: `GPU-5f3c0d1e-000${String(index)}` },
    name: { known: name },
    memory: { known: { total, used, free: total - used } },
    compute_capability: { known: [8, 9] },
    utilization: { known: processes.length > 0 ? 97 : 0 },
    temperature: { known: processes.length > 0 ? 71 : 34 },
    processes: {
      known: processes.map(([pid, process, memory]) => ({
        pid,
        name: { known: process },
        memory: { known: memory },
        own: true,
        run: null,
      })),
    },
    details: {
      pci: { known: `00000000:0${String(index + 1)}:00.0` },
      power: { known: processes.length > 0 ? 412_000 : 18_000 },
      power_limit: { known: 450_000 },
      power_default: { known: 450_000 },
      clock: { known: processes.length > 0 ? 2520 : 210 },
      clock_max: { known: 3105 },
      throttled: { known: processes.length > 0 ? ['power-cap'] : ['idle'] },
      temperature_slowdown: { known: 88 },
      ecc: notTold,
      ecc_uncorrected: notTold,
      retired_pages: notTold,
      remapped_rows: notTold,
      compute_mode: { known: 'default' },
      persistence: { known: false },
      mig: notTold,
      link: { known: { generation: processes.length > 0 ? 4 : 1, width: 16 } },
      link_max: { known: { generation: 4, width: 16 } },
    },
  };
}

export const gpus: Gpus = {
  library: { state: 'answers' },
  source: 'nvml',
  driver: { known: '570.124.06' },
  cuda: { known: [12, 8] },
  cards: [
    gpu(0, 'NVIDIA GeForce RTX 4090', 24 * GiB, 18.6 * GiB, [[4711, 'python', 18.1 * GiB]]),
    gpu(1, 'NVIDIA GeForce RTX 4070', 12 * GiB, 420 * MiB, []),
  ],
};

export const environment: Environment = {
  python: '/home/lin/.local/share/yolo-preflight/environment/bin/python',
  managed: true,
  python_version: '3.12.11',
  ultralytics: '8.4.190',
  torch: '2.15.0+cu128',
  torchvision: '0.30.0+cu128',
  torch_cuda: '12.8',
  architectures: ['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90'],
  cuda_available: true,
};

export const NAMES = ['scratch', 'dent', 'hole', 'stain'];

/** Label files that the trainer refuses, with a few of them. */
function labelFault(
  root: string,
  what: string,
  args: Record<string, string | number>,
  first: number,
  line: number,
  text: string,
): Finding {
  const evidence = Array.from({ length: 6 }, (_, at) => ({
    kind: 'file' as const,
    path: `${root}/labels/train/plate_${String(first + at * 11).padStart(6, '0')}.txt`,
    line: at === 0 ? 1 : line,
    text,
  }));
  return {
    stage: 'data',
    code: `data.${what}`,
    severity: 'blocker',
    certainty: 'certain',
    verb: 'change',
    args,
    evidence,
    remedies: [
      {
        id: 'open-file',
        applicability: 'manual',
        action: { kind: 'open_file', path: evidence[0]?.path ?? '', line },
        args: { file: 'plate_000014.txt' },
      },
    ],
  };
}

/** How many images of each split there are: one of the datasets is large. */
export function sizes(path: string): { train: number; val: number } {
  return path.includes('coco') ? { train: 96_000, val: 4000 } : { train: 1248, val: 312 };
}

export function dataset(path: string): Dataset {
  const broken = path.includes('安全帽');
  const { train, val } = sizes(path);
  const root = path.replace(/\/data\.yaml$/, '');
  const yaml = path.endsWith('.yaml') ? path : null;
  return {
    root,
    yaml,
    task: 'detect',
    keypoints: null,
    channels: 3,
    names: NAMES,
    splits: [
      {
        kind: 'train',
        sources: [{ written: 'images/train', resolved: `${root}/images/train`, rule: 'dataset-root' }],
        images: train,
        labelled: train - 43,
        background: 43,
        corrupt: 0,
        instances: 5210,
        class_instances: [2840, 1502, 811, 57],
        sides: [480, 1920],
      },
      ...(broken
        ? []
        : [
            {
              kind: 'val' as const,
              sources: [{ written: 'images/val', resolved: `${root}/images/val`, rule: 'dataset-root' }],
              images: val,
              labelled: val - 12,
              background: 12,
              corrupt: 0,
              instances: 1290,
              class_instances: [690, 381, 207, 12],
              sides: [480, 1920] as [number, number],
            },
          ]),
    ],
    most_boxes: 31,
    findings: [
      ...(broken
        ? [
            {
              stage: 'data' as const,
              code: 'data.no-val',
              severity: 'blocker' as const,
              certainty: 'certain' as const,
              verb: 'change' as const,
              args: {},
              evidence: [
                { kind: 'file' as const, path: path, line: 3, text: 'val: images/valid' },
                { kind: 'file' as const, path: `${root}/images/valid`, line: null, text: null },
              ],
              remedies: [
                {
                  id: 'open-file',
                  applicability: 'manual' as const,
                  action: { kind: 'open_file' as const, path, line: 3 },
                  args: { file: 'data.yaml' },
                },
                {
                  id: 'choose-dataset',
                  applicability: 'needs-choice' as const,
                  action: { kind: 'choose_dataset' as const },
                  args: {},
                },
              ],
            },
            labelFault(
              root,
              'class-out-of-range',
              { count: 37, class: '4', classes: 4, last: 3 },
              14,
              9,
              '4 0.512 0.433 0.12 0.08',
            ),
            labelFault(root, 'label-decimal-comma', { count: 212 }, 22, 1, '0 0,512 0,433 0,12 0,08'),
          ]
        : []),
      {
        stage: 'data',
        code: 'data.class-not-in-val',
        severity: 'warning',
        certainty: 'certain',
        verb: null,
        args: { count: 1, names: 'stain' },
        evidence: [
          {
            kind: 'file',
            path: yaml ?? `${root}/labels/train`,
            line: yaml ? 9 : null,
            text: yaml ? '  3: stain' : null,
          },
        ],
        remedies: [],
      },
    ],
    took_ms: 184,
  };
}

export function marks(seed: number): LabelBox[] {
  return Array.from({ length: 1 + (seed % 4) }, (_, box): LabelBox => {
    const at = (n: number) => ((seed * 7919 + box * 104729 + n * 1299709) % 1000) / 1000;
    const [w, h] = [0.1 + at(1) * 0.22, 0.08 + at(2) * 0.2];
    return { class: (seed + box) % 4, x: w / 2 + at(3) * (1 - w), y: h / 2 + at(4) * (1 - h), w, h };
  });
}

/** A metal plate, drawn: enough to judge the gallery by. */
export function picture(image: string): string {
  const seed = Number(image.slice(1));
  const shapes = marks(seed).map(({ class: id, x, y, w, h }) => {
    const [cx, cy, rx, ry] = [(x ?? 0) * 640, (y ?? 0) * 480, (w ?? 0) * 300, (h ?? 0) * 220];
    if (id === 0)
      return `<path d="M${String(cx - rx)} ${String(cy)}q${String(rx)} -${String(ry)} ${String(rx * 2)} 0" stroke="#ddd" stroke-width="3" fill="none"/>`;
    const fill = id === 2 ? '#1a1c1e' : id === 1 ? '#6d7276' : '#8a6b4a';
    return `<ellipse cx="${String(cx)}" cy="${String(cy)}" rx="${String(rx)}" ry="${String(ry)}" fill="${fill}" opacity=".85"/>`;
  });
  const tone = 120 + ((seed * 37) % 60);
  const grey = (n: number) => `rgb(${String(n)},${String(n + 4)},${String(n + 8)})`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" width="640" height="480"><defs>` +
    `<linearGradient id="g" x2="1" y2="1"><stop stop-color="${grey(tone)}"/><stop offset="1" stop-color="${grey(tone - 34)}"/>` +
    `</linearGradient></defs><rect width="640" height="480" fill="url(#g)"/>${shapes.join('')}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The published weights, some of them here. */
export function weights(here: Set<string>): WeightsEntry[] {
  return models.map(({ name, parameters_millions }) => {
    const about = (parameters_millions ?? 0) * 2e6;
    return {
      model: name,
      path: `/home/lin/.local/share/yolo-preflight/weights/${name}.pt`,
      bytes: here.has(name) ? about : null,
      part: 0,
      about,
      fetched: null,
    };
  });
}

/** The cards as they are just now: in a browser they live a little, so that charts have something to draw. */
export function liveGpus(): Gpus {
  const wave = (period: number, depth: number) => Math.round(Math.sin(Date.now() / period) * depth);
  const cards = gpus.cards.map((card) => {
    const busy = (card.processes.known ?? []).length > 0;
    if (!busy) return card;
    return {
      ...card,
      utilization: { known: 92 + wave(2_300, 7) },
      temperature: { known: 72 + wave(9_000, 4) },
      details: { ...card.details, power: { known: 400_000 + wave(3_100, 38_000) } },
    };
  });
  return { ...gpus, cards };
}

/** What the engine says to them. */
export function cardFindings(): Finding[] {
  return gpus.cards.map(({ index, name, memory, processes }) => {
    const { total, used, free } = memory.known ?? { total: 0, used: 0, free: 0 };
    const held = processes.known ?? [];
    return {
      stage: 'gpu_pool' as const,
      code: held.length > 0 ? 'gpu_pool.computing' : 'gpu_pool.free',
      severity: held.length > 0 ? ('warning' as const) : ('ok' as const),
      certainty: 'certain' as const,
      verb: held.length > 0 ? ('wait' as const) : null,
      args: { index, name: name.known ?? '', total, used, free, utilization: 0.97 },
      evidence: held.map((process) => ({
        kind: 'value' as const,
        name: { id: 'fact-gpu-process', args: {} },
        value: `${process.name.known ?? '?'} (${String(process.pid)})`,
      })),
      remedies: [],
    };
  });
}
