import { id } from '@winnow/contract/primitives';
import { trackerWebhook } from '@winnow/contract/tracker';
import { z } from 'zod';
import { notFound, rateLimited } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { networkOf } from '../platform/http/rate-limit.ts';
import type { WebhookReceiver } from './receive.ts';
import type { TrackerEvents } from './service.ts';

const tags = ['Trackers'];
const params = z.object({ tracker_id: id });
/** GitHub posts up to 25 MB, of which only a push of thousands of commits has more than this. */
const BODY_LIMIT_BYTES = 5 * 1024 * 1024;
const A_MINUTE_MS = 60_000;
/** Each tracker for itself: others share the addresses that a hosted tracker calls from. */
const DELIVERIES_A_MINUTE = 3_000;
/** Only what fails to prove itself counts, and is refused: a hosted tracker calls for others from the same network. */
const FAILURES_A_MINUTE = 60;
const REQUESTS_OF_A_NETWORK_A_MINUTE = 30_000;

/** Where trackers deliver what happens in them, and what is needed to have them do so. */
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
    { onRequest: auth.requireUser, schema: { tags, params, response: { 200: trackerWebhook } } },
    async (request) => trackerEvents.byHand(userOf(request).accountId, request.params.tracker_id),
  );

  app.post(
    '/api/v1/trackers/:tracker_id/webhook/rotate',
    { onRequest: auth.requireUser, schema: { tags, params, response: { 200: trackerWebhook } } },
    async (request) => trackerEvents.replaceSecret(userOf(request).accountId, request.params.tracker_id),
  );

  await app.register(async (scope: App) => {
    // A signature is over the very bytes, whatever they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const perTracker = scope.createRateLimit({
      max: DELIVERIES_A_MINUTE,
      timeWindow: A_MINUTE_MS,
      keyGenerator: (request) => `webhook ${JSON.stringify(request.params)}`,
    });
    const failures = scope.createRateLimit({
      max: FAILURES_A_MINUTE,
      timeWindow: A_MINUTE_MS,
      keyGenerator: (request) => `webhook failed ${networkOf(request)} ${JSON.stringify(request.params)}`,
    });
    scope.post(
      '/api/v1/trackers/:tracker_id/webhook',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: {
          rateLimit: {
            max: REQUESTS_OF_A_NETWORK_A_MINUTE,
            timeWindow: A_MINUTE_MS,
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
        const proven = await receiver.prove(where.tracker_id, {
          headers: request.headers,
          addressSecret: typeof query.secret === 'string' ? query.secret : undefined,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        });
        if (proven === null) {
          const failed = await failures(request);
          throw !failed.isAllowed && failed.isExceeded ? rateLimited(failed.ttlInSeconds) : notFound();
        }
        const delivered = await perTracker(request);
        if (!delivered.isAllowed && delivered.isExceeded) throw rateLimited(delivered.ttlInSeconds);
        await receiver.take(proven);
        return reply.code(202).send({});
      },
    );
  });
}
