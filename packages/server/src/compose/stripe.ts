import { isBeingDeleted } from '../accounts/deletion/store.ts';
import { findByAddress } from '../accounts/service.ts';
import type { AccountPlans } from '../billing/plans/account-plans.ts';
import { registerPaymentRoutes } from '../billing/routes.ts';
import { Checkout } from '../billing/stripe/checkout.ts';
import { StripeClient } from '../billing/stripe/client.ts';
import { settleWaitingPayments } from '../billing/stripe/job.ts';
import { Payers } from '../billing/stripe/payers.ts';
import { handleReconciliation, resumeReconciliation } from '../billing/stripe/reconciliation.ts';
import { registerStripeWebhook } from '../billing/stripe/routes.ts';
import { StripeBilling } from '../billing/stripe/service.ts';
import { Subscriptions } from '../billing/stripe/subscriptions.ts';
import { StripeWebhook } from '../billing/stripe/webhook.ts';
import type { StripeConfig } from '../platform/config.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import type { AccountServices } from './accounts.ts';
import type { Foundation } from './foundation.ts';

export interface StripeParts {
  config: StripeConfig;
  plans: AccountPlans;
  accountServices: AccountServices;
  /** Called when the paid plan of an account changed. */
  onChanged: (accountId: string) => Promise<void>;
}

/** Composes payments through Stripe. Used only where Stripe is configured. */
export function composeStripe(base: Foundation, { config, plans, accountServices, onChanged }: StripeParts) {
  const { db, jobs, log, mails, now, publicUrl } = base;
  const { accounts, invitations } = accountServices;
  const client = new StripeClient(config);
  const subscriptions = new Subscriptions({ db, client, plans, log, now, onChanged });
  const checkout = new Checkout({
    db,
    client,
    plans,
    publicUrl,
    emailOf: (accountId) => accounts.emailOf(accountId),
  });
  const billing = new StripeBilling({ client, subscriptions, checkout, publicUrl, now });
  const payers = new Payers({
    db,
    client,
    subscriptions,
    mails,
    log,
    publicUrl,
    accountOf: findByAddress,
    isBeingDeleted,
    invite: async (transaction, email) =>
      (await invitations.inviteInTransaction(transaction, email)).accountId,
  });
  const webhook = new StripeWebhook({ db, client, payers, subscriptions, now });

  return {
    /** Ends all payments of an account immediately. Safe to repeat; throws until it succeeds. */
    endForAccount: (accountId: string) => billing.endForAccount(accountId),
    async registerRoutes(app: App, auth: Authentication): Promise<void> {
      registerPaymentRoutes(app, auth, billing);
      await registerStripeWebhook(app, webhook);
    },
    handlers: [
      handleReconciliation({ db, client, payers, subscriptions, jobs, log, now, publicUrl }),
      handle(settleWaitingPayments, ({ email }) => payers.settleWaiting(email)),
    ],
    resume: () => resumeReconciliation(jobs, now),
  };
}
