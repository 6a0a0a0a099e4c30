import { SECRET_KEY } from './emulator.ts';

/** Secret that signs the events from the Stripe emulator to Winnow. */
export const WEBHOOK_SECRET = 'whsec_0123456789abcdefghijklmnopqrstuv';

/** Returns the environment variables that make Winnow sell plans through the Stripe emulator. */
export function stripeEnv({ secretKey, url }: { secretKey: string; url: string }) {
  return { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: url };
}

/** Environment variables that make Winnow sell plans without a connection to Stripe. */
export const NO_STRIPE_ENV = stripeEnv({ secretKey: SECRET_KEY, url: 'http://127.0.0.1:9' });
