import type {
  AppInfo,
  Changes,
  DatasetView,
  Draft,
  Environment,
  EnvironmentCost,
  EnvironmentProgress,
  EnvironmentState,
  Estimate,
  Export,
  ExportProgress,
  InspectionProgress,
  LogLines,
  Machine,
  ModelCard,
  Outcome,
  Needs,
  Plan,
  Preflight,
  PreviewImage,
  Problem,
  Results,
  Resumed,
  RunSummary,
  RunUpdate,
  RunView,
  Settings,
  SplitKind,
  WeightsEntry,
  WeightsProgress,
  TrialUpdate,
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

  /** The path that was typed, as the system knows it: `~/` is in the home folder. */
  typedPath(path: string): Promise<string>;
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
  /** Lets plans name a Python that is not found on this computer. */
  acceptPython(path: string): Promise<void>;
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

  /**
   * Looks at the whole chain. `accepted`: codes of predicted blockers that a person accepts; `anew`: also at what was
   * seen lately and seems not to have changed.
   */
  preflight(plan: Plan, accepted: string[], anew: boolean): Promise<Preflight>;
  /** How much memory a plan needs, at once; `null`: it cannot be told yet. */
  estimate(plan: Plan): Promise<Estimate | null>;
  /** Answers the run's id. */
  startRun(plan: Plan, accepted: string[]): Promise<string>;

  runs(): Promise<RunSummary[]>;
  run(id: string): Promise<RunView>;
  /** Asks a run to rest: at the end of its epoch, or at once. */
  pauseRun(id: string, now: boolean): Promise<void>;
  /** Takes back that a run is to rest. */
  keepRunOn(id: string): Promise<void>;
  /** Has a run go on from its newest checkpoint. */
  resumeRun(id: string, changes: Changes): Promise<Resumed>;
  cancelRun(id: string): Promise<void>;
  /** Writes a person's note about a run; an empty one takes it away. */
  noteRun(id: string, text: string): Promise<void>;
  /** Bytes that deleting a run would free; takes as long as looking at every file. */
  runSize(id: string): Promise<number>;
  /** Deletes a run that is over; answers the bytes that became free. */
  deleteRun(id: string): Promise<number>;
  /** What came out of a run, so far. */
  runResults(id: string): Promise<Results>;
  /** Tells how a run goes, from the beginning, as long as it is listened to. */
  watchRun(id: string, onupdate: (update: RunUpdate) => void, onfailure: (thrown: unknown) => void): Stop;
  /** Some lines of a run's log, from `first` on, counted from 0. */
  runLog(id: string, first: number, count: number): Promise<LogLines>;
  /** Numbers of the lines that contain a text, whatever its case. */
  searchLog(id: string, text: string): Promise<number[]>;

  /** Asks for images to try a model on; empty: none were chosen. */
  pickTrialImages(): Promise<string[]>;
  /** Looks for objects in images and in folders of images, until all are done or another call takes over. */
  tryModel(id: string, paths: string[], onupdate: (update: TrialUpdate) => void): Promise<void>;
  /** Keeps an image that was pasted (base64) until the trial is closed; answers its file. */
  keepPasted(image: string): Promise<string>;
  /** Ends the model that is being tried. */
  closeTrial(): Promise<void>;

  /** What exporting a run's model needs that its environment lacks. */
  exportNeeds(id: string): Promise<Needs>;
  /** Adds that to the app's own environment. Aborting rejects with `environment.cancelled`. */
  addExportPackages(onprogress: (progress: EnvironmentProgress) => void, signal: AbortSignal): Promise<void>;
  /** Exports a run's model to ONNX and compares both. Aborting rejects with `results.cancelled`. */
  exportModel(
    id: string,
    onprogress: (progress: ExportProgress) => void,
    signal: AbortSignal,
  ): Promise<Export>;
  /** Asks where to and copies the exported model there; answers the file. */
  saveExport(id: string): Promise<string | null>;

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
