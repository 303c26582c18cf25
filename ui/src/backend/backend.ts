import type {
  Dataset,
  Environment,
  EnvironmentOffer,
  EnvironmentProgress,
  EnvironmentState,
  Estimate,
  LogPage,
  Machine,
  ModelCard,
  Plan,
  Preview,
  Problem,
  Progress,
  Report,
  Run,
  Settings,
  SplitKind,
  TorchBuild,
} from './data';

/** Something that could not be done. Every method of `Backend` rejects with this and nothing else. */
export class Failure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.name = 'Failure';
    this.problem = problem;
  }

  /** The problem in whatever was thrown. */
  static problem(thrown: unknown): Problem {
    if (thrown instanceof Failure) return thrown.problem;
    return { code: 'internal.window', args: {}, causes: [String(thrown)] };
  }
}

export type DatasetProgress = { done: number; total: number };

/** A file of a run that a person may look at; `url` serves an image. */
export type RunImage = { name: string; url: string };

/** What a person can be asked to point at. */
export type Pick = 'dataset-folder' | 'data-yaml' | 'weights' | 'plan';

/** What the window asks of the engine and of the system. */
export interface Backend {
  /** Version of the app. */
  version(): Promise<string>;

  settings(): Promise<Settings>;
  saveSettings(settings: Settings): Promise<void>;
  /** The language of the system. */
  systemLanguage(): Promise<'en' | 'zh-CN'>;

  /** The plan of the unfinished wizard; `null`: there is none. */
  draft(): Promise<Plan | null>;
  saveDraft(plan: Plan): Promise<void>;
  defaultPlan(): Promise<Plan>;
  planToml(plan: Plan): Promise<string>;
  /** The trainer's command, as one line a person can paste. */
  planCommand(plan: Plan): Promise<string>;
  openPlan(path: string): Promise<Plan>;
  savePlan(plan: Plan, path: string): Promise<void>;

  models(): Promise<ModelCard[]>;
  machine(): Promise<Machine>;

  dataset(
    path: string,
    onprogress: (progress: DatasetProgress) => void,
    signal: AbortSignal,
  ): Promise<Dataset>;
  previews(path: string, split: SplitKind, offset: number, count: number): Promise<Preview[]>;
  /** Draws the sample dataset (once) and answers its `data.yaml`. */
  sample(): Promise<string>;

  preflight(plan: Plan): Promise<Report>;
  estimate(plan: Plan): Promise<Estimate>;

  environments(): Promise<EnvironmentState[]>;
  environmentOffer(): Promise<EnvironmentOffer>;
  createEnvironment(
    build: TorchBuild,
    onprogress: (progress: EnvironmentProgress) => void,
    signal: AbortSignal,
  ): Promise<Environment>;
  /** Answers the bytes that became free. */
  removeEnvironment(): Promise<number>;

  /** Answers the run's id. */
  startRun(plan: Plan, accepted: string[]): Promise<string>;
  runs(): Promise<Run[]>;
  run(id: string): Promise<Run>;
  /** Tells how a run stands, now and whenever it changes, until the answered function is called. */
  followRun(id: string, onprogress: (progress: Progress) => void): () => void;
  cancelRun(id: string): Promise<void>;
  runReport(id: string): Promise<Report>;
  runImages(id: string): Promise<RunImage[]>;
  logPage(id: string, first: number, count: number): Promise<LogPage>;
  /** Numbers of the lines that contain a text. */
  searchLog(id: string, text: string, limit: number): Promise<number[]>;

  /** Asks a person for a place; `null`: they changed their mind. */
  pick(what: Pick): Promise<string | null>;
  pickSave(name: string): Promise<string | null>;
  /** Opens a file in the system's editor, or a folder in its file manager. */
  open(path: string, line?: number | null): Promise<void>;
  /** Opens a web page in the system's browser. */
  openUrl(url: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Tells files dragged over the window and dropped on it, until the answered function is called. */
  ondrop(handler: (event: DropEvent) => void): () => void;
}

export type DropEvent = { kind: 'over' } | { kind: 'leave' } | { kind: 'drop'; paths: string[] };
