/** Results of the fake: pictures, trials, exports. */
import { Failure, type Backend } from '@/backend/backend';
import type { Export, FoundBox, PictureKind, PictureView, RunView } from '@/backend/bindings';
import { marks, NAMES } from './world';

const PICTURES: [PictureKind, number | null, string][] = [
  ['predictions', 0, 'val_batch0_pred.jpg'],
  ['predictions', 1, 'val_batch1_pred.jpg'],
  ['truth', 0, 'val_batch0_labels.jpg'],
  ['truth', 1, 'val_batch1_labels.jpg'],
  ['confusion_shares', null, 'confusion_matrix_normalized.png'],
  ['confusion', null, 'confusion_matrix.png'],
  ['precision_recall', null, 'BoxPR_curve.png'],
  ['f1', null, 'BoxF1_curve.png'],
  ['precision', null, 'BoxP_curve.png'],
  ['recall', null, 'BoxR_curve.png'],
  ['course', null, 'results.png'],
  ['labels', null, 'labels.jpg'],
  ['training_batch', 0, 'train_batch0.jpg'],
  ['training_batch', 1, 'train_batch1.jpg'],
];

/** What the model finds in the n-th image: its boxes, some doubled and unsure. */
function found(n: number): FoundBox[] {
  const sure = marks(n + 1).map(({ class: id, x, y, w, h }, index) => ({
    class: id,
    confidence: 0.94 - index * 0.07,
    left: ((x ?? 0) - (w ?? 0) / 2) * 640 - 2,
    top: ((y ?? 0) - (h ?? 0) / 2) * 480 + 1,
    right: ((x ?? 0) + (w ?? 0) / 2) * 640 + 1,
    bottom: ((y ?? 0) + (h ?? 0) / 2) * 480 + 3,
  }));
  const unsure = sure.map((box, index) => ({
    ...box,
    class: (box.class + 1) % NAMES.length,
    confidence: 0.19 - index * 0.04,
    left: box.left - 14,
    bottom: box.bottom + 17,
  }));
  return [...sure, ...unsure].filter(({ confidence }) => confidence > 0.01);
}

type Part = Pick<
  Backend,
  | 'runResults'
  | 'pickTrialImages'
  | 'tryModel'
  | 'keepPasted'
  | 'closeTrial'
  | 'exportNeeds'
  | 'addExportPackages'
  | 'exportModel'
  | 'saveExport'
>;

/** The part of the fake that is about what comes out of runs. */
export function createResults(
  find: (id: string) => RunView,
  bare: boolean,
  pace: number,
  wait: (ms: number, signal?: AbortSignal, code?: string) => Promise<void>,
): Part {
  const exports: Record<string, Export> = {};
  let packages = bare ? ['onnx', 'onnxslim', 'onnxruntime'] : ['onnx', 'onnxruntime'];
  let loaded = '';
  let closed = 0;
  return {
    runResults: (id) =>
      Promise.resolve().then(() => {
        const { folder, progress } = find(id);
        const finished = progress.state === 'succeeded';
        const image = (n: number) => `i${String(n * 3 + 1)}`;
        const pictures = PICTURES.map(([kind, number, name], n): PictureView => ({
          kind,
          number,
          name,
          image: image(n),
        }));
        const weights = (['best', 'last'] as const).map((kind) => ({
          kind,
          path: `${folder}/output/weights/${kind}.pt`,
          bytes: finished ? 6_246_002 : 18_710_112,
        }));
        return {
          folder: `${folder}/output`,
          weights: progress.history.length > 0 ? weights : [],
          pictures: finished ? pictures : [],
          export: exports[id] ?? null,
        };
      }),

    pickTrialImages: () =>
      Promise.resolve(['/home/lin/新图/plate 1.jpg', '/home/lin/新图/plate 2.jpg', '/home/lin/x.txt']),
    async tryModel(id, paths, onupdate) {
      const mine = ++closed;
      const folder = paths.some((path) => !/\.\w+$/.test(path));
      const images = folder ? Array.from({ length: 50 }, (_, n) => `/f/plate_${String(n)}.jpg`) : paths;
      onupdate({ kind: 'begun', images: images.length, total: folder ? 230 : images.length });
      if (loaded !== id) await wait(1500 * pace);
      loaded = id;
      for (const [n, path] of images.entries()) {
        await wait(120 * pace);
        if (mine !== closed) throw new Failure({ code: 'results.cancelled', args: {}, causes: [] });
        const name = path.includes('pasted') ? '' : (path.split('/').at(-1) ?? '');
        if (path.endsWith('.txt')) {
          const problem = { code: 'image.unreadable', args: { path }, causes: ['ValueError: not an image'] };
          onupdate({ kind: 'unreadable', name, problem });
          continue;
        }
        onupdate({
          kind: 'predicted',
          image: `i${String(n + 3)}`,
          name,
          prediction: {
            width: 640,
            height: 480,
            boxes: found(n + 2),
            inference_s: 0.0187,
            total_s: 0.0312,
            names: [...NAMES],
            device: 'cpu',
            on_processor: 'card_trains',
          },
        });
      }
    },
    keepPasted: () => Promise.resolve('/home/lin/.local/share/yolo-preflight/pasted/1.png'),
    closeTrial: () => {
      closed += 1;
      loaded = '';
      return Promise.resolve();
    },

    async exportNeeds(id) {
      await wait(200 * pace);
      const { managed, python } = find(id).record.environment;
      return { packages, managed, download: 45e6, disk: 120e6, python };
    },
    async addExportPackages(onprogress, signal) {
      onprogress({ step: 'resolving' });
      await wait(500 * pace, signal, 'environment.cancelled');
      for (let done = 0; done <= 45e6; done += 9e6) {
        onprogress({ step: 'installing', done, total: 45e6, line: 'Downloading onnxruntime (18.2MiB)' });
        await wait(250 * pace, signal, 'environment.cancelled');
      }
      packages = [];
    },
    async exportModel(id, onprogress, signal) {
      onprogress({ step: 'loading' });
      await wait(900 * pace, signal, 'results.cancelled');
      onprogress({ step: 'converting' });
      await wait(1200 * pace, signal, 'results.cancelled');
      for (let done = 0; done <= 16; done += 1) {
        onprogress({ step: 'comparing', done, total: 16 });
        await wait(90 * pace, signal, 'results.cancelled');
      }
      const made: Export = {
        path: `${find(id).folder}/export/best.onnx`,
        bytes: 12_272_640,
        made_ms: Date.now(),
        imgsz: 640,
        agreement: {
          agrees: true,
          images: 16,
          boxes: 58,
          from_confidence: 0.25,
          unmatched: 0,
          confidence_difference: 9.5e-7,
          overlap: 0.99999,
          confidence_tolerance: 0.01,
          overlap_tolerance: 0.95,
        },
      };
      exports[id] = made;
      return made;
    },
    saveExport: () => Promise.resolve('/home/lin/plates.onnx'),
  };
}
