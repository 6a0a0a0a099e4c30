import { id } from '@winnow/contract/primitives';
import { trackerWebhook } from '@winnow/contract/tracker';
import { z } from 'zod';
import { MINUTE_MS } from '../platform/clock.ts';
import { notFound, rateLimited } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { BODY_LIMIT_BYTES } from '../platform/http/body-limits.ts';
import { limitFailures } from '../platform/http/failure-limit.ts';
import { networkOf } from '../platform/http/rate-limit.ts';
import type { TrackerEvents } from './service.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const tags = ['Trackers'];
const params = z.object({ tracker_id: id });
/**
 * Maximum deliveries per tracker and minute. A limit per address would be wrong, because a hosted
 * tracker delivers for many users from the same addresses.
 */
const MAX_DELIVERIES_PER_MINUTE = 3_000;
/**
 * Limits per source network for failed deliveries: with a wrong secret, or for an unknown tracker.
 * One limit applies to deliveries for a single tracker, the other to deliveries for all.
 *
 * Valid deliveries do not count, because a hosted tracker delivers for many accounts from one
 * network.
 */
const MAX_FAILURES_PER_TRACKER_AND_MINUTE = 60;
const MAX_FAILURES_PER_MINUTE = 600;
const MAX_NETWORK_REQUESTS_PER_MINUTE = 30_000;

/**
 * Registers the endpoint that trackers deliver to, and the routes for creating a webhook manually.
 */
export async function registerTrackerEventRoutes(
  app: App,
  {
    receiver,
    trackerEvents,
    auth,
  }: { receiver: WebhookReceiver; trackerEvents: TrackerEvents; auth: Authentication },
): Promise<void> {
  app.get(
    '/api/v1/trackers/:tracker_id/webhook',
    { onRequest: auth.authorize, schema: { tags, params, response: { 200: trackerWebhook } } },
    async (request) => trackerEvents.manualSetup(userOf(request).accountId, request.params.tracker_id),
  );

  app.post(
    '/api/v1/trackers/:tracker_id/webhook/rotate',
    { onRequest: auth.authorize, schema: { tags, params, response: { 200: trackerWebhook } } },
    async (request) => trackerEvents.replaceSecret(userOf(request).accountId, request.params.tracker_id),
  );

  await app.register(async (scope: App) => {
    // Keeps the body as raw bytes for any content type, because trackers sign the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const perTracker = scope.createRateLimit({
      max: MAX_DELIVERIES_PER_MINUTE,
      timeWindow: MINUTE_MS,
      keyGenerator: (request) => `webhook ${JSON.stringify(request.params)}`,
    });
    const failures = limitFailures(scope, [
      {
        max: MAX_FAILURES_PER_TRACKER_AND_MINUTE,
        windowMs: MINUTE_MS,
        keyOf: (request) => `${networkOf(request)} ${JSON.stringify(request.params)}`,
      },
      { max: MAX_FAILURES_PER_MINUTE, windowMs: MINUTE_MS, keyOf: networkOf },
    ]);
    scope.post(
      '/api/v1/trackers/:tracker_id/webhook',
      {
        bodyLimit: BODY_LIMIT_BYTES.trackerWebhook,
        onRequest: async (request) => {
          const { tracker_id: trackerId } = request.params as { tracker_id: string };
          if (!(await receiver.receives(trackerId))) throw await failures.count(request, notFound());
          await failures.refuseLargeBody(request);
        },
        config: {
          rateLimit: {
            max: MAX_NETWORK_REQUESTS_PER_MINUTE,
            timeWindow: MINUTE_MS,
            keyGenerator: networkOf,
          },
        },
        schema: {
          tags,
          security: [],
          params,
          querystring: z.object({ secret: z.union([z.string(), z.array(z.string())]).optional() }),
          response: { 202: z.object({}) },
        },
      },
      async (request, reply) => {
        const { body, query, params: where } = request;
        const proven = await receiver.verify(where.tracker_id, {
          headers: request.headers,
          addressSecret: typeof query.secret === 'string' ? query.secret : undefined,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        });
        if (proven === null) throw await failures.count(request, notFound());
        const delivered = await perTracker(request);
        if (!delivered.isAllowed && delivered.isExceeded) throw rateLimited(delivered.ttlInSeconds);
        await receiver.take(proven);
        return reply.code(202).send({});
      },
    );
  });
}
