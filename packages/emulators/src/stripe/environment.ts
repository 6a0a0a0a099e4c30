import { SECRET_KEY } from './emulator.ts';

/** What an emulated Stripe signs its events to Winnow with. */
export const WEBHOOK_SECRET = 'whsec_0123456789abcdefghijklmnopqrstuv';

/** The environment of a Winnow that sells its plans through an emulated Stripe. */
export function stripeEnv({ secretKey, url }: { secretKey: string; url: string }) {
  return { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: url };
}

/** The environment of a Winnow whose plans are paid for, and where no Stripe answers. */
export const NO_STRIPE_ENV = stripeEnv({ secretKey: SECRET_KEY, url: 'http://127.0.0.1:9' });
