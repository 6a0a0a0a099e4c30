import type { FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { methodNotAllowed } from '../errors.ts';
import type { App } from './app.ts';

export interface AllowedMethods {
  /**
   * Allows GET and HEAD on paths for which `isServed` returns true. Use it for paths that are
   * served without a registered route.
   */
  addReads(isServed: (path: string) => boolean): void;
  /**
   * Responds to a method that the path does not support. OPTIONS gets 204, other methods get 405,
   * both with the header `Allow`. Returns false, without a response, if the path supports no method
   * at all.
   */
  refuse(request: FastifyRequest, reply: FastifyReply): boolean;
}

/**
 * Records every route that is registered afterwards. Ignores a wildcard at the root: pass the paths
 * that it serves to `addReads`.
 */
export function noteAllowedMethods(
  app: App,
  router: { ignoreTrailingSlash: boolean; maxParamLength: number },
): AllowedMethods {
  const known = findMyWay({ ...router, onBadUrl: () => undefined });
  const methods = new Set<HTTPMethod>();
  const reads: ((path: string) => boolean)[] = [];

  app.addHook('onRoute', ({ method, url: path }) => {
    for (const one of [method].flat() as HTTPMethod[]) {
      if (path === '/*' || path === '*' || known.hasRoute(one, path)) continue;
      methods.add(one);
      known.on(one, path, () => undefined);
    }
  });

  function methodsOf(path: string): Set<string> {
    const found = new Set<string>([...methods].filter((method) => known.find(method, path) !== null));
    if (reads.some((isServed) => isServed(path))) found.add('GET').add('HEAD');
    return found;
  }

  return {
    addReads(isServed) {
      reads.push(isServed);
    },
    refuse(request, reply) {
      const found = methodsOf(request.url.split('?', 1)[0] ?? '/');
      if (found.size === 0 || found.has(request.method)) return false;
      reply.header('allow', [...found.add('OPTIONS')].sort().join(', '));
      if (request.method !== 'OPTIONS') throw methodNotAllowed(request.method);
      reply.code(204).send();
      return true;
    },
  };
}
