/** Just enough of the engine's judgement to see every state of the window. */
import type {
  EnvironmentState,
  Estimate,
  Finding,
  Link,
  LinkState,
  Plan,
  Preflight,
  Severity,
  Stage,
  Verdict,
  Zone,
} from '@/backend/bindings';
import { accountFindings } from './accounts';
import { computer, dataset, environment, gpus, models, STAGES } from './world';

function card(plan: Plan) {
  const device = plan.target.kind === 'this-computer' ? plan.target.device : 'auto';
  if (device === 'cpu') return undefined;
  if (device === 'auto') return gpus.cards[1];
  return gpus.cards[Number(device.slice(4))];
}

export function estimate(plan: Plan): Estimate {
  const { batch, imgsz } = plan.training;
  const model = models.find(({ name }) => name === plan.model.name) ?? {
    gflops: 8.7,
    parameters_millions: 3.2,
  };
  const activations = batch * (imgsz / 640) ** 2 * (model.gflops ?? 0) * 3.1e7;
  const fixed = 520 * 1024 ** 2;
  const weights = (model.parameters_millions ?? 0) * 20e6;
  const validation = activations * 0.3;
  const slack = (activations + validation) * 0.12;
  const expected = Math.round(activations + fixed + weights + validation + slack);
  const gpu = card(plan);
  const memory = gpu && 'known' in gpu.memory ? gpu.memory.known : undefined;
  const supply = gpu ? (memory?.free ?? null) : computer.memory_available;
  const capacity = gpu ? (memory?.total ?? null) : computer.memory_total;
  const need = { low: Math.round(expected * 0.88), expected, high: Math.round(expected * 1.15) };
  const zone: Zone | null =
    supply === null
      ? null
      : supply >= need.high
        ? 'fits'
        : supply >= expected
          ? 'tight'
          : supply >= need.low
            ? 'unlikely'
            : 'impossible';
  const perImage = (activations + validation + slack) / batch;
  const largest =
    supply === null ? null : Math.max(0, Math.floor((supply / 1.15 - fixed - weights) / perImage));
  const part = (id: string, bytes: number) => ({
    name: { id: `memory-part-${id}`, args: {} },
    bytes: Math.round(bytes),
  });
  return {
    need,
    parts: [
      part('activations', activations),
      part('context', fixed),
      part('gradients', validation),
      part('weights', weights),
      part('workspace', slack),
    ].sort((a, b) => b.bytes - a.bytes),
    supply,
    capacity,
    zone,
    largest_batch: largest,
    // As many images as the fake dataset has to learn from.
    useful_batch: largest === null ? null : Math.min(largest, 1248),
  };
}

function finding(stage: Stage, what: string, severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    stage,
    code: `${stage}.${what}`,
    severity,
    certainty: 'certain',
    verb: severity === 'blocker' ? 'change' : null,
    args: {},
    evidence: [],
    remedies: [],
    ...more,
  };
}

function value(name: string, seen: string) {
  return { kind: 'value' as const, name: { id: name, args: {} }, value: seen };
}

function memory(plan: Plan): Finding {
  const { zone, need, supply, largest_batch } = estimate(plan);
  const args = { expected: need.expected, low: need.low, high: need.high, supply: supply ?? 0 };
  if (zone === 'fits') return finding('memory', 'fits', 'ok', { args });
  if (zone === 'tight') return finding('memory', 'tight', 'warning', { args });
  return finding('memory', zone === 'unlikely' ? 'cuda-oom-likely' : 'cuda-oom-foreseen', 'blocker', {
    args,
    certainty: zone === 'unlikely' ? 'predicted' : 'certain',
    evidence: [value('fact-gpu-memory-free', `${String(Math.round((supply ?? 0) / 1024 ** 2))} MiB`)],
    remedies: [
      {
        id: 'smaller-batch',
        applicability: 'one-click',
        action: { kind: 'change_plan', change: { set: 'batch', to: largest_batch ?? 1 } },
        args: { batch: largest_batch ?? 1 },
      },
    ],
  });
}

function firstWeights({ model }: Plan, here: Set<string>): Finding[] {
  if (model.weights !== 'pretrained') return [];
  if (here.has(model.name)) return [finding('image', 'weights-ready', 'ok', { args: { bytes: 6.5e6 } })];
  const bytes = (models.find(({ name }) => name === model.name)?.parameters_millions ?? 3) * 2e6;
  return [
    finding('image', 'weights-not-here', 'blocker', {
      args: { model: model.name, path: `/home/lin/.local/share/yolo-preflight/weights/${model.name}.pt` },
      remedies: [
        {
          id: 'fetch-weights',
          applicability: 'one-click',
          action: { kind: 'fetch_weights', model: model.name, again: false },
          args: { model: model.name, bytes },
        },
        { id: 'choose-weights', applicability: 'needs-choice', action: { kind: 'choose_weights' }, args: {} },
        {
          id: 'from-scratch',
          applicability: 'one-click',
          action: { kind: 'change_plan', change: { set: 'from_scratch' } },
          args: {},
        },
      ],
    }),
  ];
}

export function preflight(
  plan: Plan,
  accepted: string[],
  state: EnvironmentState,
  here: Set<string>,
): Preflight {
  const data = plan.dataset
    ? dataset(plan.dataset).findings
    : [
        finding('data', 'not-chosen', 'blocker', {
          remedies: [
            {
              id: 'choose-dataset',
              applicability: 'needs-choice',
              action: { kind: 'choose_dataset' },
              args: {},
            },
          ],
        }),
      ];
  if (!data.some(({ severity }) => severity === 'blocker')) {
    data.push(finding('data', 'read', 'ok', { args: { train: 1248, val: 312, classes: 4 } }));
  }
  const gpu = card(plan);
  const elsewhere = plan.target.kind === 'platform';
  const ofAccount = accountFindings(plan);
  const findings = elsewhere
    ? [...ofAccount, ...firstWeights(plan, here), ...data]
    : [
        gpu
          ? finding('gpu_pool', 'free', 'ok', {
              args: { name: gpu.name.known ?? '', free: gpu.memory.known?.free ?? 0 },
              evidence: [value('fact-gpu', gpu.name.known ?? '')],
            })
          : finding('gpu_pool', 'processor-quick', 'note', { args: { low: 540, high: 900 } }),
        finding('driver', 'works', 'ok', {
          args: { driver: '570.124.06' },
          evidence: [value('fact-driver-version', '570.124.06')],
        }),
        state.state === 'ready'
          ? finding('image', 'ready', 'ok', {
              args: { ultralytics: '8.4.190', torch: environment.torch, python: '3.12.11' },
              evidence: [value('fact-torch', environment.torch)],
            })
          : finding('image', 'missing', 'blocker', {
              evidence: [{ kind: 'file', path: environment.python, line: null, text: null }],
              remedies: [
                {
                  id: 'create-environment',
                  applicability: 'one-click',
                  action: { kind: 'create_environment' },
                  args: {},
                },
              ],
            }),
        ...firstWeights(plan, here),
        ...data,
        memory(plan),
        finding('start', 'ready', 'ok', {
          args: { free: 182e9 },
          evidence: [value('fact-disk-free', '182.4 GiB')],
        }),
      ];
  const rank: Severity[] = ['ok', 'note', 'warning', 'unknown', 'blocker'];
  const links = STAGES.map((stage): Link => {
    const isAccount = stage === 'auth' || stage === 'quota';
    const isHere = ['gpu_pool', 'driver', 'image', 'memory'].includes(stage);
    if (elsewhere ? isHere : isAccount) return { stage, state: 'not_needed' };
    const worst = Math.max(...findings.filter((f) => f.stage === stage).map((f) => rank.indexOf(f.severity)));
    const states: LinkState[] = ['ok', 'ok', 'warning', 'unknown', 'blocker'];
    return { stage, state: states[worst] ?? 'pending' };
  });
  const open = findings.filter(({ severity, code }) => severity === 'blocker' && !accepted.includes(code));
  const verdict: Verdict = open.some(({ certainty }) => certainty === 'certain')
    ? 'blocked'
    : open.length > 0
      ? 'ask_first'
      : 'clear';
  return { report: { at_ms: Date.now(), links, findings }, verdict };
}
