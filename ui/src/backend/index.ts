import type { Backend } from './backend';
import { createFake } from './fake';
import { tauri } from './tauri';

export * from './backend';
export type * from './bindings';

function choose(): Backend {
  if ('__TAURI_INTERNALS__' in window) return tauri;
  // A plain browser or a test: what it shows is said in the address, `?world=bare`.
  return createFake(new URLSearchParams(location.search).get('world') === 'bare' ? 'bare' : 'usual');
}

/** What the window talks to. */
export const backend: Backend = choose();
