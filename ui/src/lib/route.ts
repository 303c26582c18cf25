/** The pages of the window, as addresses after `#`. */

export const STEPS = ['dataset', 'model', 'where', 'batch', 'account', 'review'] as const;
export type Step = (typeof STEPS)[number];

export type Route =
  | { page: 'new'; step: Step }
  | { page: 'runs' }
  | { page: 'run'; id: string }
  | { page: 'gpu' }
  | { page: 'settings' };

/** The address of a page. */
export function href(route: Route): string {
  switch (route.page) {
    case 'new':
      return `#/new/${route.step}`;
    case 'run':
      return `#/runs/${encodeURIComponent(route.id)}`;
    default:
      return `#/${route.page}`;
  }
}

/** The page of an address; the wizard's first step for an unknown one. */
export function parse(hash: string): Route {
  const [page, rest] = hash.replace(/^#?\/?/, '').split('/', 2);
  if (page === 'settings' || page === 'gpu') return { page };
  if (page === 'runs') {
    if (!rest) return { page };
    try {
      return { page: 'run', id: decodeURIComponent(rest) };
    } catch {
      return { page };
    }
  }
  const step = STEPS.find((name) => name === rest);
  return { page: 'new', step: step ?? 'dataset' };
}
