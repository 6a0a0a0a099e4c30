import type Stripe from 'stripe';
import type { z } from 'zod';
import type { StripeConfig } from '../../platform/config.ts';
import { AppError, badRequest, upstreamFailed } from '../../platform/errors.ts';

/** A call is given up after this time, and made again so often; each in Stripe's own way not to do a thing twice. */
const CALL_TIMEOUT_MS = 10_000;
const REPEATS = 2;
/** How old a webhook may be, so that one that was overheard is soon of no use. */
const WEBHOOK_TOLERANCE_S = 300;

/** Calls Stripe's API. The library is loaded with the first call. */
export class StripeClient {
  readonly #config: StripeConfig;
  #loaded: Promise<Stripe> | null = null;

  constructor(config: StripeConfig) {
    this.#config = config;
  }

  /**
   * Answers what Stripe answers, in the form that `schema` has of it. Throws 502 `upstream_failed` with a sentence for a
   * person when Stripe cannot be reached, refuses, or answers something else.
   */
  async ask<T>(schema: z.ZodType<T>, question: (stripe: Stripe) => Promise<unknown>): Promise<T> {
    const stripe = await this.#load();
    const answer = await question(stripe).catch((error: unknown) => {
      throw toUpstreamFailure(error);
    });
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw upstreamFailed(`Stripe answered in a form that is not known here. ${TRY_AGAIN}`, parsed.error);
  }

  /**
   * The content of a webhook that Stripe signed a short time ago. Throws 400 for every other, without saying what is
   * wrong with it.
   */
  async openWebhook(body: Buffer, signature: string | undefined): Promise<unknown> {
    const stripe = await this.#load();
    const { webhookSecret } = this.#config;
    try {
      const { signature: signatures } = stripe.webhooks;
      if (signatures?.verifyHeader(body, signature ?? '', webhookSecret, WEBHOOK_TOLERANCE_S) !== true) {
        throw new Error('The signature does not hold.');
      }
      return JSON.parse(body.toString());
    } catch (error) {
      throw badRequest('This is no webhook that Stripe has signed.', 'not_signed', error);
    }
  }

  #load(): Promise<Stripe> {
    this.#loaded ??= open(this.#config);
    return this.#loaded;
  }
}

/** Whether what {@link StripeClient.ask} threw says that there is no such thing in this Stripe account. */
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
    maxNetworkRetries: REPEATS,
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
const ASK = 'Ask whoever runs this Winnow.';

function toUpstreamFailure(error: unknown): AppError {
  const { type, message } = error instanceof Error ? { type: '', ...error, message: error.message } : UNKNOWN;
  switch (type) {
    case 'StripeConnectionError':
      return upstreamFailed(`Stripe cannot be reached. ${TRY_AGAIN}`, error);
    case 'StripeRateLimitError':
    case 'StripeAPIError':
      return upstreamFailed(`Stripe cannot answer just now. ${TRY_AGAIN}`, error);
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return upstreamFailed(`Stripe does not accept the key of this installation. ${ASK}`, error);
    case 'StripeCardError':
      return upstreamFailed(message, error);
    case 'StripeInvalidRequestError':
    case 'StripeIdempotencyError':
      return upstreamFailed(`Stripe refused this: ${message}`, error);
    default:
      return upstreamFailed(`Stripe could not be asked. ${TRY_AGAIN}`, error);
  }
}

const UNKNOWN = { type: '', message: '' };
