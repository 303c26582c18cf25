import { describe, expect, it } from 'vitest';
import type { Finding, Link, RunDiagnosis } from '@/backend';
import { STAGES } from '@/features/chain/links';
import { around, marked } from './places';

const states = [
  'not_needed',
  'not_needed',
  'ok',
  'ok',
  'warning',
  'blocker',
  'pending',
  'pending',
  'pending',
  'pending',
];
const links = STAGES.map((stage, index) => ({ stage, state: states[index] })) as Link[];
const finding = { stage: 'data', evidence: [] } as unknown as Finding;

describe('a diagnosis', () => {
  it('tells what held before the broken link and what never ran after it', () => {
    const said = { finding, report: { links, findings: [finding], at_ms: 0 } } as unknown as RunDiagnosis;
    expect(around(said, true).never).toEqual(['results']);
    expect(around(said, false)).toEqual({
      broken: 'data',
      passed: ['gpu_pool', 'driver', 'image'],
      never: ['memory', 'start', 'train', 'results'],
    });
  });

  it('marks the lines of the log that prove it', () => {
    const evidence: Finding['evidence'] = [
      { kind: 'log', line: 12, text: 'a\nb\n' },
      { kind: 'value', name: { id: 'fact-known-exit-code', args: {} }, value: '1' },
      { kind: 'log', line: 3, text: 'c' },
    ];
    expect(marked({ ...finding, evidence })).toEqual([
      { first: 2, count: 1 },
      { first: 11, count: 2 },
    ]);
  });
});
