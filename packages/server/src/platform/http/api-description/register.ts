import type { App } from '../app.ts';
import { createOnce, precompress, sendPrecompressed } from '../precompressed.ts';
import { registerReference } from './reference.ts';
import { noteRoutes } from './routes.ts';

export const DESCRIPTION_PATH = '/api/openapi.json';
/** Clients revalidate at each use and get 304 until the next version. */
const REVALIDATE = 'public, no-cache';

/**
 * Serves the description of every route that is not hidden at `/api/openapi.json`, and its
 * reference at `/api/docs`. Register this before the routes. The document is created once, at the
 * first request.
 */
export function registerApiDescription(app: App, options: { version: string; publicUrl: string }): void {
  const routes = noteRoutes(app);
  const described = createOnce(async () => {
    // Loaded at the first request, since most processes never get a request for it.
    const { describeApi } = await import('./document.ts');
    return precompress(JSON.stringify(describeApi(routes, options)), 'application/json; charset=utf-8');
  });
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, async (request, reply) =>
    sendPrecompressed(request, reply, await described(), REVALIDATE),
  );
  registerReference(app);
}
