/** The engine's data, as it crosses to the window. */

export type Language = 'en' | 'zh-CN';
export type Value = number | string;
export type Args = { [name: string]: Value };
export type Message = { id: string; args: Args };
export type Problem = { code: string; args: Args; causes: string[] };
export type Fact<T> = { known: T } | { unknown: Message };

export type Stage =
  'auth' | 'quota' | 'gpu_pool' | 'driver' | 'image' | 'data' | 'memory' | 'start' | 'train' | 'results';
export type Severity = 'ok' | 'note' | 'warning' | 'unknown' | 'blocker';
export type Certainty = 'certain' | 'predicted';
export type Verb = 'wait' | 'change' | 'ask';
export type Evidence =
  | { kind: 'file'; path: string; line: number | null; text: string | null }
  | { kind: 'value'; name: Message; value: string }
  | { kind: 'log'; line: number; text: string };
export type Applicability = 'one-click' | 'needs-choice' | 'manual';
export type PlanChange =
  | { set: 'batch'; to: number }
  | { set: 'imgsz'; to: number }
  | { set: 'epochs'; to: number }
  | { set: 'device'; to: string }
  | { set: 'from_scratch' };
export type Action =
  | { kind: 'change_plan'; change: PlanChange }
  | { kind: 'create_environment' }
  | { kind: 'repair_environment' }
  | { kind: 'choose_dataset' }
  | { kind: 'choose_weights' }
  | { kind: 'open_file'; path: string; line: number | null }
  | { kind: 'recheck' }
  | { kind: 'explain' };
export type Remedy = { id: string; applicability: Applicability; action: Action; args: Args };
export type Finding = {
  stage: Stage;
  code: string;
  severity: Severity;
  certainty: Certainty;
  verb: Verb | null;
  args: Args;
  evidence: Evidence[];
  remedies: Remedy[];
};
export type LinkState = 'not_needed' | 'pending' | 'active' | 'ok' | 'warning' | 'unknown' | 'blocker';
export type Link = { stage: Stage; state: LinkState };
export type Report = { at_ms: number; links: Link[]; findings: Finding[] };

export type Task = 'detect' | 'segment' | 'pose' | 'obb' | 'classify';
export type SplitKind = 'train' | 'val' | 'test';
export type SplitSource = { written: string; resolved: string; rule: string };
export type Split = {
  kind: SplitKind;
  sources: SplitSource[];
  images: number;
  labelled: number;
  background: number;
  corrupt: number;
  instances: number;
  class_instances: number[];
  sides: [number, number] | null;
};
export type Dataset = {
  root: string;
  yaml: string | null;
  task: Task;
  names: string[];
  splits: Split[];
  most_boxes: number;
  findings: Finding[];
  took_ms: number;
};
export type LabelBox = { class: number; x: number; y: number; w: number; h: number };
/** An image of the gallery; `url` serves a thumbnail, `full` the image for the viewer. */
export type Preview = { path: string; url: string; full: string; size: [number, number]; boxes: LabelBox[] };

export type ModelCard = {
  name: string;
  family: string;
  size: string;
  parameters_millions: number;
  gflops: number;
  map50_95: number;
  source: string;
};

export type Weights = 'pretrained' | 'scratch' | 'file';
export type Scalar = boolean | number | string;
export type Plan = {
  format: number;
  dataset: string;
  model: { name: string; weights: Weights; file: string };
  training: {
    imgsz: number;
    batch: number;
    epochs: number;
    workers: number | null;
    seed: number;
    extra: { [name: string]: Scalar };
  };
  target: { kind: 'this-computer'; device: string; python: string | null };
};

export type Computer = {
  os: string;
  os_name: string;
  cpu: string;
  cores: number;
  memory_total: number;
  memory_available: number;
};
export type GpuLibrary =
  { state: 'answers' } | { state: 'not_installed' } | { state: 'failed'; why: string; message: string };
export type GpuMemory = { total: number; used: number; free: number };
export type GpuProcess = { pid: number; name: Fact<string>; memory: Fact<number> };
export type Gpu = {
  index: number;
  uuid: Fact<string>;
  name: Fact<string>;
  memory: Fact<GpuMemory>;
  compute_capability: Fact<[number, number]>;
  utilization: Fact<number>;
  temperature: Fact<number>;
  processes: Fact<GpuProcess[]>;
};
export type Gpus = { library: GpuLibrary; driver: Fact<string>; cuda: Fact<[number, number]>; cards: Gpu[] };
export type Machine = { computer: Fact<Computer>; gpus: Fact<Gpus> };

export type Interval = { low: number; expected: number; high: number };
export type Zone = 'fits' | 'tight' | 'unlikely' | 'impossible';
export type Estimate = {
  need: Interval;
  parts: { name: Message; bytes: number }[];
  supply: number | null;
  capacity: number | null;
  zone: Zone | null;
  largest_batch: number | null;
};

export type Environment = {
  python: string;
  managed: boolean;
  python_version: string;
  ultralytics: string;
  torch: string;
  torchvision: string;
  torch_cuda: string | null;
  architectures: string[];
  cuda_available: boolean;
};
export type EnvironmentState =
  | { state: 'missing' }
  | { state: 'broken'; python: string; managed: boolean; problem: Problem }
  | { state: 'ready'; environment: Environment };
export type TorchBuild = 'cpu' | { cuda: string };
export type EnvironmentProgress =
  | { step: 'fetching_installer' }
  | { step: 'python'; version: string }
  | { step: 'resolving' }
  | { step: 'installing'; done: number; total: number; line: string }
  | { step: 'verifying' };
export type EnvironmentOffer = { build: TorchBuild; download: number; disk: number; folder: string };

export type Theme = 'system' | 'light' | 'dark';
export type Sources = {
  index: string | null;
  torch_index: string | null;
  python_mirror: string | null;
  proxy: string | null;
  ca_file: string | null;
};
export type Settings = {
  language: Language | null;
  theme: Theme;
  recent_datasets: string[];
  sources: Sources;
};

export type RunState =
  'queued' | 'preparing' | 'running' | 'paused' | 'succeeded' | 'failed' | 'cancelled' | 'lost';
export type RunRecord = {
  format: number;
  id: string;
  created_ms: number;
  plan: Plan;
  accepted: string[];
  environment: Environment;
  device: string;
  command: string[];
  app_version: string;
};
export type Usage = {
  cpu: number;
  memory: number;
  gpu_memory: number | null;
  gpu_utilization: number | null;
};
export type EpochPoint = {
  epoch: number;
  losses: { [name: string]: number };
  metrics: { [name: string]: number };
  seconds: number;
};
export type Progress = {
  state: RunState;
  cancelling: 'user' | 'interrupted' | null;
  next_seq: number;
  last_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
  supervisor: number | null;
  trainer: number | null;
  epochs: number;
  epoch: number;
  batch: number;
  batches: number;
  batch_size: number;
  imgsz: number;
  device: string;
  validation: [number, number] | null;
  losses: { [name: string]: number };
  history: EpochPoint[];
  remaining_s: number | null;
  usage: Usage | null;
  peak_gpu_reserved: number;
  best: string | null;
  folder: string | null;
  metrics: { [name: string]: number };
  error: [string, string, string] | null;
  exit: [number | null, number | null] | null;
  finding: Finding | null;
  versions: [string, string] | null;
};
export type Run = { folder: string; record: RunRecord; progress: Progress };
export type LogPage = { total: number; first: number; lines: string[] };
