import type { Backend } from './backend';
import { createFake } from './fake';

export * from './backend';
export type * from './data';

/** What the window talks to. */
export const backend: Backend = createFake(
  new URLSearchParams(location.search).get('world') === 'bare' ? 'bare' : 'usual',
);
