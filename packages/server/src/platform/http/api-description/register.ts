import type { App } from '../app.ts';
import { createOnce, precompress, sendPrecompressed } from '../precompressed.ts';
import { registerReference } from './reference.ts';
import { noteRoutes } from './routes.ts';

export const DESCRIPTION_PATH = '/api/openapi.json';
/**
 * Clients revalidate the document at each use. They get 304 until a new version of the server runs.
 */
const REVALIDATE = 'public, no-cache';

/**
 * Serves the API description at `/api/openapi.json` and its reference at `/api/docs`. Call it
 * before the routes are registered. The document contains every route that is not hidden, and is
 * created at the first request.
 */
export function registerApiDescription(app: App, options: { version: string; publicUrl: string }): void {
  const routes = noteRoutes(app);
  const described = createOnce(async () => {
    // Imported at the first request, since most processes never serve the document.
    const { describeApi } = await import('./document.ts');
    return precompress(JSON.stringify(describeApi(routes, options)), 'application/json; charset=utf-8');
  });
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, async (request, reply) =>
    sendPrecompressed(request, reply, await described(), REVALIDATE),
  );
  registerReference(app);
}
