import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { limitFailures } from '../../platform/http/failure-limit.ts';
import { networkOf } from '../../platform/http/rate-limit.ts';
import type { StripeWebhook } from './webhook.ts';

/**
 * Maximum requests with an invalid signature per minute and IP address. Correctly signed requests
 * do not count.
 */
const MAX_FORGERIES_PER_MINUTE = 60;

/** Registers the route for Stripe's webhooks. */
export async function registerStripeWebhook(app: App, webhook: StripeWebhook): Promise<void> {
  await app.register(async (scope: App) => {
    // The signature is computed over the raw body, so the body must not be parsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const forgeries = limitFailures(scope, [
      { max: MAX_FORGERIES_PER_MINUTE, windowMs: 60_000, keyOf: networkOf },
    ]);
    scope.post(
      '/api/v1/billing/webhook',
      {
        bodyLimit: BODY_LIMIT_BYTES.stripeWebhook,
        onRequest: forgeries.refuseLargeBody,
        schema: { tags: ['Billing'], security: [], response: { 200: z.object({}) } },
      },
      async (request) => {
        const { body, headers } = request;
        const signature = headers['stripe-signature'];
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        try {
          await webhook.receive(bytes, typeof signature === 'string' ? signature : undefined);
        } catch (error) {
          throw isForgery(error) ? await forgeries.count(request, error) : error;
        }
        return {};
      },
    );
  });
}

function isForgery(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'not_signed';
}
