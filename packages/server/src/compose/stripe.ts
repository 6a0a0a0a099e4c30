import type { PlansOfAccounts } from '../billing/plans-of-accounts.ts';
import { Checkout } from '../billing/stripe/checkout.ts';
import { StripeClient } from '../billing/stripe/client.ts';
import { handleLookAfter, resumeLookAfter } from '../billing/stripe/look-after.ts';
import { Payers } from '../billing/stripe/payers.ts';
import { registerStripeRoutes } from '../billing/stripe/routes.ts';
import { StripeBilling } from '../billing/stripe/service.ts';
import { Subscriptions } from '../billing/stripe/subscriptions.ts';
import { StripeWebhook } from '../billing/stripe/webhook.ts';
import type { StripeConfig } from '../platform/config.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import type { Foundation } from './foundation.ts';
import type { People } from './people.ts';

export interface StripeParts {
  config: StripeConfig;
  plans: PlansOfAccounts;
  people: People;
  /** What an account pays for is not what it was. */
  onChanged: (accountId: string) => Promise<void>;
}

/** How plans are paid, where Stripe is set up. */
export function composeStripe(base: Foundation, { config, plans, people, onChanged }: StripeParts) {
  const { db, jobs, log, mails, now, publicUrl } = base;
  const { accounts, registration } = people;
  const client = new StripeClient(config);
  const subscriptions = new Subscriptions({ db, client, plans, log, onChanged });
  const checkout = new Checkout({
    db,
    client,
    plans,
    publicUrl,
    emailOf: (accountId) => accounts.emailOf(accountId),
  });
  const billing = new StripeBilling({ client, subscriptions, checkout, publicUrl });
  const payers = new Payers({
    db,
    client,
    subscriptions,
    mails,
    log,
    site: publicUrl,
    accountOf: (transaction, email) => accounts.ofAddress(transaction, email),
    invite: async (transaction, email) => (await registration.inviteWithin(transaction, email)).accountId,
  });
  const webhook = new StripeWebhook({ db, client, payers, subscriptions, now });

  return {
    /** Ends at once all that an account pays for. Safe to repeat; throws until it is done. */
    endForAccount: (accountId: string) => billing.endForAccount(accountId),
    registerRoutes: (app: App, auth: Authentication) => registerStripeRoutes(app, { billing, webhook, auth }),
    handlers: [handleLookAfter({ db, jobs, subscriptions, now })],
    resume: () => resumeLookAfter(jobs, now),
  };
}
