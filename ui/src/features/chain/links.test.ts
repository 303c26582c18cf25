import { describe, expect, test } from 'vitest';
import type { Finding, Report } from '@/backend';
import { STAGES, linkViews, worst } from './links';

function finding(stage: Finding['stage'], severity: Finding['severity']): Finding {
  return {
    stage,
    code: `${stage}.x`,
    severity,
    certainty: 'certain',
    verb: null,
    args: {},
    evidence: [],
    remedies: [],
  };
}

const report: Report = {
  at_ms: 1,
  links: STAGES.map((stage) => ({
    stage,
    state:
      stage === 'auth' || stage === 'quota'
        ? 'not_needed'
        : stage === 'data'
          ? 'blocker'
          : stage === 'memory'
            ? 'warning'
            : stage === 'train' || stage === 'results'
              ? 'pending'
              : 'ok',
  })),
  findings: [finding('data', 'blocker'), finding('data', 'note'), finding('memory', 'warning')],
};

describe('the chain', () => {
  test('before the first report, what will be looked at is active and the rest is to come', () => {
    expect(linkViews(undefined, true).map(({ state }) => state)).toEqual([
      ...Array.from({ length: 8 }, () => 'active'),
      'pending',
      'pending',
    ]);
    expect(linkViews(undefined, false).every(({ state }) => state === 'pending')).toBe(true);
  });

  test('each link has its state and its findings', () => {
    const data = linkViews(report, false).find(({ stage }) => stage === 'data');
    expect(data?.state).toBe('blocker');
    expect(data?.findings.map(({ severity }) => severity)).toEqual(['blocker', 'note']);
  });

  test('looking again leaves alone what is not looked at', () => {
    const states = Object.fromEntries(linkViews(report, true).map(({ stage, state }) => [stage, state]));
    expect(states).toMatchObject({ auth: 'not_needed', data: 'active', memory: 'active', train: 'pending' });
  });

  test('the link to look at first is the broken one', () => {
    expect(worst(linkViews(report, false))?.stage).toBe('data');
    expect(worst(linkViews(undefined, true))).toBeUndefined();
  });
});
