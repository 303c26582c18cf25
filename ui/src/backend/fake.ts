import { Failure, type Backend } from './backend';
import type { Draft, EnvironmentProgress, EnvironmentState, Machine, RunView, Waiting } from './bindings';
import { createAccounts } from './fake/accounts';
import { createForecasts } from './fake/forecast';
import { preflight } from './fake/judge';
import { advance, chain, goneOn, isStalled, log, runs as pastRuns, started, summary } from './fake/runs';
import { createDatasets } from './fake/datasets';
import { createFailures } from './fake/failures';
import { createResults } from './fake/results';
import * as world from './fake/world';

/** What the fake shows besides the usual: `?world=bare` in the address. */
type World = 'usual' | 'bare';

function wait(ms: number, signal?: AbortSignal, code = 'dataset.cancelled'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Failure({ code, args: {}, causes: [] }));
    });
  });
}

/** An engine in memory, for a plain browser and for tests. */
export function createFake(kind: World = 'usual', pace = 1): Backend {
  const bare = kind === 'bare';
  let settings = { ...world.settings, recent_datasets: bare ? [] : world.settings.recent_datasets };
  let draft: Draft | null = null;
  let environment: EnvironmentState = bare
    ? { state: 'missing' }
    : { state: 'ready', environment: world.environment };
  const systemLanguage = navigator.language.startsWith('zh') ? 'zh-CN' : 'en';
  const here = new Set(bare ? [] : ['yolov8n']);
  const runs: RunView[] = bare ? [] : structuredClone(pastRuns);

  function find(id: string): RunView {
    const run = runs.find(({ record }) => record.id === id);
    if (!run) throw new Failure({ code: 'run.not-found', args: { id }, causes: [] });
    return run;
  }

  async function packing(
    onprogress: (progress: EnvironmentProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const total = 2.9 * 1024 ** 3;
    onprogress({ step: 'verifying' });
    await wait(500 * pace, signal, 'environment.cancelled');
    for (let part = 1; part <= 20; part += 1) {
      onprogress({ step: 'installing', done: (part / 20) * total, total, line: 'packages/torch' });
      await wait(150 * pace, signal, 'environment.cancelled');
    }
  }

  let waits: Waiting | null = null;
  const datasets = createDatasets(pace, wait);
  const machine = (): Machine => ({
    computer: { known: world.computer },
    gpus: {
      known: bare ? { ...world.gpus, library: { state: 'not_installed' }, cards: [] } : world.liveGpus(),
    },
    volume: {
      known: {
        path: '/home/lin/.local/share/yolo-preflight/runs',
        free: 182e9,
        total: 1e12,
        write_error: null,
      },
    },
    findings: bare ? [] : world.cardFindings(),
  });

  return {
    appInfo: () =>
      Promise.resolve({
        version: '0.1.0',
        language: settings.language ?? systemLanguage,
        system_language: systemLanguage,
        platform: 'linux',
        home: '/home/lin/.local/share/yolo-preflight',
      }),
    settings: () => Promise.resolve(structuredClone(settings)),
    changeSettings: (changed) => {
      settings = { ...structuredClone(changed), recent_datasets: settings.recent_datasets };
      return Promise.resolve(structuredClone(settings));
    },

    draft: () => Promise.resolve(draft),
    saveDraft: (changed) => {
      draft = structuredClone(changed);
      return Promise.resolve();
    },
    newPlan: () => Promise.resolve(structuredClone(world.plan)),
    planToml: ({ format, dataset, model, training, target }) =>
      Promise.resolve(
        `format = ${String(format)}\ndataset = "${dataset}"\n\n[model]\nname = "${model.name}"\nweights = "${model.weights}"\n\n` +
          `[training]\nimgsz = ${String(training.imgsz)}\nbatch = ${String(training.batch)}\nepochs = ${String(training.epochs)}\n\n` +
          `[target]\nkind = "${target.kind}"\n${target.kind === 'platform' ? `profile = "${target.profile}"` : `device = "${target.device}"`}\n`,
      ),
    planCommand: (plan) => Promise.resolve(world.command(plan)),
    openPlan: () =>
      Promise.resolve({ ...structuredClone(world.plan), dataset: '/home/lin/data/plates/data.yaml' }),
    savePlan: () => Promise.resolve('/home/lin/plan.toml'),

    models: () => Promise.resolve(world.models),
    pickWeights: () => Promise.resolve('/home/lin/models/mine.pt'),

    typedPath: (path) => Promise.resolve(path.replace(/^~(?=\/|$)/, '/home/lin')),
    pickDatasetFolder: () => Promise.resolve('/home/lin/data/plates'),
    pickDatasetFile: () => Promise.resolve('/home/lin/data/plates/data.yaml'),
    async inspectDataset(path, onprogress, signal) {
      for (let done = 0; done <= 1560; done += 260) {
        onprogress({ done, total: done === 0 ? 0 : 1560 });
        await wait(90 * pace, signal, 'dataset.cancelled');
      }
      if (!path.startsWith('/')) throw new Failure({ code: 'dataset.not-found', args: { path }, causes: [] });
      settings.recent_datasets = [path, ...settings.recent_datasets.filter((other) => other !== path)].slice(
        0,
        8,
      );
      return { dataset: world.dataset(path), health: datasets.health(path) };
    },
    ...createAccounts(bare, pace, wait),
    ...datasets.backend,
    createSample: () => Promise.resolve('/home/lin/.local/share/yolo-preflight/samples/plates/data.yaml'),
    samplePlan: (path) =>
      Promise.resolve({
        ...structuredClone(world.plan),
        dataset: path,
        model: { name: 'yolov8n', weights: 'scratch', file: '' },
        training: { ...world.plan.training, imgsz: 160, batch: 8, epochs: 60 },
        target: { kind: 'this-computer', device: 'cpu', python: null },
      }),

    machine: () => Promise.resolve(machine()),
    watchMachine(onupdate) {
      onupdate(machine());
      const timer = setInterval(() => {
        onupdate(machine());
      }, 1000 * pace);
      return () => {
        clearInterval(timer);
      };
    },

    async examineComputer() {
      await wait(1200 * pace);
      const { report } = preflight({ ...structuredClone(world.plan), dataset: '' }, [], environment, here);
      const of = new Set(['gpu_pool', 'driver', 'image', 'start']);
      return { ...report, findings: report.findings.filter(({ stage }) => of.has(stage)) };
    },
    async exportKit(onprogress, signal) {
      await packing(onprogress, signal);
      return '/home/lin/training-environment.zip';
    },
    async importKit(onprogress, signal) {
      await packing(onprogress, signal);
      environment = { state: 'ready', environment: world.environment };
      return world.environment;
    },
    async endProcess() {
      await wait(600 * pace);
    },
    waiting: () => Promise.resolve(waits),
    waitFor(goal) {
      waits = { since_ms: Date.now(), goal: structuredClone(goal), state: { state: 'waiting' } };
      return Promise.resolve(waits);
    },
    stopWaiting() {
      waits = null;
      return Promise.resolve();
    },

    async preflight(plan, accepted) {
      await wait(350 * pace);
      return preflight(plan, accepted, environment, here);
    },
    ...createForecasts(bare, pace, wait),

    environments: () => Promise.resolve([environment]),
    acceptPython: () => Promise.resolve(),
    environmentCost: (cpuOnly) =>
      Promise.resolve(
        cpuOnly
          ? { build: 'cpu', download: 0.4e9, disk: 1.6e9, seconds: 64 }
          : { build: { cuda: 'cu128' }, download: 3.1e9, disk: 7.2e9, seconds: 570 },
      ),
    async createEnvironment(_cpuOnly, onprogress, signal) {
      const total = 3.1e9;
      onprogress({ step: 'fetching_installer' });
      await wait(500 * pace, signal, 'environment.cancelled');
      onprogress({ step: 'python', version: '3.12' });
      await wait(500 * pace, signal, 'environment.cancelled');
      onprogress({ step: 'resolving' });
      await wait(500 * pace, signal, 'environment.cancelled');
      for (let done = 0; done <= total; done += total / 40) {
        onprogress({ step: 'installing', done, total, line: 'Downloading torch (846.2MiB)' });
        await wait(120 * pace, signal, 'environment.cancelled');
      }
      onprogress({ step: 'verifying' });
      await wait(800 * pace, signal, 'environment.cancelled');
      environment = { state: 'ready', environment: world.environment };
      return world.environment;
    },
    removeEnvironment: () => {
      environment = { state: 'missing' };
      return Promise.resolve(7.2e9);
    },

    weights: () => Promise.resolve(world.weights(here)),
    async fetchWeights(model, _again, onprogress, signal) {
      const url = `https://github.com/ultralytics/assets/releases/download/v8.4.0/${model}.pt`;
      const total = world.weights(here).find((entry) => entry.model === model)?.about ?? 6e6;
      onprogress({ step: 'asking', url });
      await wait(600 * pace, signal, 'weights.cancelled');
      for (let done = 0; done < total; done += total / 30) {
        onprogress({ step: 'downloading', done, total });
        await wait(100 * pace, signal, 'weights.cancelled');
        // The mirror that is tried first does not have the largest ones.
        if (model.endsWith('x') && done > total / 3) {
          throw new Failure({
            code: 'weights.no-such-host',
            args: { url, host: 'github.com', model },
            causes: ['client error (Connect)', 'dns error', 'failed to lookup address information'],
          });
        }
      }
      onprogress({ step: 'verifying' });
      await wait(400 * pace, signal, 'weights.cancelled');
      here.add(model);
      return { path: `/weights/${model}.pt`, bytes: total, sha256: '0'.repeat(64), url, before: null };
    },

    startRun: (plan) => {
      const id = `run-${String(Date.now())}`;
      runs.unshift(started(id, structuredClone(plan)));
      return Promise.resolve(id);
    },
    runs: () => Promise.resolve(runs.map(summary)),
    run: (id) => Promise.resolve().then(() => structuredClone(find(id))),
    pauseRun: (id, now) => {
      const run = find(id);
      run.progress = { ...run.progress, pausing: { reason: 'user', now } };
      return Promise.resolve();
    },
    keepRunOn: (id) => {
      const run = find(id);
      run.progress = { ...run.progress, pausing: null };
      return Promise.resolve();
    },
    resumeRun: (id, { batch }) => {
      const run = find(id);
      run.progress = goneOn(run.progress, batch);
      run.report = chain(run.progress);
      return Promise.resolve({ after_epoch: run.progress.resumed_after });
    },
    cancelRun: (id) => {
      const run = find(id);
      run.progress = { ...run.progress, state: 'cancelled', cancelling: 'user', ended_ms: Date.now() };
      return Promise.resolve();
    },
    noteRun: (id, text) => {
      find(id).note = text.trim();
      return Promise.resolve();
    },
    async runSize(id) {
      await wait(400 * pace);
      return find(id).progress.history.length * 1.1e6 + 41e6;
    },
    async deleteRun(id) {
      const run = find(id);
      await wait(300 * pace);
      runs.splice(runs.indexOf(run), 1);
      return run.progress.history.length * 1.1e6 + 41e6;
    },
    room: () =>
      Promise.resolve({
        folder: '/home/lin/.local/share/yolo-preflight',
        free: 3.4e9,
        total: 512e9,
        taken: [
          { what: { kind: 'environment' as const }, bytes: 7.2e9, can_go: true },
          ...runs.map(({ record, progress }) => ({
            what: {
              kind: 'run' as const,
              id: record.id,
              dataset: record.plan.dataset,
              model: record.plan.model.name,
              created_ms: record.created_ms,
            },
            bytes: progress.history.length * 1.1e6 + 41e6,
            can_go: progress.state !== 'running',
          })),
          { what: { kind: 'weights' as const, model: 'yolov8m' }, bytes: 52e6, can_go: true },
          { what: { kind: 'rest' as const }, bytes: 4e6, can_go: false },
        ],
      }),
    clearRoom: () => Promise.resolve(52e6),
    ...createFailures(find),
    ...createResults(find, bare, pace, wait),
    watchRun(id, onupdate, onfailure) {
      let told = 0;
      const tell = () => {
        const { progress, report } = find(id);
        onupdate({ progress: { ...progress, history: [] }, epochs: progress.history.slice(told), report });
        told = progress.history.length;
      };
      try {
        tell();
      } catch (thrown) {
        onfailure(thrown);
      }
      const timer = setInterval(() => {
        const run = find(id);
        if (!isStalled(run)) run.progress = advance(run.progress);
        tell();
      }, 1000 * pace);
      return () => {
        clearInterval(timer);
      };
    },
    runLog: (_id, from, count) => {
      const first = from ?? Math.max(0, log.length - count);
      return Promise.resolve({ total: log.length, first, lines: log.slice(first, first + count) });
    },
    searchLog: (_id, text) =>
      Promise.resolve(
        log.flatMap((line, n) => (line.toLowerCase().includes(text.toLowerCase()) ? [n] : [])).slice(0, 5000),
      ),

    imageUrl: (image) => world.picture(image),
    openFolder: () => Promise.resolve(),
    openFile: () => Promise.resolve(),
    openUrl: (url) => {
      window.open(url);
      return Promise.resolve();
    },
    copy: (text) => navigator.clipboard.writeText(text),
    ondrop: () => () => undefined,
  };
}
