import type { App } from '../app.ts';
import { once, precompress, sendPrecompressed } from '../precompressed.ts';
import { registerReference } from './reference.ts';
import { noteRoutes } from './routes.ts';

export const DESCRIPTION_PATH = '/api/openapi.json';
/** Clients ask again at each use, and get 304 until the next version. */
const REVALIDATE = 'public, no-cache';

/**
 * Describes every route that is not hidden at `/api/openapi.json`, and shows it at `/api/docs`. To be registered before
 * the routes. The document is made once, when it is first asked for: no caller can have it made again.
 */
export function registerApiDescription(app: App, options: { version: string; publicUrl: string }): void {
  const routes = noteRoutes(app);
  const described = once(async () => {
    // Loaded with the first request: most processes are never asked.
    const { describeApi } = await import('./document.ts');
    return precompress(JSON.stringify(describeApi(routes, options)), 'application/json; charset=utf-8');
  });
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, async (request, reply) =>
    sendPrecompressed(request, reply, await described(), REVALIDATE),
  );
  registerReference(app);
}
