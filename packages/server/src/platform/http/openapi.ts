import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { SCOPES, scope } from '@winnow/contract/api-key';
import { errorBody } from '@winnow/contract/error';
import { ROUTE_ACCESS } from '@winnow/contract/route-access';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from './app.ts';
import { DOCS_POLICY } from './security-headers.ts';

const SESSION = { session: [] };
const FAILURE = errorBody.describe('What every failed call answers.');
const SCOPE_NAMES = Object.keys(SCOPES).join(', ');

/** As that of the web pages, which this server may be without. */
const FAVICON = {
  filename: 'favicon.svg',
  rel: 'icon',
  type: 'image/svg+xml',
  sizes: 'any',
  content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0b7a70" stroke-width="2">
  <path d="M12 6.23a6.5 6.5 0 0 1 0 11.54 6.5 6.5 0 0 1 0-11.54z" fill="#0b7a70" stroke="none"/>
  <circle cx="9" cy="12" r="6.5"/>
  <circle cx="15" cy="12" r="6.5"/>
</svg>
`,
};

/**
 * Describes every route that is not hidden at `/api/openapi.json`, and shows it at `/api/docs`. Routes need the token of
 * somebody who is signed in, or an API key of the scope that the table of the contract names, unless their schema says
 * `security: []`. To be registered before the routes.
 */
export async function registerOpenApi(app: App, options: { version: string; publicUrl: string }) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Winnow',
        version: options.version,
        description: 'Duplicates, readiness and dependencies of a backlog, and every write to a tracker.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.publicUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token of somebody who is signed in.',
          },
          key: {
            type: 'http',
            scheme: 'bearer',
            description: `An API key (\`wnw_…\`) with the scope that the call names: ${SCOPE_NAMES}. Calls that name none take no key.`,
          },
        },
      },
      security: [SESSION],
    },
    transform: (document) => {
      const { schema, url, route } = document;
      if (schema === undefined || schema.hide === true) return jsonSchemaTransform(document);
      const { data: needed } = scope.safeParse(ROUTE_ACCESS[`${route.method} ${url}`]);
      const described = {
        ...schema,
        ...(needed === undefined ? {} : { security: [SESSION, { key: [needed] }] }),
        ...(schema.response === undefined ? {} : { response: { ...schema.response, default: FAILURE } }),
      };
      return jsonSchemaTransform({ ...document, schema: described });
    },
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: DOCS_POLICY,
    theme: { title: 'Winnow API', favicon: [FAVICON] },
    // Without the bar on top, which has the plug-in's logo.
    uiConfig: { layout: 'BaseLayout' },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
