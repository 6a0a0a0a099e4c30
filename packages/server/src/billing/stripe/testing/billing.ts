import { checkoutAnswer, subscription } from '@winnow/contract/plan';
import {
  type StripeEmulator,
  type StripeEmulatorOptions,
  startStripeEmulator,
} from '@winnow/emulators/stripe/emulator';
import { stripeEnv, WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { WINNOW_PRICES } from '@winnow/emulators/stripe/winnow-prices';
import { z } from 'zod';
import { type MailServer, startMailServer } from '../../../platform/testing/mail-server.ts';
import { type Caller, call } from '../../../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../../../testing/running-winnow.ts';

/**
 * A running Winnow that sells plans through an emulated Stripe with webhooks. Records the emails
 * that it sends.
 */
export interface SellingWinnow {
  winnow: RunningWinnow;
  stripe: StripeEmulator;
  mails: MailServer;
  webhookUrl: string;
  close(): Promise<void>;
}

export async function startSelling(options: Partial<StripeEmulatorOptions> = {}): Promise<SellingWinnow> {
  const stripe = await startStripeEmulator({ prices: WINNOW_PRICES, ...options });
  const mails = await startMailServer();
  const winnow = await startWinnow({
    env: {
      ...stripeEnv(stripe),
      TRUST_PROXY: 'loopback',
      SMTP_URL: `smtp://${mails.host}`,
      MAIL_FROM: 'winnow@example.org',
    },
  });
  const webhookUrl = `${winnow.origin}/api/v1/billing/webhook`;
  stripe.deliverTo({ url: webhookUrl, secret: WEBHOOK_SECRET });
  return {
    winnow,
    stripe,
    mails,
    webhookUrl,
    async close() {
      await stripe.close();
      await winnow.close();
      await mails.close();
    },
  };
}

/**
 * Requests a purchase. Returns the URL of the payment page.
 * @throws if no payment is needed
 */
export async function requestPaymentPage(
  caller: Pick<Caller, 'send'>,
  plan_id: string,
  interval = 'month',
): Promise<string> {
  const body = { plan_id, interval };
  const answer = await caller.send('POST', '/billing/create-checkout-session', body, checkoutAnswer);
  if (answer.action !== 'redirect') throw new Error('No payment page was returned.');
  return answer.url;
}

/** Requests a purchase as a visitor. Returns the URL of the payment page. */
export async function requestPaymentPageAsVisitor(origin: string, plan_id: string): Promise<string> {
  const body = { plan_id, interval: 'month' };
  const answer = await call(origin, 'POST', '/api/v1/billing/create-checkout-session', { body });
  const parsed = checkoutAnswer.parse(answer.body);
  if (parsed.action !== 'redirect') throw new Error('No payment page was returned.');
  return parsed.url;
}

/**
 * Creates a caller who pays for a plan. Returns the caller and the Stripe ids of its customer and
 * subscription.
 */
export async function newPayer(
  { winnow, stripe }: SellingWinnow,
  plan = 'pro',
): Promise<{ caller: Caller; customerId: string; subscriptionId: string }> {
  const caller = await winnow.newCaller();
  const before = new Set(stripe.subscriptions().map(({ id }) => id));
  stripe.pay(await requestPaymentPage(caller, plan));
  await stripe.webhooks.deliveries.settled();
  const made = stripe.subscriptions().find(({ id }) => !before.has(id));
  if (made === undefined) throw new Error('No subscription was created.');
  return { caller, customerId: String(made.customer), subscriptionId: made.id };
}

/**
 * Returns an account's plan and its subscription's status, such as `pro active`. Returns `nothing`
 * if there is no subscription.
 */
export async function planAndStatusOf(caller: Caller): Promise<string> {
  const answer = await caller.call('GET', '/billing/subscription');
  if (answer.status === 404) return 'nothing';
  const { plan_id, status } = subscription.parse(answer.body);
  return `${plan_id} ${status}`;
}

/** Calls Stripe's API as other software with the same key would. */
export async function callStripe(
  stripe: StripeEmulator,
  path: string,
  fields: Record<string, string>,
): Promise<{ id: string; url: string }> {
  const answer = await fetch(`${stripe.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.secretKey}` },
    body: new URLSearchParams(fields),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return z.object({ id: z.string(), url: z.string().default('') }).parse(await answer.json());
}

/** Creates a checkout session as other software with the same key would. */
export async function sessionOfOthers(
  stripe: StripeEmulator,
  fields: Record<string, string>,
): Promise<{ id: string; url: string }> {
  const prices = await fetch(`${stripe.url}/v1/prices?lookup_keys[0]=winnow_pro_month`, {
    headers: { authorization: `Bearer ${stripe.secretKey}` },
  });
  const { data } = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(await prices.json());
  return callStripe(stripe, 'checkout/sessions', {
    mode: 'subscription',
    'line_items[0][price]': data[0]?.id ?? '',
    'line_items[0][quantity]': '1',
    success_url: 'https://elsewhere.example.org/',
    ...fields,
  });
}
