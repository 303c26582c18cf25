/** The images of the fake datasets: narrowed down, looked at, mended and converted. */
import { Failure, type Backend } from '@/backend/backend';
import type {
  Filter,
  FixPlan,
  GalleryImage,
  HealthView,
  ImageView,
  InspectionProgress,
  LabelBox,
  Mark,
  Matches,
  Profile,
  SplitKind,
} from '@/backend/bindings';
import { dataset, marks, NAMES, sizes } from './world';

type Wait = (ms: number, signal?: AbortSignal, code?: string) => Promise<void>;
type Part = Pick<
  Backend,
  | 'matchingImages'
  | 'datasetImages'
  | 'datasetPicture'
  | 'lookAtOnly'
  | 'examineDataset'
  | 'saveReport'
  | 'watchDataset'
  | 'pickTargetFolder'
  | 'whatIs'
  | 'unpackDataset'
  | 'prepareConversion'
  | 'convertDataset'
  | 'planFix'
  | 'fixDiff'
  | 'writeFix'
  | 'planCopy'
  | 'copyDataset'
>;

const nameOf = (seed: number) => `plate_${String(seed).padStart(6, '0')}.jpg`;
const isFaulty = (seed: number) => seed % 11 === 3;

function splitOf(path: string, seed: number): SplitKind {
  return seed <= sizes(path).train ? 'train' : 'val';
}

/** Which classes are on an image: as `marks` draws them. */
const hasClass = (seed: number, id: number) => (id - seed + seed * 4) % 4 < 1 + (seed % 4);

function passes(path: string, seed: number, filter: Filter): boolean {
  return (
    (filter.split === null || splitOf(path, seed) === filter.split) &&
    (filter.class === null || hasClass(seed, filter.class)) &&
    (filter.finding === null || isFaulty(seed)) &&
    (filter.name.trim() === '' || nameOf(seed).includes(filter.name.trim().toLowerCase()))
  );
}

function image(path: string, seed: number): GalleryImage {
  const root = dataset(path).root;
  const split = splitOf(path, seed);
  return {
    image: `i${String(seed)}`,
    name: nameOf(seed),
    file: `${root}/images/${split}/${nameOf(seed)}`,
    split,
    width: 640,
    height: 480,
    boxes: marks(seed),
    refused: path.includes('安全帽') && isFaulty(seed),
  };
}

function drawn(box: LabelBox, at: number, wrong: boolean): Mark {
  return { ...box, line: at + 1, class: wrong && at === 0 ? 4 : box.class, outline: [], points: [] };
}

function picture(path: string, file: string): ImageView | null {
  const seed = Number(/plate_(\d+)\.(?:jpg|txt)$/.exec(file)?.[1]);
  if (!seed) return null;
  const small = image(path, seed);
  const wrong = small.refused;
  const label = small.file.replace('/images/', '/labels/').replace('.jpg', '.txt');
  return {
    ...small,
    bytes: 148_213 + seed * 17,
    label,
    marks: small.boxes.map((box, at) => drawn(box, at, wrong)),
    findings: wrong
      ? [
          {
            stage: 'data',
            code: 'data.class-out-of-range',
            severity: 'blocker',
            certainty: 'certain',
            verb: 'change',
            args: { count: 1, class: '4', classes: 4, last: 3 },
            evidence: [{ kind: 'file', path: label, line: 1, text: '4 0.512 0.433 0.12 0.08' }],
            remedies: [],
          },
        ]
      : [],
  };
}

function matching(path: string, filter: Filter): { seeds: number[]; matches: Matches } {
  const { train, val } = sizes(path);
  const all = Array.from({ length: train + val }, (_, at) => at + 1);
  const count = (part: Partial<Filter>) =>
    all.reduce((sum, seed) => sum + (passes(path, seed, { ...filter, ...part }) ? 1 : 0), 0);
  const seeds = all.filter((seed) => passes(path, seed, filter));
  const codes = dataset(path).findings.map(({ code }) => code);
  return {
    seeds,
    matches: {
      total: seeds.length,
      all: all.length,
      splits: [
        ['train', count({ split: 'train' })],
        ['val', count({ split: 'val' })],
      ],
      classes: NAMES.map((_, id) => count({ class: id })),
      findings: codes.map((code) => [
        code,
        code.includes('label') || code.includes('range') ? count({ finding: code }) : 0,
      ]),
    },
  };
}

function profile(images: number): Profile {
  const bump = (at: number, middle: number, width: number) => Math.exp(-(((at - middle) / width) ** 2));
  const cells = (x: number, y: number, spread: number) =>
    Array.from({ length: 256 }, (_, at) =>
      Math.round(images * 0.6 * bump(at % 16, x, spread) * bump(Math.floor(at / 16), y, spread)),
    );
  return {
    images,
    class_objects: [2840, 1502, 811, 57].map((count) => Math.round((count * images) / 1248)),
    class_images: [1010, 804, 520, 8].map((count) => Math.round((count * images) / 1248)),
    objects_per_image: [43, 310, 512, 298, 72, 13].map((count) => Math.round((count * images) / 1248)),
    most_objects: 31,
    box_sizes: cells(11, 10, 2.6),
    box_places: cells(7.5, 8, 4.5),
    image_sizes: [
      { width: 1920, height: 1080, images: Math.round(images * 0.72) },
      { width: 1280, height: 720, images: Math.round(images * 0.2) },
      { width: 640, height: 480, images: Math.round(images * 0.08) },
    ],
  };
}

function report(path: string, imgsz: number): HealthView {
  const { train, val } = sizes(path);
  const root = dataset(path).root;
  const base = { stage: 'data' as const, certainty: 'certain' as const, verb: null };
  const twin = (at: number) => ({
    kind: 'file' as const,
    path: `${root}/images/val/${nameOf(train + at)}`,
    line: null,
    text: `= ${root}/images/train/${nameOf(at * 3)}`,
  });
  return {
    imgsz,
    profiles: [
      ['train', profile(train)],
      ['val', profile(val)],
    ],
    findings: [
      {
        ...base,
        code: 'data.boxes-small',
        severity: 'warning',
        args: { percent: 18, imgsz, keeps: 1280 },
        evidence: [{ kind: 'file', path, line: null, text: null }],
        remedies: [
          {
            id: 'larger-imgsz',
            applicability: 'one-click',
            action: { kind: 'change_plan', change: { set: 'imgsz', to: 1280 } },
            args: { imgsz: 1280 },
          },
        ],
      },
      {
        ...base,
        code: 'data.leak-near',
        severity: 'warning',
        args: { count: 14 },
        evidence: [1, 2, 3, 4, 5].map(twin),
        remedies: [],
      },
      {
        ...base,
        code: 'data.class-rare',
        severity: 'warning',
        args: { count: 1, names: 'stain', images: 10 },
        evidence: [{ kind: 'file', path, line: null, text: null }],
        remedies: [],
      },
    ],
    alike: 23,
    few: 4,
    recommended: 1500,
    fingerprint: '9f1c7ae2d54b0836a1f0c2be77d94e15',
    bytes: 412e6,
    took_ms: 8_400,
  };
}

const fixed = (path: string): FixPlan => {
  const root = dataset(path).root;
  return {
    files: path.includes('安全帽') ? 212 : 3,
    rows: [['commas', 498]],
    left_out: [`${root}/images/train/${nameOf(77)}`],
    left_out_count: 1,
    to_val: path.includes('安全帽') ? 250 : 0,
    cut: 0,
    tiles: 0,
    images: 1247,
    diff: Array.from({ length: 12 }, (_, at) => ({
      label: `${root}/labels/train/plate_${String(22 + at * 11).padStart(6, '0')}.txt`,
      rows: [
        { line: 1, before: '0 0,512 0,433 0,12 0,08', after: '0 0.512 0.433 0.12 0.08', why: 'commas' },
        ...(at % 3 === 0 ? [{ line: 4, before: '2 1.4 0.5 0.1 0.1', after: null, why: 'empty' }] : []),
      ],
      more: at % 4,
    })),
    to: `${root}-fixed`,
  };
};

export function createDatasets(
  pace: number,
  wait: Wait,
): { backend: Part; health: (path: string) => HealthView | null } {
  const seen: Record<string, HealthView> = {};
  let last: { key: string; seeds: number[]; matches: Matches } | undefined;
  const narrow = (path: string, filter: Filter) => {
    const key = JSON.stringify([path, filter]);
    if (last?.key !== key) last = { key, ...matching(path, filter) };
    return last;
  };

  async function steps(
    total: number,
    onprogress: (progress: InspectionProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (let done = 0; done <= total; done += Math.ceil(total / 12)) {
      onprogress({ done, total });
      await wait(120 * pace, signal, 'dataset.cancelled');
    }
  }

  const backend: Part = {
    matchingImages: (path, filter) => Promise.resolve(narrow(path, filter).matches),
    async datasetImages(path, filter, offset, count) {
      await wait(15 * pace);
      return narrow(path, filter)
        .seeds.slice(offset, offset + count)
        .map((seed) => image(path, seed));
    },
    datasetPicture: (path, file) => Promise.resolve(picture(path, file)),
    lookAtOnly: () => Promise.resolve(),
    async examineDataset(path, imgsz, onprogress, signal) {
      await steps(1560, onprogress, signal);
      const health = report(path, imgsz);
      seen[path] = health;
      return health;
    },
    watchDataset: () => () => undefined,
    saveReport: (_path, form) => Promise.resolve(`/home/lin/dataset-report.${form}`),
    pickTargetFolder: () => Promise.resolve('/home/lin/data'),
    whatIs: (path) =>
      Promise.resolve(
        path.endsWith('.zip')
          ? { kind: 'archive', bytes: 412e6, to: path.replace(/\.zip$/, '') }
          : path.includes('voc')
            ? { kind: 'foreign', form: 'pascal-voc', to: `${path}-yolo` }
            : { kind: 'dataset' },
      ),
    async unpackDataset(_path, folder, onprogress, signal) {
      await steps(3120, onprogress, signal);
      return { folder, findings: [] };
    },
    async prepareConversion(path, _task, onprogress, signal) {
      await steps(364, onprogress, signal);
      return {
        form: 'pascal-voc',
        splits: [
          ['train', 205],
          ['val', 87],
          ['test', 72],
        ],
        objects: 4886,
        names: ['Platelets', 'RBC', 'WBC'],
        unlisted: 4,
        findings: [
          {
            stage: 'data',
            code: 'data.convert-box-clipped',
            severity: 'note',
            certainty: 'certain',
            verb: null,
            args: { count: 3 },
            evidence: [{ kind: 'file', path: `${path}/Annotations/0042.xml`, line: 17, text: 'RBC' }],
            remedies: [],
          },
        ],
      };
    },
    async convertDataset(folder, onprogress, signal) {
      await steps(364, onprogress, signal);
      return `${folder}/data.yaml`;
    },
    async planFix(path, _choice, onprogress, signal) {
      await steps(600, onprogress, signal);
      return fixed(path);
    },
    fixDiff: (offset, count) =>
      Promise.resolve(
        Array.from({ length: count }, (_, at) => ({
          label: `/home/lin/labels/train/plate_${String(1000 + offset + at)}.txt`,
          rows: [{ line: 2, before: '1 0,5 0,5 0,1 0,1', after: '1 0.5 0.5 0.1 0.1', why: 'commas' }],
          more: 0,
        })),
      ),
    async planCopy(_path, onprogress, signal) {
      await steps(1247, onprogress, signal);
      return {
        images: 1247,
        bytes: 3.1e9,
        to: '/home/lin/.local/share/yolo-preflight/datasets/plates',
        free: 212e9,
      };
    },
    async copyDataset(_path, folder, onprogress, signal) {
      await steps(1247, onprogress, signal);
      return `${folder}/data.yaml`;
    },
    async writeFix(folder, onprogress, signal) {
      if (folder.includes('full')) {
        throw new Failure({ code: 'dataset.folder-not-empty', args: { path: folder }, causes: [] });
      }
      await steps(1247, onprogress, signal);
      return `${folder}/data.yaml`;
    },
  };
  return { backend, health: (path) => seen[path] ?? null };
}
