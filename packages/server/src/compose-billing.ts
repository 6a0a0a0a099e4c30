import { PlanAmounts } from './billing/amounts.ts';
import { ApiCallBlocks } from './billing/api-call-blocks.ts';
import { PlansOfAccounts } from './billing/plans-of-accounts.ts';
import { registerPlanRoutes, registerUnpaidRoutes } from './billing/routes.ts';
import type { Config } from './platform/config.ts';
import type { App } from './platform/http/app.ts';
import type { Authentication } from './platform/http/auth.ts';
import type { Log } from './platform/log.ts';
import type { Db } from './schema/tables.ts';

export interface BillingOptions {
  config: Config;
  db: Db;
  now: () => Date;
  log: Log;
}

/** What plans there are, who is on which, how much of it is used, and how they are paid. */
export function composeBilling({ config, db, now, log }: BillingOptions) {
  const plansOfAccounts = new PlansOfAccounts({
    db,
    selfHosted: config.stripe === null ? config.selfHostedPlan : null,
  });
  const amounts = new PlanAmounts({ db, plans: plansOfAccounts, now });
  const apiCallBlocks = new ApiCallBlocks({
    amounts,
    now,
    onError: (error) => log.warn({ error }, 'API calls that were not made could not be given back.'),
  });

  return {
    plansOfAccounts,
    amounts,
    apiCallBlocks,
    registerRoutes(app: App, auth: Authentication): void {
      registerPlanRoutes(app, auth, plansOfAccounts);
      if (config.stripe === null) registerUnpaidRoutes(app, auth, config.selfHostedPlan);
    },
  };
}
