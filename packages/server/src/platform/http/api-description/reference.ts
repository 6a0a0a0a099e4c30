import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { App } from '../app.ts';
import { createOnce, precompress, sendPrecompressed } from '../precompressed.ts';
import { DOCS_POLICY } from '../security-headers.ts';

const PATH = '/api/docs';
/** Cached for an hour, since these files change only with a new version of the server. */
const CACHE_ONE_HOUR = 'public, max-age=3600';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Winnow API</title>
<link rel="icon" type="image/svg+xml" href="${PATH}/static/favicon.svg" sizes="any">
<link rel="stylesheet" href="${PATH}/static/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${PATH}/static/swagger-ui-bundle.js"></script>
<script src="${PATH}/static/start.js"></script>
</body>
</html>
`;

/** Uses the layout without the top bar, because the bar shows the logo of Swagger. */
const START_SCRIPT = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  layout: 'BaseLayout',
  validatorUrl: null,
});
`;

/** Copy of the favicon of the web pages. This server may run without the web build. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0b7a70" stroke-width="2">
  <path d="M12 6.23a6.5 6.5 0 0 1 0 11.54 6.5 6.5 0 0 1 0-11.54z" fill="#0b7a70" stroke="none"/>
  <circle cx="9" cy="12" r="6.5"/>
  <circle cx="15" cy="12" r="6.5"/>
</svg>
`;

const FILES: Readonly<Record<string, { type: string; content: () => Promise<string | Buffer> }>> = {
  '': { type: 'text/html; charset=utf-8', content: async () => REFERENCE_PAGE },
  '/static/start.js': { type: SCRIPT, content: async () => START_SCRIPT },
  '/static/favicon.svg': { type: 'image/svg+xml', content: async () => FAVICON },
  '/static/swagger-ui.css': { type: STYLE, content: () => ofSwaggerUi('swagger-ui.css') },
  '/static/swagger-ui-bundle.js': { type: SCRIPT, content: () => ofSwaggerUi('swagger-ui-bundle.js') },
};

/** Registers the API reference, which lets users try out calls. Each file is compressed once. */
export function registerReference(app: App): void {
  for (const [path, { type, content }] of Object.entries(FILES)) {
    const file = createOnce(async () => precompress(await content(), type));
    app.get(`${PATH}${path}`, { schema: { hide: true } }, async (request, reply) => {
      reply.header('content-security-policy', DOCS_POLICY);
      return sendPrecompressed(request, reply, await file(), CACHE_ONE_HOUR);
    });
  }
}

/** Reads a file from the npm package of Swagger UI. */
function ofSwaggerUi(name: string): Promise<Buffer> {
  const plugin = createRequire(import.meta.url).resolve('@fastify/swagger-ui');
  return readFile(join(dirname(plugin), 'static', name));
}
