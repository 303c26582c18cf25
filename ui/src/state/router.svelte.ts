import { href, parse, type Route } from '@/lib/route';

/** Where in the window a person is. */
class Router {
  #route = $state.raw<Route>(parse(location.hash));

  constructor() {
    window.addEventListener('hashchange', () => {
      this.#route = parse(location.hash);
    });
  }

  get route(): Route {
    return this.#route;
  }

  go(route: Route): void {
    location.hash = href(route);
  }
}

export const router = new Router();
