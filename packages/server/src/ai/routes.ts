import {
  aiModel,
  aiModelCreate,
  aiModelEstimate,
  aiModelEstimateRequest,
  aiModelList,
  aiModelTest,
  aiModelTestResult,
  aiModelUpdate,
  modelPrices,
  providerModels,
  providerModelsRequest,
} from '@winnow/contract/ai-model';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { presentAiModel } from './present.ts';
import { listPrices } from './prices.ts';
import type { AiModels } from './service.ts';

const tags = ['AI models'];
/** Rate limit of routes that make the server connect to an address entered by a user. */
const trying = { rateLimit: { max: 60, timeWindow: 60_000 } };
const params = z.object({ model_id: id });

/**
 * Registers the routes for an account's language models. They are for signed-in users only: clients
 * with an API key must not manage credentials.
 */
export function registerAiModelRoutes(
  app: App,
  models: AiModels,
  auth: Authentication,
  now: () => Date,
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/ai-models',
    { onRequest, schema: { tags, response: { 200: aiModelList } } },
    async (request, reply) => {
      const list = await models.list(userOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list.map(presentAiModel);
    },
  );

  app.post(
    '/api/v1/ai-models',
    { onRequest, schema: { tags, body: aiModelCreate, response: { 201: aiModel } } },
    async (request, reply) => {
      const created = await models.create(userOf(request), request.body);
      return reply.code(201).send(presentAiModel(created));
    },
  );

  app.post(
    '/api/v1/ai-models/test',
    { config: trying, onRequest, schema: { tags, body: aiModelTest, response: { 200: aiModelTestResult } } },
    async (request) => models.test(userOf(request).accountId, request.body),
  );

  app.post(
    '/api/v1/ai-models/:model_id/resume',
    { config: trying, onRequest, schema: { tags, params, response: { 200: aiModelTestResult } } },
    async (request) => models.resume(userOf(request).accountId, request.params.model_id),
  );

  app.post(
    '/api/v1/ai-models/provider-models',
    {
      config: trying,
      onRequest,
      schema: { tags, body: providerModelsRequest, response: { 200: providerModels } },
    },
    async (request) => models.providerModels(userOf(request).accountId, request.body),
  );

  app.post(
    '/api/v1/ai-models/estimate',
    { onRequest, schema: { tags, body: aiModelEstimateRequest, response: { 200: aiModelEstimate } } },
    async (request) => models.estimate(userOf(request).accountId, request.body),
  );

  app.get(
    '/api/v1/ai-models/prices',
    { onRequest, schema: { tags, response: { 200: modelPrices } } },
    async () => listPrices(now()),
  );

  app.put(
    '/api/v1/ai-models/:model_id',
    { onRequest, schema: { tags, params, body: aiModelUpdate, response: { 200: aiModel } } },
    async (request) => {
      return presentAiModel(await models.update(userOf(request), request.params.model_id, request.body));
    },
  );

  app.delete(
    '/api/v1/ai-models/:model_id',
    { onRequest, schema: { tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      await models.delete(userOf(request).accountId, request.params.model_id);
      return reply.code(204).send(null);
    },
  );
}
