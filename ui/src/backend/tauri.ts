import { Channel, convertFileSrc } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { Failure, type Backend, type Stop } from './backend';
import { commands, type DatasetWork } from './bindings';

async function call<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    throw new Failure(Failure.problem(thrown));
  }
}

function channel<T>(onmessage: (message: T) => void): Channel<T> {
  const made = new Channel<T>();
  made.onmessage = onmessage;
  return made;
}

/**
 * Work that tells how far it is and can be ended: `end` is called when `signal` says so. What is told takes another way
 * than the answer and may come after it; then it is dropped.
 */
async function abortable<T, P>(
  work: (progress: Channel<P>) => Promise<T>,
  onprogress: (progress: P) => void,
  signal: AbortSignal,
  end: () => Promise<unknown>,
): Promise<T> {
  let over = false;
  const progress = channel<P>((update) => {
    if (!over) onprogress(update);
  });
  const ended = () => void end().catch(() => undefined);
  signal.addEventListener('abort', ended, { once: true });
  try {
    return await call(work(progress));
  } finally {
    over = true;
    signal.removeEventListener('abort', ended);
  }
}

function watch<T>(
  begin: (to: Channel<T>) => Promise<unknown>,
  onupdate: (update: T) => void,
  onfailure: (thrown: unknown) => void = () => undefined,
): Stop {
  let stopped = false;
  const updates = channel<T>((update) => {
    if (!stopped) onupdate(update);
  });
  call(begin(updates)).catch((thrown: unknown) => {
    if (!stopped) onfailure(thrown);
  });
  return () => {
    stopped = true;
    commands.stopWatching(updates.id).catch(() => undefined);
  };
}

const nothing = () => undefined;
const ended = (work: DatasetWork) => () => commands.cancelDatasetWork(work);

/** The engine behind the window. */
export const tauri: Backend = {
  appInfo: () => call(commands.appInfo()),
  settings: () => call(commands.settings()),
  changeSettings: (settings) => call(commands.changeSettings(settings)),

  draft: () => call(commands.draft()),
  saveDraft: (draft) => call(commands.saveDraft(draft)).then(nothing),
  newPlan: () => call(commands.newPlan()),
  planToml: (plan) => call(commands.planToml(plan)),
  planCommand: (plan) => call(commands.planCommand(plan)),
  openPlan: () => call(commands.openPlan()),
  savePlan: (plan) => call(commands.savePlan(plan)),

  models: () => call(commands.models()),
  pickWeights: () => call(commands.pickWeights()),

  typedPath: (path) => call(commands.typedPath(path)),
  pickDatasetFolder: () => call(commands.pickDatasetFolder()),
  pickDatasetFile: () => call(commands.pickDatasetFile()),
  inspectDataset: (path, onprogress, signal) =>
    abortable((progress) => commands.inspectDataset(path, progress), onprogress, signal, ended('inspection')),
  matchingImages: (path, filter) => call(commands.matchingImages(path, filter)),
  datasetImages: (path, filter, offset, count) => call(commands.datasetImages(path, filter, offset, count)),
  datasetPicture: (path, file) => call(commands.datasetPicture(path, file)),
  lookAtOnly: (images) => call(commands.lookAtOnly(images)).then(nothing),
  examineDataset: (path, imgsz, onprogress, signal) =>
    abortable(
      (progress) => commands.examineDataset(path, imgsz, progress),
      onprogress,
      signal,
      ended('examination'),
    ),
  watchDataset: (path, onchange) => watch((changes) => commands.watchDataset(path, changes), onchange),
  saveReport: (path, form) => call(commands.saveReport(path, form)),

  pickTargetFolder: () => call(commands.pickTargetFolder()),
  whatIs: (path) => call(commands.whatIs(path)),
  unpackDataset: (path, folder, onprogress, signal) =>
    abortable(
      (progress) => commands.unpackDataset(path, folder, progress),
      onprogress,
      signal,
      ended('making'),
    ),
  prepareConversion: (path, task, onprogress, signal) =>
    abortable(
      (progress) => commands.prepareConversion(path, task, progress),
      onprogress,
      signal,
      ended('making'),
    ),
  convertDataset: (folder, onprogress, signal) =>
    abortable((progress) => commands.convertDataset(folder, progress), onprogress, signal, ended('making')),
  planFix: (path, choice, onprogress, signal) =>
    abortable((progress) => commands.planFix(path, choice, progress), onprogress, signal, ended('making')),
  fixDiff: (offset, count) => call(commands.fixDiff(offset, count)),
  writeFix: (folder, onprogress, signal) =>
    abortable((progress) => commands.writeFix(folder, progress), onprogress, signal, ended('making')),
  planCopy: (path, onprogress, signal) =>
    abortable((progress) => commands.planCopy(path, progress), onprogress, signal, ended('making')),
  copyDataset: (path, folder, onprogress, signal) =>
    abortable(
      (progress) => commands.copyDataset(path, folder, progress),
      onprogress,
      signal,
      ended('making'),
    ),
  createSample: () => call(commands.createSample()),
  samplePlan: (path) => call(commands.samplePlan(path)),

  machine: () => call(commands.machine()),
  watchMachine: (onupdate) => watch(commands.watchMachine, onupdate),
  examineComputer: () => call(commands.examineComputer()),
  exportKit: (onprogress, signal) =>
    abortable(commands.exportKit, onprogress, signal, commands.cancelEnvironment),
  importKit: (onprogress, signal) =>
    abortable(commands.importKit, onprogress, signal, commands.cancelEnvironment),
  endProcess: (pid) => call(commands.endProcess(pid)).then(nothing),
  waiting: () => call(commands.waiting()),
  waitFor: (goal) => call(commands.waitFor(goal)),
  stopWaiting: () => call(commands.stopWaiting()).then(nothing),

  environments: () => call(commands.environments()),
  acceptPython: (path) => call(commands.acceptPython(path)).then(nothing),
  environmentCost: (cpuOnly) => call(commands.environmentCost(cpuOnly)),
  createEnvironment: (cpuOnly, onprogress, signal) =>
    abortable(
      (progress) => commands.createEnvironment(cpuOnly, progress),
      onprogress,
      signal,
      commands.cancelEnvironment,
    ),
  removeEnvironment: () => call(commands.removeEnvironment()),

  accounts: () => call(commands.accounts()),
  saveAccount: (name, profile) => call(commands.saveAccount(name, profile)),
  removeAccount: (name) => call(commands.removeAccount(name)).then(nothing),
  connector: (path) => call(commands.connector(path)),
  pickConnector: () => call(commands.pickConnector()),
  accountView: (name) => call(commands.accountView(name)),
  signIn: (name, way, onstep) => call(commands.signIn(name, way, channel(onstep))),
  cancelSignIn: () => call(commands.cancelSignIn()).then(nothing),
  signOut: (name) => call(commands.signOut(name)),
  keychainProblem: () => call(commands.keychainProblem()),
  setPassphrase: (passphrase) => call(commands.setPassphrase(passphrase)).then(nothing),

  weights: () => call(commands.weights()),
  fetchWeights: (model, again, onprogress, signal) =>
    abortable(
      (progress) => commands.fetchWeights(model, again, progress),
      onprogress,
      signal,
      commands.cancelWeights,
    ),

  preflight: (plan, accepted, anew) => call(commands.preflight(plan, accepted, anew)),
  outlook: (plan, batches) => call(commands.outlook(plan, [...batches])),
  tryOut: (plan, onprogress, signal) =>
    abortable((progress) => commands.tryOut(plan, progress), onprogress, signal, commands.cancelTryOut),
  learned: () => call(commands.learned()),
  forgetLearned: () => call(commands.forgetLearned()).then(nothing),
  startRun: (plan, accepted) => call(commands.startRun(plan, accepted)),

  runs: () => call(commands.runs()),
  run: (id) => call(commands.run(id)),
  pauseRun: (id, now) => call(commands.pauseRun(id, now)).then(nothing),
  keepRunOn: (id) => call(commands.keepRunOn(id)).then(nothing),
  resumeRun: (id, changes) => call(commands.resumeRun(id, changes)),
  cancelRun: (id) => call(commands.cancelRun(id)).then(nothing),
  noteRun: (id, text) => call(commands.noteRun(id, text)).then(nothing),
  runSize: (id) => call(commands.runSize(id)),
  deleteRun: (id) => call(commands.deleteRun(id)),
  room: () => call(commands.room()),
  clearRoom: (what) => call(commands.clearRoom(what)),
  diagnoseRun: (id) => call(commands.diagnoseRun(id)),
  bundle: (id) => call(commands.bundle(id)),
  saveBundle: (id) => call(commands.saveBundle(id)),
  saveFailureReport: (id, form) => call(commands.saveFailureReport(id, form)),
  letter: (id) => call(commands.letter(id)),
  runResults: (id) => call(commands.runResults(id)),
  watchRun: (id, onupdate, onfailure) =>
    watch((updates) => commands.watchRun(id, updates), onupdate, onfailure),
  runLog: (id, first, count) => call(commands.runLog(id, first, count)),
  searchLog: (id, text) => call(commands.searchLog(id, text)),

  pickTrialImages: () => call(commands.pickTrialImages()),
  tryModel: (id, paths, onupdate) => call(commands.tryModel(id, paths, channel(onupdate))).then(nothing),
  keepPasted: (image) => call(commands.keepPasted(image)),
  closeTrial: () => call(commands.closeTrial()).then(nothing),

  exportNeeds: (id) => call(commands.exportNeeds(id)),
  addExportPackages: (onprogress, signal) =>
    abortable(
      (progress) => commands.addExportPackages(progress),
      onprogress,
      signal,
      commands.cancelEnvironment,
    ).then(nothing),
  exportModel: (id, onprogress, signal) =>
    abortable((progress) => commands.exportModel(id, progress), onprogress, signal, commands.cancelExport),
  saveExport: (id) => call(commands.saveExport(id)),

  imageUrl: (image, side) => `${convertFileSrc(image, 'preview')}?side=${String(side)}`,
  openFolder: (id) => call(commands.openFolder(id)).then(nothing),
  openFile: (path) => call(commands.openFile(path)).then(nothing),
  openUrl: (url) => call(commands.openUrl(url)).then(nothing),
  copy: (text) => call(navigator.clipboard.writeText(text)),

  ondrop(handler) {
    const listening = getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (payload.type === 'drop') handler({ kind: 'drop', paths: payload.paths });
      else if (payload.type === 'leave') handler({ kind: 'leave' });
      else handler({ kind: 'over' });
    });
    return () => {
      listening.then((unlisten) => {
        unlisten();
      }, nothing);
    };
  },
};
