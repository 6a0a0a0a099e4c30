import { id } from '@winnow/contract/primitives';
import {
  connectionTest,
  connectionTestResult,
  projectChoice,
  projectsOfOrganization,
  tracker,
  trackerCreate,
  trackerUpdate,
} from '@winnow/contract/tracker';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { presentTracker } from './present.ts';
import type { Trackers } from './service.ts';

const tags = ['Trackers'];
/** Rate limit for calls that make the server contact an address chosen by a user. */
const trying = { rateLimit: { max: 120, timeWindow: 60_000 } };
const params = z.object({ tracker_id: id });

/**
 * Registers the routes for connecting trackers, choosing their scope and starting a sync. They
 * accept signed-in users only, because an API key must not manage credentials.
 */
export function registerTrackerRoutes(app: App, trackers: Trackers, auth: Authentication): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/trackers',
    { onRequest, schema: { tags, response: { 200: z.array(tracker) } } },
    async (request, reply) => {
      const list = await trackers.list(userOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list.map(presentTracker);
    },
  );

  app.post(
    '/api/v1/trackers',
    { onRequest, schema: { tags, body: trackerCreate, response: { 201: tracker } } },
    async (request, reply) => {
      const created = await trackers.create(userOf(request).accountId, request.body);
      return reply.code(201).send(presentTracker(created));
    },
  );

  app.get(
    '/api/v1/trackers/:tracker_id',
    { onRequest, schema: { tags, params, response: { 200: tracker } } },
    async (request) =>
      presentTracker(await trackers.get(userOf(request).accountId, request.params.tracker_id)),
  );

  app.put(
    '/api/v1/trackers/:tracker_id',
    { onRequest, schema: { tags, params, body: trackerUpdate, response: { 200: tracker } } },
    async (request) => {
      const { accountId } = userOf(request);
      return presentTracker(await trackers.update(accountId, request.params.tracker_id, request.body));
    },
  );

  app.delete(
    '/api/v1/trackers/:tracker_id',
    { onRequest, schema: { tags, params, response: { 204: z.null() } } },
    async (request, reply) => {
      await trackers.delete(userOf(request).accountId, request.params.tracker_id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/trackers/:tracker_id/sync',
    { onRequest, schema: { tags, params, response: { 202: tracker } } },
    async (request, reply) => {
      const { accountId } = userOf(request);
      await trackers.requestSync(accountId, request.params.tracker_id);
      return reply.code(202).send(presentTracker(await trackers.get(accountId, request.params.tracker_id)));
    },
  );

  app.post(
    '/api/v1/trackers/test-and-list-orgs',
    {
      config: trying,
      onRequest,
      schema: { tags, body: connectionTest, response: { 200: connectionTestResult } },
    },
    async (request) => trackers.connections.test(userOf(request).accountId, request.body),
  );

  app.post(
    '/api/v1/trackers/list-projects-for-org',
    {
      config: trying,
      onRequest,
      schema: { tags, body: projectsOfOrganization, response: { 200: z.array(projectChoice) } },
    },
    async (request) => trackers.connections.projectsOfOrganization(userOf(request).accountId, request.body),
  );
}
