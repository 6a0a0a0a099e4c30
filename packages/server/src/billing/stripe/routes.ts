import {
  checkoutAnswer,
  checkoutRequest,
  portalAnswer,
  portalRequest,
  subscription,
  subscriptionSynced,
} from '@winnow/contract/plan';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { rateLimited } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { limitBy, networkOf } from '../../platform/http/rate-limit.ts';
import type { StripeBilling } from './service.ts';
import type { StripeWebhook } from './webhook.ts';

const tags = ['Billing'];
const A_MINUTE_MS = 60_000;
/** Calls that have Stripe called, by one account, or by one address without one. */
const CALLS = { max: 30, windowMs: A_MINUTE_MS };
/** An event with everything that belongs to it is some ten thousand bytes long. */
const EVENT_LIMIT_BYTES = 1024 * 1024;
/** Only what Stripe has not signed counts. */
const FORGERIES_A_MINUTE = 60;

/** Paying for plans, where Stripe is set up. */
export async function registerStripeRoutes(
  app: App,
  { billing, webhook, auth }: { billing: StripeBilling; webhook: StripeWebhook; auth: Authentication },
): Promise<void> {
  const onRequest = auth.requireUser;
  const limitCaller = limitBy(app, CALLS, (request) =>
    request.principal === null ? `visitor ${networkOf(request)}` : `account ${request.principal.accountId}`,
  );
  const callsStripe = async (request: FastifyRequest) => {
    await auth.requireUser(request);
    await limitCaller(request);
  };

  app.get(
    '/api/v1/billing/subscription',
    { onRequest, schema: { tags, response: { 200: subscription } } },
    async (request) => billing.subscription(userOf(request).accountId),
  );

  app.post(
    '/api/v1/billing/sync-subscription',
    { onRequest: callsStripe, schema: { tags, response: { 200: subscriptionSynced } } },
    async (request) => {
      await billing.sync(userOf(request).accountId);
      return { status: 'success' as const };
    },
  );

  app.post(
    '/api/v1/billing/create-portal-session',
    { onRequest: callsStripe, schema: { tags, body: portalRequest, response: { 200: portalAnswer } } },
    async (request) => ({ url: await billing.portal(userOf(request).accountId, request.body.return_url) }),
  );

  app.post(
    '/api/v1/billing/create-checkout-session',
    {
      onRequest: async (request) => {
        if (request.headers.authorization !== undefined) await auth.requireUser(request);
        await limitCaller(request);
      },
      schema: { tags, security: [], body: checkoutRequest, response: { 200: checkoutAnswer } },
    },
    async (request) =>
      request.principal === null
        ? billing.buyAsVisitor(request.body)
        : billing.buy(userOf(request).accountId, request.body),
  );

  await app.register(async (scope: App) => {
    // A signature is over the very bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const forgeries = scope.createRateLimit({
      max: FORGERIES_A_MINUTE,
      timeWindow: A_MINUTE_MS,
      keyGenerator: (request) => `stripe forged ${networkOf(request)}`,
    });
    scope.post(
      '/api/v1/billing/webhook',
      {
        bodyLimit: EVENT_LIMIT_BYTES,
        schema: { tags, security: [], response: { 200: z.object({}) } },
      },
      async (request) => {
        const { body, headers } = request;
        const signature = headers['stripe-signature'];
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        try {
          await webhook.receive(bytes, typeof signature === 'string' ? signature : undefined);
        } catch (error) {
          if (!isForgery(error)) throw error;
          const counted = await forgeries(request);
          throw !counted.isAllowed && counted.isExceeded ? rateLimited(counted.ttlInSeconds) : error;
        }
        return {};
      },
    );
  });
}

function isForgery(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}
