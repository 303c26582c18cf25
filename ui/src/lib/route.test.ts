import { expect, test } from 'vitest';
import { STEPS, href, parse, type Route } from './route';

test('every address leads back to its page', () => {
  const routes: Route[] = [
    ...STEPS.map((step): Route => ({ page: 'new', step })),
    { page: 'runs' },
    { page: 'run', id: '20260730-101502-安全 帽' },
    { page: 'settings' },
  ];
  for (const route of routes) expect(parse(href(route))).toEqual(route);
});

test('an unknown address is the wizard', () => {
  for (const hash of ['', '#', '#/', '#/nowhere', '#/new/nowhere']) {
    expect(parse(hash)).toEqual({ page: 'new', step: 'dataset' });
  }
  expect(parse('#/runs/%E0%A4%A')).toEqual({ page: 'runs' });
});
