/** What a diagnosis says of a run's chain and of its log. */
import type { Finding, RunDiagnosis, Stage } from '@/backend';
import { STAGES } from '@/features/chain/links';

export type Around = {
  /** The link that is broken. */
  broken: Stage;
  /** What held before it. */
  passed: Stage[];
  /** What never ran after it. */
  never: Stage[];
};

/** `trained`: epochs were finished before it failed. */
export function around({ finding, report }: RunDiagnosis, trained: boolean): Around {
  const at = STAGES.indexOf(finding.stage);
  const reached = trained ? STAGES.indexOf('train') : -1;
  const state = (stage: Stage) => report.links.find((link) => link.stage === stage)?.state;
  const needed = STAGES.filter((stage) => state(stage) !== 'not_needed');
  return {
    broken: finding.stage,
    passed: needed.filter((stage) => STAGES.indexOf(stage) < at && state(stage) !== 'pending'),
    never: needed.filter(
      (stage) => STAGES.indexOf(stage) > Math.max(at, reached) && state(stage) === 'pending',
    ),
  };
}

/** A piece of a log: its first line, counted from 0, and how many there are. */
export type Marked = { first: number; count: number };

/** The lines of the log that prove it, first ones first. */
export function marked({ evidence }: Finding): Marked[] {
  return evidence
    .flatMap((seen) =>
      seen.kind === 'log'
        ? [{ first: seen.line - 1, count: Math.max(1, seen.text.trimEnd().split('\n').length) }]
        : [],
    )
    .sort((a, b) => a.first - b.first);
}
