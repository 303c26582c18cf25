/** How a report is shown as a chain. */
import type { Finding, LinkState, Report, Stage } from '@/backend';

export const STAGES: readonly Stage[] = [
  'auth',
  'quota',
  'gpu_pool',
  'driver',
  'image',
  'data',
  'memory',
  'start',
  'train',
  'results',
];

/** What happens only once a training runs; no preflight looks at it. */
const LATER: readonly Stage[] = ['train', 'results'];

export type LinkView = {
  stage: Stage;
  state: LinkState;
  /** Of this link, worst first. */
  findings: Finding[];
};

/** The links to draw. `looking`: a new pass is under way, so what it looks at is shown as such. */
export function linkViews(report: Report | undefined, looking: boolean): LinkView[] {
  return STAGES.map((stage) => {
    const state = report?.links.find((link) => link.stage === stage)?.state;
    const findings = report?.findings.filter((finding) => finding.stage === stage) ?? [];
    if (state === undefined) {
      return { stage, state: looking && !LATER.includes(stage) ? 'active' : 'pending', findings };
    }
    const looked = state !== 'not_needed' && state !== 'pending';
    return { stage, state: looking && looked ? 'active' : state, findings };
  });
}

/** The link a person should look at first: the first broken one, else the first that is not fine. */
export function worst(links: readonly LinkView[]): LinkView | undefined {
  for (const state of ['blocker', 'unknown', 'warning'] as const) {
    const found = links.find((link) => link.state === state);
    if (found) return found;
  }
  return undefined;
}

/** The part of a sentence id that names a stage or a state. */
export function idOf(name: string): string {
  return name.replaceAll('_', '-');
}
