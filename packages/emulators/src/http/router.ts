/**
 * Method and path of a route. A segment with a colon is a parameter, as in `/repos/:owner/:repo`.
 */
export interface RoutePattern {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
}

interface Compiled<R> {
  route: R;
  segments: string[];
}

/** Finds the first route with a matching method and path. */
export class Router<R extends RoutePattern> {
  readonly #compiled: Compiled<R>[];

  constructor(routes: readonly R[]) {
    this.#compiled = routes.map((route) => ({ route, segments: route.path.split('/').slice(1) }));
  }

  /**
   * Returns the first matching route and the values of its parameters. Null if no route matches.
   * `segments` are the decoded segments of the path.
   */
  find(method: string, segments: readonly string[]): { route: R; params: Record<string, string> } | null {
    for (const { route, segments: wanted } of this.#compiled) {
      if (route.method !== method || wanted.length !== segments.length) continue;
      const params = match(wanted, segments);
      if (params) return { route, params };
    }
    return null;
  }
}

function match(wanted: string[], segments: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, name] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = segment;
    else if (name !== segment) return null;
  }
  return params;
}
