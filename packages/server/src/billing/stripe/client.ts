import type Stripe from 'stripe';
import type { z } from 'zod';
import type { StripeConfig } from '../../platform/config.ts';
import { AppError, badRequest, upstreamFailed } from '../../platform/errors.ts';

/** Timeout of one call to Stripe. Stripe's library retries with the same idempotency key. */
const CALL_TIMEOUT_MS = 10_000;
const MAX_RETRIES = 2;
/** Maximum age of a webhook in seconds. It limits how long a captured webhook can be replayed. */
const WEBHOOK_TOLERANCE_S = 300;

/** Calls Stripe's API. Loads Stripe's library on the first call. */
export class StripeClient {
  readonly #config: StripeConfig;
  #loaded: Promise<Stripe> | null = null;

  constructor(config: StripeConfig) {
    this.#config = config;
  }

  /**
   * Calls Stripe and returns its response, parsed by `schema`. Throws `upstream_failed` with a
   * sentence for users if Stripe is unreachable, refuses the call, or sends an unexpected response.
   */
  async ask<T>(schema: z.ZodType<T>, question: (stripe: Stripe) => Promise<unknown>): Promise<T> {
    const stripe = await this.#load();
    const answer = await question(stripe).catch((error: unknown) => {
      throw toUpstreamFailure(error);
    });
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw upstreamFailed(`Stripe sent an unexpected response. ${TRY_AGAIN}`, parsed.error);
  }

  /**
   * Verifies that Stripe signed a webhook in the last five minutes, and returns its content. Throws
   * 400 for any other webhook; the error does not reveal which check failed.
   */
  async openWebhook(body: Buffer, signature: string | undefined): Promise<unknown> {
    const stripe = await this.#load();
    const { webhookSecret } = this.#config;
    try {
      const { signature: signatures } = stripe.webhooks;
      if (signatures?.verifyHeader(body, signature ?? '', webhookSecret, WEBHOOK_TOLERANCE_S) !== true) {
        throw new Error('The signature is invalid.');
      }
      return JSON.parse(body.toString());
    } catch (error) {
      throw badRequest('This webhook is not signed by Stripe.', 'not_signed', error);
    }
  }

  #load(): Promise<Stripe> {
    this.#loaded ??= open(this.#config);
    return this.#loaded;
  }
}

/**
 * True if {@link StripeClient.ask} failed because the object does not exist in this Stripe account.
 */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'resource_missing';
}

async function open({ secretKey, apiUrl }: StripeConfig): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  const place = apiUrl === null ? null : new URL(apiUrl);
  const isEncrypted = place?.protocol !== 'http:';
  return new Stripe(secretKey, {
    timeout: CALL_TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    ...(place === null
      ? {}
      : {
          protocol: isEncrypted ? 'https' : 'http',
          host: place.hostname,
          port: place.port || (isEncrypted ? 443 : 80),
        }),
  });
}

const TRY_AGAIN = 'Nothing was changed here; try again in a few minutes.';
const ASK_ADMINISTRATOR = 'Ask your administrator.';

function toUpstreamFailure(error: unknown): AppError {
  const { type, message } =
    error instanceof Error ? { type: '', ...error, message: error.message } : UNKNOWN_ERROR;
  switch (type) {
    case 'StripeConnectionError':
      return upstreamFailed(`Stripe cannot be reached. ${TRY_AGAIN}`, error);
    case 'StripeRateLimitError':
    case 'StripeAPIError':
      return upstreamFailed(`Stripe is unavailable at the moment. ${TRY_AGAIN}`, error);
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return upstreamFailed(
        `Stripe does not accept the key of this installation. ${ASK_ADMINISTRATOR}`,
        error,
      );
    case 'StripeCardError':
      return upstreamFailed(message, error);
    case 'StripeInvalidRequestError':
    case 'StripeIdempotencyError':
      return upstreamFailed(`Stripe refused this: ${message}`, error);
    default:
      return upstreamFailed(`The call to Stripe failed. ${TRY_AGAIN}`, error);
  }
}

const UNKNOWN_ERROR = { type: '', message: '' };
