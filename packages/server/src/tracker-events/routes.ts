import { id } from '@winnow/contract/primitives';
import { trackerWebhook } from '@winnow/contract/tracker';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { SECRET_HEADER } from '../trackers/jira/webhook.ts';
import type { WebhookReceiver } from './receive.ts';
import type { TrackerEvents } from './service.ts';

const tags = ['Trackers'];
const params = z.object({ tracker_id: id });
/** GitHub posts up to 25 MB, of which only a push of thousands of commits has more than this. */
const BODY_LIMIT_BYTES = 5 * 1024 * 1024;
/** Each tracker for itself: others share the addresses that a hosted tracker calls from. */
const DELIVERIES_A_MINUTE = 3_000;

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

  await app.register(async (scope: App) => {
    // A signature is over the very bytes, whatever they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/v1/trackers/:tracker_id/webhook',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        config: {
          rateLimit: {
            max: DELIVERIES_A_MINUTE,
            timeWindow: 60_000,
            keyGenerator: (request) => JSON.stringify(request.params),
          },
        },
        schema: {
          tags,
          security: [],
          params,
          querystring: z.object({ secret: z.string().optional() }),
          response: { 202: z.object({}) },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const headers = { ...request.headers, [SECRET_HEADER]: request.query.secret };
        await receiver.receive(request.params.tracker_id, {
          headers,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        });
        return reply.code(202).send({});
      },
    );
  });
}
