import { describe, expect, test } from 'vitest';
import { bytes, duration, fixed, grouped, percent } from './format';
import {
  LANGUAGES,
  Texts,
  find,
  findingTitle,
  language,
  problemHelp,
  problemTitle,
  speak,
  t,
} from './text.svelte';

describe('numbers read as the engine writes them', () => {
  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [31 * 1024, '31 KiB'],
    [1023.95 * 1024, '1.0 MiB'],
    [512 * 1024 ** 2, '512 MiB'],
    [7.9 * 1024 ** 3, '7.9 GiB'],
    [24 * 1024 ** 3, '24.0 GiB'],
  ])('%d bytes', (n, words) => {
    expect(bytes(n)).toBe(words);
  });

  test.each([
    [0, '0 s'],
    [45, '45 s'],
    [90, '1 min 30 s'],
    [600, '10 min'],
    [754, '12 min'],
    [3600, '1 h'],
    [12_000, '3 h 20 min'],
    [86_400, '1 d'],
    [97_200, '1 d 3 h'],
    [-5, '0 s'],
  ])('%d seconds', (n, words) => {
    expect(duration(n)).toBe(words);
  });

  test('ties go to the even digit', () => {
    expect([0.5, 1.5, 2.5].map((n) => fixed(n, 0))).toEqual(['0', '2', '2']);
    expect(percent(0.625)).toBe('62 %');
    expect(fixed(1.25, 1)).toBe('1.2');
  });

  test('thousands are grouped and no digit is lost', () => {
    expect([7, 1234, 1234567, -1000, 1234.5678].map(grouped)).toEqual([
      '7',
      '1,234',
      '1,234,567',
      '-1,000',
      '1,234.5678',
    ]);
  });
});

describe('sentences', () => {
  test('change with the language, at once', () => {
    speak('en');
    const english = t('nav-settings');
    speak('zh-CN');
    expect(language()).toBe('zh-CN');
    expect(t('nav-settings')).not.toBe(english);
    speak('en');
    expect(t('nav-settings')).toBe(english);
  });

  test('hold no isolation marks, and numbers as the engine writes them', () => {
    const sentence = t('reason-no-answer', { seconds: 12345 });
    expect(sentence).toContain('12,345');
    expect(sentence).not.toMatch(/[\u2066-\u2069]/);
  });

  test('that are not there show their id, or nothing where there need not be one', () => {
    expect(t('no-such-sentence')).toBe('no-such-sentence');
    expect(find('no-such-sentence')).toBeUndefined();
    expect(find('nav-settings.no-such-part')).toBeUndefined();
    expect(problemHelp({ code: 'no.such_problem', args: {}, causes: [] })).toBeUndefined();
    expect(problemTitle({ code: 'no.such_problem', args: {}, causes: [] })).toBe('problem-no-such-problem');
    expect(findingTitle({ code: 'gpu_pool.no-such', args: {} })).toBe('finding-gpu-pool-no-such');
  });

  const sources = import.meta.glob<string>('../**/*.{svelte,ts}', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const used = new Set(
    Object.entries(sources)
      .filter(([path]) => !path.endsWith('.test.ts'))
      .flatMap(([, source]) =>
        [...source.matchAll(/\b(?:t|find)\('([a-z0-9.-]+)'/g)].map((match) => match[1] ?? ''),
      ),
  );

  test.each(LANGUAGES)('that the window names all exist in %s', (tag) => {
    const texts = new Texts(tag);
    expect([...used].filter((id) => texts.find(id) === undefined)).toEqual([]);
  });
});
