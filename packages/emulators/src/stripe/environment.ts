import { SECRET_KEY } from './emulator.ts';

/** Secret with which the emulated Stripe signs its events to Winnow. */
export const WEBHOOK_SECRET = 'whsec_0123456789abcdefghijklmnopqrstuv';

/** Returns environment variables for a Winnow that sells its plans through an emulated Stripe. */
export function stripeEnv({ secretKey, url }: { secretKey: string; url: string }) {
  return { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: url };
}

/** Environment variables for a Winnow that sells plans but cannot reach Stripe. */
export const NO_STRIPE_ENV = stripeEnv({ secretKey: SECRET_KEY, url: 'http://127.0.0.1:9' });
