import {
  flow,
  flowCreate,
  flowList,
  flowPresetList,
  flowPreview,
  flowPreviewRequest,
  flowUpdate,
  pastEvents,
  pastEventsQuery,
} from '@winnow/contract/flow';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import type { FlowPreviews } from './preview.ts';
import type { Flows } from './service.ts';

const tags = ['Flows'];
const ofFlow = z.object({ flow_id: id });
const ofPreset = z.object({ preset_id: z.string().min(1).max(100) });
/** Rate limit of requests that may compile expressions entered by a user. */
const compiling = { rateLimit: { max: 120, timeWindow: 60_000 } };

/**
 * Registers the routes of flows and presets. They are for people only: agents must not change their
 * own permissions.
 */
export function registerFlowRoutes(
  app: App,
  { flows, previews, auth }: { flows: Flows; previews: FlowPreviews; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/flows',
    { onRequest, schema: { tags, response: { 200: flowList } } },
    async (request, reply) => {
      const list = await flows.list(userOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list;
    },
  );

  app.post(
    '/api/v1/flows',
    { onRequest, config: compiling, schema: { tags, body: flowCreate, response: { 201: flow } } },
    async (request, reply) => {
      const created = await flows.create(userOf(request), request.body);
      return reply.code(201).send(created);
    },
  );

  app.get(
    '/api/v1/flows/events',
    { onRequest, schema: { tags, querystring: pastEventsQuery, response: { 200: pastEvents } } },
    async (request) => previews.pastEvents(userOf(request).accountId, request.query),
  );

  app.post(
    '/api/v1/flows/preview',
    {
      onRequest,
      config: compiling,
      schema: { tags, body: flowPreviewRequest, response: { 200: flowPreview } },
    },
    async (request) => previews.preview(userOf(request).accountId, request.body),
  );

  app.get(
    '/api/v1/flows/presets',
    { onRequest, schema: { tags, response: { 200: flowPresetList } } },
    async (request, reply) => {
      const list = await flows.presets(userOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list;
    },
  );

  app.post(
    '/api/v1/flows/presets/:preset_id/clone',
    { onRequest, schema: { tags, params: ofPreset, response: { 201: flow } } },
    async (request, reply) => {
      const cloned = await flows.clone(userOf(request), request.params.preset_id);
      return reply.code(201).send(cloned);
    },
  );

  app.delete(
    '/api/v1/flows/presets/:preset_id',
    { onRequest, schema: { tags, params: ofPreset, response: { 204: z.null() } } },
    async (request, reply) => {
      await flows.deletePreset(userOf(request).accountId, request.params.preset_id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/flows/:flow_id',
    { onRequest, schema: { tags, params: ofFlow, response: { 200: flow } } },
    async (request) => flows.get(userOf(request).accountId, request.params.flow_id),
  );

  app.put(
    '/api/v1/flows/:flow_id',
    {
      onRequest,
      config: compiling,
      schema: { tags, params: ofFlow, body: flowUpdate, response: { 200: flow } },
    },
    async (request) => flows.update(userOf(request), request.params.flow_id, request.body),
  );

  app.delete(
    '/api/v1/flows/:flow_id',
    { onRequest, schema: { tags, params: ofFlow, response: { 204: z.null() } } },
    async (request, reply) => {
      await flows.delete(userOf(request).accountId, request.params.flow_id);
      return reply.code(204).send(null);
    },
  );
}
