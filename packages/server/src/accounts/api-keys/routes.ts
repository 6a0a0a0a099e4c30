import { apiKeyCreate, apiKeyList, createdApiKey } from '@winnow/contract/api-key';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { clientOf } from '../client.ts';
import { presentApiKey, presentCreatedApiKey } from './present.ts';
import type { ApiKeys } from './service.ts';

const tags = ['API keys'];
const params = z.object({ key_id: id });

/**
 * Registers the routes for an account's API keys. Users only: a key cannot create, list or revoke
 * keys.
 */
export function registerApiKeyRoutes(app: App, keys: ApiKeys, auth: Authentication): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/auth/api-keys',
    { onRequest, schema: { tags, response: { 200: apiKeyList } } },
    async (request, reply) => {
      const list = await keys.list(userOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list.map(presentApiKey);
    },
  );

  app.post(
    '/api/v1/auth/api-keys',
    { onRequest, schema: { tags, body: apiKeyCreate, response: { 201: createdApiKey } } },
    async (request, reply) => {
      const { row, key } = await keys.create(userOf(request), request.body, clientOf(request));
      return reply.code(201).send(presentCreatedApiKey(row, key));
    },
  );

  app.delete(
    '/api/v1/auth/api-keys/:key_id',
    { onRequest, schema: { tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      await keys.revoke(userOf(request), request.params.key_id, clientOf(request));
      return reply.code(204).send(null);
    },
  );
}
