import type {
  AppInfo,
  DatasetView,
  Draft,
  Environment,
  EnvironmentCost,
  EnvironmentProgress,
  EnvironmentState,
  Estimate,
  InspectionProgress,
  LogLines,
  Machine,
  ModelCard,
  Outcome,
  Plan,
  Preflight,
  PreviewImage,
  Problem,
  ResultImage,
  RunSummary,
  RunUpdate,
  RunView,
  Settings,
  SplitKind,
  WeightsEntry,
  WeightsProgress,
  TrainingCommand,
} from './bindings';

/** Something that could not be done. Every method of `Backend` rejects with this and nothing else. */
export class Failure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.name = 'Failure';
    this.problem = problem;
  }

  /** The problem in whatever was thrown: the engine's own, or one of the window's. */
  static problem(thrown: unknown): Problem {
    if (thrown instanceof Failure) return thrown.problem;
    if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'causes' in thrown) {
      return thrown as Problem;
    }
    return { code: 'internal.window', args: {}, causes: [String(thrown)] };
  }
}

/** Files dragged over the window, and dropped on it. */
export type DropEvent = { kind: 'over' } | { kind: 'leave' } | { kind: 'drop'; paths: string[] };

/** Ends what the call that answered it began. */
export type Stop = () => void;

/** What the window asks of the engine and of the system. */
export interface Backend {
  appInfo(): Promise<AppInfo>;
  settings(): Promise<Settings>;
  /** Stores settings; the recent datasets stay as they are. */
  changeSettings(settings: Settings): Promise<Settings>;

  /** The unfinished wizard; `null`: there is none. */
  draft(): Promise<Draft | null>;
  saveDraft(draft: Draft | null): Promise<void>;
  newPlan(): Promise<Plan>;
  planToml(plan: Plan): Promise<string>;
  /** What the plan would start. */
  planCommand(plan: Plan): Promise<TrainingCommand>;
  /** Asks for a plan file and reads it; `null`: none was chosen. */
  openPlan(): Promise<Plan | null>;
  /** Asks where to and writes the plan; answers the file. */
  savePlan(plan: Plan): Promise<string | null>;

  models(): Promise<ModelCard[]>;
  pickWeights(): Promise<string | null>;

  pickDatasetFolder(): Promise<string | null>;
  pickDatasetFile(): Promise<string | null>;
  /** Reads and judges a dataset; one at a time. Aborting rejects with `dataset.cancelled`. */
  inspectDataset(
    path: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<DatasetView>;
  previews(path: string, split: SplitKind, offset: number, count: number): Promise<PreviewImage[]>;
  /** Draws the sample dataset, unless it is there; answers its `data.yaml`. */
  createSample(): Promise<string>;
  /** A plan that trains on the sample dataset within minutes, without a GPU. */
  samplePlan(path: string): Promise<Plan>;

  machine(): Promise<Machine>;
  watchMachine(onupdate: (machine: Machine) => void): Stop;

  environments(): Promise<EnvironmentState[]>;
  /** `cpuOnly`: of one that leaves the cards alone. */
  environmentCost(cpuOnly: boolean): Promise<EnvironmentCost>;
  /** Makes the app's own environment. Aborting rejects with `environment.cancelled`. */
  createEnvironment(
    cpuOnly: boolean,
    onprogress: (progress: EnvironmentProgress) => void,
    signal: AbortSignal,
  ): Promise<Environment>;
  /** Answers the bytes that became free. */
  removeEnvironment(): Promise<number>;

  /** The published weights of every model, as they are on this computer. */
  weights(): Promise<WeightsEntry[]>;
  /** Fetches the published weights of a model, one at a time. Aborting rejects with `weights.cancelled`; what came stays. */
  fetchWeights(
    model: string,
    again: boolean,
    onprogress: (progress: WeightsProgress) => void,
    signal: AbortSignal,
  ): Promise<Outcome>;

  /** Looks at the whole chain. `accepted`: codes of predicted blockers that a person accepts. */
  preflight(plan: Plan, accepted: string[]): Promise<Preflight>;
  /** How much memory a plan needs, at once; `null`: it cannot be told yet. */
  estimate(plan: Plan): Promise<Estimate | null>;
  /** Answers the run's id. */
  startRun(plan: Plan, accepted: string[]): Promise<string>;

  runs(): Promise<RunSummary[]>;
  run(id: string): Promise<RunView>;
  cancelRun(id: string): Promise<void>;
  runImages(id: string): Promise<ResultImage[]>;
  /** Tells how a run goes, from the beginning, until it is over. */
  watchRun(id: string, onupdate: (update: RunUpdate) => void, onfailure: (thrown: unknown) => void): Stop;
  /** Some lines of a run's log, from `first` on, counted from 0. */
  runLog(id: string, first: number, count: number): Promise<LogLines>;
  /** Numbers of the lines that contain a text, whatever its case. */
  searchLog(id: string, text: string): Promise<number[]>;

  /** The address of an image the engine named, no larger than `side` pixels. */
  imageUrl(image: string, side: number): string;
  /** Shows a run's folder in the file manager. */
  openFolder(id: string): Promise<void>;
  /** Opens a file that a finding named as evidence, or one of the app's own. */
  openFile(path: string): Promise<void>;
  /** Opens one of the pages the window links to. */
  openUrl(url: string): Promise<void>;
  copy(text: string): Promise<void>;
  ondrop(handler: (event: DropEvent) => void): Stop;
}
