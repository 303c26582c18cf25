import type {
  Account,
  AccountView,
  AppInfo,
  Belonging,
  Bundle,
  Changes,
  ConnectorView,
  ConversionView,
  CopyPlan,
  DatasetChange,
  DatasetView,
  Draft,
  Environment,
  EnvironmentCost,
  EnvironmentProgress,
  EnvironmentState,
  Export,
  ExportProgress,
  FileDiff,
  Filter,
  FixChoice,
  FixPlan,
  Found,
  GalleryImage,
  Goal,
  HealthView,
  ImageView,
  InspectionProgress,
  Learned,
  LogLines,
  Machine,
  Matches,
  ModelCard,
  Outcome,
  Needs,
  Outlook,
  PageForm,
  Plan,
  Preflight,
  Problem,
  PlatformProfile,
  ReportForm,
  Results,
  Report,
  Resumed,
  Room,
  RunDiagnosis,
  RunSummary,
  RunUpdate,
  RunView,
  Settings,
  SignInStep,
  SignInWay,
  Task,
  UnpackedView,
  Waiting,
  WeightsEntry,
  WeightsProgress,
  TriedOut,
  TrialUpdate,
  TryOutProgress,
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
  /** Counts the images that a filter lets through. */
  matchingImages(path: string, filter: Filter): Promise<Matches>;
  /** Some of the images that a filter lets through, in the trainer's order. */
  datasetImages(path: string, filter: Filter, offset: number, count: number): Promise<GalleryImage[]>;
  /** An image with everything known of it, by its file or its label file; `null`: it is not in the dataset. */
  datasetPicture(path: string, file: string): Promise<ImageView | null>;
  /** Says which images are looked at now: what waits for any other is given up. */
  lookAtOnly(images: string[]): Promise<void>;
  /** Looks at every file of a dataset; one at a time. Aborting rejects with `dataset.cancelled`. */
  examineDataset(
    path: string,
    imgsz: number,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<HealthView>;
  /** Tells how a dataset is, at once and whenever it changes, as long as it is listened to. */
  watchDataset(path: string, onchange: (change: DatasetChange) => void): Stop;
  /** Asks where to and writes what is known of a dataset; answers the file. */
  saveReport(path: string, form: ReportForm): Promise<string | null>;

  pickTargetFolder(): Promise<string | null>;
  /** What is at a path: a dataset, or something one can be made of. */
  whatIs(path: string): Promise<Found>;
  /** Unpacks an archive into a new folder. Aborting rejects with `dataset.cancelled`; nothing stays. */
  unpackDataset(
    path: string,
    folder: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<UnpackedView>;
  /** Says what annotations of another tool would become. */
  prepareConversion(
    path: string,
    task: Task,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<ConversionView>;
  /** Writes the prepared conversion; answers its `data.yaml`. */
  convertDataset(
    folder: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Says what mending would do. */
  planFix(
    path: string,
    choice: FixChoice,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<FixPlan>;
  /** Further files that the proposed mending would change. */
  fixDiff(offset: number, count: number): Promise<FileDiff[]>;
  /** Writes the mended copy; answers its `data.yaml`. */
  writeFix(
    folder: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Says what copying a dataset as it is would take. */
  planCopy(
    path: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<CopyPlan>;
  /** Copies a dataset as it is; answers the `data.yaml` of the copy. */
  copyDataset(
    path: string,
    folder: string,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Draws the sample dataset, unless it is there; answers its `data.yaml`. */
  createSample(): Promise<string>;
  /** A plan that trains on the sample dataset within minutes, without a GPU. */
  samplePlan(path: string): Promise<Plan>;

  machine(): Promise<Machine>;
  watchMachine(onupdate: (machine: Machine) => void): Stop;
  /** Looks at the computer as a whole, and computes a little in the environment: takes some seconds. */
  examineComputer(): Promise<Report>;
  /**
   * Asks where to and writes the app's own environment; `null`: the dialog was closed. Aborting rejects with
   * `environment.cancelled`.
   */
  exportKit(onprogress: (progress: EnvironmentProgress) => void, signal: AbortSignal): Promise<string | null>;
  /** Asks for such a file and makes the app's own environment of it; `null`: the dialog was closed. */
  importKit(
    onprogress: (progress: EnvironmentProgress) => void,
    signal: AbortSignal,
  ): Promise<Environment | null>;
  /** Ends a program of this person that is on a card. */
  endProcess(pid: number): Promise<void>;
  /** What waits for a card, or how waiting ended; `null`: nothing. */
  waiting(): Promise<Waiting | null>;
  /** Waits for a card, in place of what waited before. */
  waitFor(goal: Goal): Promise<Waiting>;
  /** Waits no longer, and forgets how it went. */
  stopWaiting(): Promise<void>;

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

  /** Every saved connection to a platform, by name. */
  accounts(): Promise<Account[]>;
  saveAccount(name: string, profile: PlatformProfile): Promise<Account>;
  /** Signs out and forgets the connection. */
  removeAccount(name: string): Promise<void>;
  /** Asks the platform. */
  /** What a connector file says. */
  connector(path: string): Promise<ConnectorView>;
  /** Asks for a connector file; `null`: none was chosen. */
  pickConnector(): Promise<string | null>;
  accountView(name: string): Promise<AccountView>;
  /** Signs in, one at a time. Rejects with `account.cancelled` once `cancelSignIn` was called. */
  signIn(name: string, way: SignInWay, onstep: (step: SignInStep) => void): Promise<Account>;
  cancelSignIn(): Promise<void>;
  /** Whether the platform heard. */
  signOut(name: string): Promise<boolean>;
  /** Why the system's keychain cannot be used; `null`: it can. */
  keychainProblem(): Promise<Problem | null>;
  /** Opens token files with a passphrase, as long as the app runs. */
  setPassphrase(passphrase: string): Promise<void>;

  /**
   * Looks at the whole chain. `accepted`: codes of predicted blockers that a person accepts; `anew`: also at what was
   * seen lately and seems not to have changed.
   */
  preflight(plan: Plan, accepted: string[], anew: boolean): Promise<Preflight>;
  /**
   * What a plan needs with each of these batches, its own among them, and what changing it would do; `null`: it cannot
   * be told yet.
   */
  outlook(plan: Plan, batches: readonly number[]): Promise<Outlook | null>;
  /** Tries a plan out in a few steps, one at a time. Aborting rejects with `trial.cancelled`. */
  tryOut(plan: Plan, onprogress: (progress: TryOutProgress) => void, signal: AbortSignal): Promise<TriedOut>;
  /** What was learned from trainings on this computer. */
  learned(): Promise<Learned>;
  forgetLearned(): Promise<void>;
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
  /** What of the app's takes room on its disk; takes as long as looking at every file. */
  room(): Promise<Room>;
  /** Clears away weights, or a copy of a dataset; answers the bytes that became free. */
  clearRoom(what: Belonging): Promise<number>;
  /** Why a run failed; `null`: it did not. */
  diagnoseRun(id: string): Promise<RunDiagnosis | null>;
  /** What a bundle about a failed run would hold. */
  bundle(id: string): Promise<Bundle>;
  /** Asks where to and writes the bundle; answers the file. */
  saveBundle(id: string): Promise<string | null>;
  /** Asks where to and writes the report about a failed run; answers the file. */
  saveFailureReport(id: string, form: PageForm): Promise<string | null>;
  /** A message to whoever can mend it. */
  letter(id: string): Promise<string>;
  /** What came out of a run, so far. */
  runResults(id: string): Promise<Results>;
  /** Tells how a run goes, from the beginning, as long as it is listened to. */
  watchRun(id: string, onupdate: (update: RunUpdate) => void, onfailure: (thrown: unknown) => void): Stop;
  /** Some lines of a run's log, from `first` on, counted from 0; `null`: the last ones. */
  runLog(id: string, first: number | null, count: number): Promise<LogLines>;
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
