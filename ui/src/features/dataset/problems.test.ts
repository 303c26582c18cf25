import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '@/backend';
import { groups, isOfImage, mending, places } from './problems';

function finding(code: string, severity: Severity): Finding {
  return {
    stage: 'data',
    code,
    severity,
    certainty: 'certain',
    verb: null,
    args: {},
    evidence: [
      { kind: 'value', name: { id: 'fact-boxes', args: {} }, value: '3' },
      { kind: 'file', path: '/data/labels/a.txt', line: 2, text: '9 .5 .5 .1 .1' },
    ],
    remedies: [],
  };
}

describe('what was found', () => {
  it('is read from the worst to the least, without what is fine', () => {
    const found = [
      finding('data.read', 'ok'),
      finding('data.crowded', 'note'),
      finding('data.no-val', 'blocker'),
      finding('data.box-sliver', 'warning'),
      finding('data.label-negative', 'blocker'),
    ];
    expect(groups(found).map(({ severity, findings }) => [severity, findings.length])).toEqual([
      ['blocker', 2],
      ['warning', 1],
      ['note', 1],
    ]);
  });

  it('is mended by what can mend it', () => {
    expect(mending(finding('data.label-decimal-comma', 'blocker'))).toBe('labels');
    expect(mending(finding('data.no-val', 'blocker'))).toBe('split');
    expect(mending(finding('data.boxes-small', 'warning'))).toBe('tiles');
    expect(mending(finding('data.class-out-of-range', 'blocker'))).toBeUndefined();
  });

  it('names files', () => {
    expect(places(finding('data.no-val', 'blocker'))).toEqual([
      { path: '/data/labels/a.txt', line: 2, text: '9 .5 .5 .1 .1' },
    ]);
    expect(['a.JPG', 'b.txt', 'data.yaml', 'images'].map(isOfImage)).toEqual([true, true, false, false]);
  });
});
