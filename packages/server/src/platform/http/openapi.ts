import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { errorBody } from '@winnow/contract/error';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from './app.ts';
import { DOCS_POLICY } from './security-headers.ts';

/**
 * Describes every route that is not hidden at `/api/openapi.json`, and shows it at `/api/docs`. Routes need the bearer
 * token unless their schema says `security: []`. To be registered before the routes.
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
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token of a signed-in user, or an API key (`wnw_…`).',
          },
        },
      },
      security: [{ bearer: [] }],
    },
    transform: (document) => {
      const { schema } = document;
      if (schema?.response === undefined || schema.hide === true) return jsonSchemaTransform(document);
      const response = { ...schema.response, default: errorBody.describe('What every failed call answers.') };
      return jsonSchemaTransform({ ...document, schema: { ...schema, response } });
    },
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCS_POLICY });
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
