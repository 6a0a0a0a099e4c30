import type { FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { methodNotAllowed } from '../errors.ts';
import type { App } from './app.ts';

export interface AllowedMethods {
  /** Records a path that is served without a route, such as a page that the client renders. */
  add(method: HTTPMethod, path: string): void;
  /**
   * Responds to an unsupported method on a path that has other methods: 204 to OPTIONS, else 405,
   * both with `Allow`. Returns false if the path has no methods.
   */
  refuse(request: FastifyRequest, reply: FastifyReply): boolean;
}

/** Records every route registered afterwards. A wildcard at the root does not count as a path. */
export function noteAllowedMethods(
  app: App,
  router: { ignoreTrailingSlash: boolean; maxParamLength: number },
): AllowedMethods {
  const known = findMyWay({ ...router, onBadUrl: () => undefined });
  const methods = new Set<HTTPMethod>();

  function add(method: HTTPMethod, path: string): void {
    if (path === '/*' || path === '*' || known.hasRoute(method, path)) return;
    methods.add(method);
    known.on(method, path, () => undefined);
  }
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) add(one as HTTPMethod, url);
  });

  return {
    add,
    refuse(request, reply) {
      const path = request.url.split('?', 1)[0] ?? '/';
      const found = [...methods].filter((method) => known.find(method, path) !== null);
      if (found.length === 0 || found.includes(request.method as HTTPMethod)) return false;
      reply.header('allow', [...new Set([...found, 'OPTIONS'])].sort().join(', '));
      if (request.method !== 'OPTIONS') throw methodNotAllowed(request.method);
      reply.code(204).send();
      return true;
    },
  };
}
