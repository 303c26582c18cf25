import { Channel, convertFileSrc } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { Failure, type Backend, type Stop } from './backend';
import { commands } from './bindings';

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

/** Work that can be ended: `end` is called when `signal` says so. */
async function abortable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  end: () => Promise<unknown>,
): Promise<T> {
  const ended = () => void end().catch(() => undefined);
  signal.addEventListener('abort', ended, { once: true });
  try {
    return await call(work());
  } finally {
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
    abortable(() => commands.inspectDataset(path, channel(onprogress)), signal, commands.cancelInspection),
  previews: (path, split, offset, count) => call(commands.previews(path, split, offset, count)),
  createSample: () => call(commands.createSample()),
  samplePlan: (path) => call(commands.samplePlan(path)),

  machine: () => call(commands.machine()),
  watchMachine: (onupdate) => watch(commands.watchMachine, onupdate),

  environments: () => call(commands.environments()),
  acceptPython: (path) => call(commands.acceptPython(path)).then(nothing),
  environmentCost: (cpuOnly) => call(commands.environmentCost(cpuOnly)),
  createEnvironment: (cpuOnly, onprogress, signal) =>
    abortable(
      () => commands.createEnvironment(cpuOnly, channel(onprogress)),
      signal,
      commands.cancelEnvironment,
    ),
  removeEnvironment: () => call(commands.removeEnvironment()),

  weights: () => call(commands.weights()),
  fetchWeights: (model, again, onprogress, signal) =>
    abortable(() => commands.fetchWeights(model, again, channel(onprogress)), signal, commands.cancelWeights),

  preflight: (plan, accepted, anew) => call(commands.preflight(plan, accepted, anew)),
  estimate: (plan) => call(commands.estimate(plan)),
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
    abortable(() => commands.addExportPackages(channel(onprogress)), signal, commands.cancelEnvironment).then(
      nothing,
    ),
  exportModel: (id, onprogress, signal) =>
    abortable(() => commands.exportModel(id, channel(onprogress)), signal, commands.cancelExport),
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
