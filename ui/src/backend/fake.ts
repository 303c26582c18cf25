import { Failure, type Backend } from './backend';
import type { EnvironmentState, Plan, Run } from './data';
import { estimate, preflight } from './fake/judge';
import { advance, log, runs as pastRuns, started } from './fake/runs';
import * as world from './fake/world';

/** What the fake shows besides the usual: `?world=bare` in the address. */
type World = 'usual' | 'bare';

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Failure({ code: 'dataset.cancelled', args: {}, causes: [] }));
    });
  });
}

/** An engine in memory, for a plain browser and for tests. */
export function createFake(kind: World = 'usual', pace = 1): Backend {
  const bare = kind === 'bare';
  let settings = { ...world.settings, recent_datasets: bare ? [] : world.settings.recent_datasets };
  let draft: Plan | null = null;
  let environment: EnvironmentState = bare
    ? { state: 'missing' }
    : { state: 'ready', environment: world.environment };
  const runs: Run[] = bare ? [] : structuredClone(pastRuns);

  function find(id: string): Run {
    const run = runs.find(({ record }) => record.id === id);
    if (!run) throw new Failure({ code: 'run.not-found', args: { id }, causes: [] });
    return run;
  }

  return {
    version: () => Promise.resolve('0.1.0'),
    settings: () => Promise.resolve(structuredClone(settings)),
    saveSettings: (changed) => {
      settings = structuredClone(changed);
      return Promise.resolve();
    },
    systemLanguage: () => Promise.resolve(navigator.language.startsWith('zh') ? 'zh-CN' : 'en'),

    draft: () => Promise.resolve(draft),
    saveDraft: (plan) => {
      draft = structuredClone(plan);
      return Promise.resolve();
    },
    defaultPlan: () => Promise.resolve(structuredClone(world.plan)),
    planToml: ({ format, dataset, model, training, target }) =>
      Promise.resolve(
        `format = ${String(format)}\ndataset = "${dataset}"\n\n[model]\nname = "${model.name}"\nweights = "${model.weights}"\n\n` +
          `[training]\nimgsz = ${String(training.imgsz)}\nbatch = ${String(training.batch)}\nepochs = ${String(training.epochs)}\n\n` +
          `[target]\nkind = "${target.kind}"\ndevice = "${target.device}"\n`,
      ),
    planCommand: ({ dataset, model, training, target }) =>
      Promise.resolve(
        `yolo detect train data='${dataset}' model=${model.name}.pt imgsz=${String(training.imgsz)} batch=${String(training.batch)} epochs=${String(training.epochs)} device=${target.device.replace('gpu:', '')}`,
      ),
    openPlan: () => Promise.resolve({ ...world.plan, dataset: '/home/lin/data/plates/data.yaml' }),
    savePlan: () => Promise.resolve(),

    models: () => Promise.resolve(world.models),
    machine: () =>
      Promise.resolve({
        computer: { known: world.computer },
        gpus: {
          known: bare ? { ...world.gpus, library: { state: 'not_installed' }, cards: [] } : world.gpus,
        },
      }),

    async dataset(path, onprogress, signal) {
      for (let done = 0; done <= 1560; done += 260) {
        onprogress({ done, total: done === 0 ? 0 : 1560 });
        await wait(90 * pace, signal);
      }
      if (!path.startsWith('/')) throw new Failure({ code: 'dataset.not-found', args: { path }, causes: [] });
      return world.dataset(path);
    },
    previews: (path, _split, offset, count) =>
      Promise.resolve(
        world.previews(path.replace(/\/data\.yaml$/, ''), offset, Math.min(count, 1248 - offset)),
      ),
    sample: () => Promise.resolve('/home/lin/.local/share/yolo-preflight/sample/data.yaml'),

    async preflight(plan) {
      await wait(350 * pace);
      return preflight(plan);
    },
    estimate: (plan) => Promise.resolve(estimate(plan)),

    environments: () => Promise.resolve([environment]),
    environmentOffer: () =>
      Promise.resolve({
        build: { cuda: 'cu128' },
        download: 3.1e9,
        disk: 7.2e9,
        folder: '/home/lin/.local/share/yolo-preflight/environment',
      }),
    async createEnvironment(_build, onprogress, signal) {
      const total = 3.1e9;
      onprogress({ step: 'fetching_installer' });
      await wait(500 * pace, signal);
      onprogress({ step: 'python', version: '3.12' });
      await wait(500 * pace, signal);
      onprogress({ step: 'resolving' });
      await wait(500 * pace, signal);
      for (let done = 0; done <= total; done += total / 40) {
        onprogress({ step: 'installing', done, total, line: 'Downloading torch (846.2MiB)' });
        await wait(120 * pace, signal);
      }
      onprogress({ step: 'verifying' });
      await wait(800 * pace, signal);
      environment = { state: 'ready', environment: world.environment };
      return world.environment;
    },
    removeEnvironment: () => {
      environment = { state: 'missing' };
      return Promise.resolve(7.2e9);
    },

    startRun: (plan) => {
      const id = `run-${String(Date.now())}`;
      runs.unshift(started(id, structuredClone(plan)));
      return Promise.resolve(id);
    },
    runs: () => Promise.resolve(structuredClone(runs)),
    run: (id) => Promise.resolve().then(() => structuredClone(find(id))),
    followRun(id, onprogress) {
      const run = find(id);
      onprogress(run.progress);
      const timer = setInterval(() => {
        run.progress = advance(run.progress);
        onprogress(run.progress);
      }, 1000 * pace);
      return () => {
        clearInterval(timer);
      };
    },
    cancelRun: (id) => {
      const run = find(id);
      run.progress = { ...run.progress, state: 'cancelled', cancelling: 'user', ended_ms: Date.now() };
      return Promise.resolve();
    },
    runReport: (id) => Promise.resolve(preflight(find(id).record.plan)),
    runImages: (id) =>
      Promise.resolve(
        find(id).progress.state === 'succeeded'
          ? world
              .previews('/', 3, 6)
              .map(({ url }, index) => ({ name: `val_batch${String(index)}_pred.jpg`, url }))
          : [],
      ),
    logPage: (_id, first, count) =>
      Promise.resolve({ total: log.length, first, lines: log.slice(first, first + count) }),
    searchLog: (_id, text, limit) =>
      Promise.resolve(
        log
          .flatMap((line, n) => (line.toLowerCase().includes(text.toLowerCase()) ? [n] : []))
          .slice(0, limit),
      ),

    pick: (what) =>
      Promise.resolve(what === 'weights' ? '/home/lin/models/mine.pt' : '/home/lin/data/plates/data.yaml'),
    pickSave: (name) => Promise.resolve(`/home/lin/${name}`),
    open: () => Promise.resolve(),
    openUrl: (url) => {
      window.open(url);
      return Promise.resolve();
    },
    copy: (text) => navigator.clipboard.writeText(text),
    ondrop: () => () => undefined,
  };
}
