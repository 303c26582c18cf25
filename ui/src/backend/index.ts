import type { Backend } from './backend';
import { tauri } from './tauri';

export * from './backend';
export type * from './bindings';

async function choose(): Promise<Backend> {
  if ('__TAURI_INTERNALS__' in window) return tauri;
  // Only where it is needed: it is no part of the app.
  const { createFake } = await import('./fake');
  // A plain browser or a test: what it shows is said in the address, `?world=bare`.
  return createFake(new URLSearchParams(location.search).get('world') === 'bare' ? 'bare' : 'usual');
}

/** What the window talks to. */
export const backend: Backend = await choose();
