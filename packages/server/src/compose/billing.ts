import { dailyModelCalls, readModelCalls, removeCallsBefore } from '../ai/usage-store.ts';
import { addDays, dayOf } from '../billing/day.ts';
import { paymentsWithoutProvider } from '../billing/payments.ts';
import { AccountPlans } from '../billing/plans/account-plans.ts';
import { ApiCallBlocks } from '../billing/quotas/api-call-blocks.ts';
import { removeTakenBefore } from '../billing/quotas/quota-store.ts';
import { PlanQuotas } from '../billing/quotas/quotas.ts';
import { registerPaymentRoutes, registerPlanRoutes } from '../billing/routes.ts';
import { ApiCallMeter } from '../billing/usage/api-calls.ts';
import { Usage } from '../billing/usage/usage.ts';
import { registerUsageRoutes } from '../billing/usage/usage-routes.ts';
import { removeUsageBefore } from '../billing/usage/usage-store.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { retention } from '../platform/jobs/daily.ts';
import type { Foundation } from './foundation.ts';

export type Billing = ReturnType<typeof composeBilling>;

/** Composes plans, quotas and usage counters. */
export function composeBilling({ config, db, jobs, log, now, onPublishError, publish }: Foundation) {
  const plans = new AccountPlans({
    db,
    selfHosted: config.stripe === null ? config.selfHostedPlan : null,
  });
  const amounts = new PlanQuotas({ db, plans, now });
  const apiCallBlocks = new ApiCallBlocks({
    amounts,
    now,
    onError: (error) =>
      log.warn({ error }, 'The unused part of a reserved block of API calls could not be released.'),
  });
  const meter = new ApiCallMeter({
    db,
    now,
    onWritten: (accountIds) => {
      for (const accountId of accountIds) publish(accountId, { type: 'usage_updated' }).catch(onPublishError);
    },
    onError: (error) => log.warn({ error }, 'Request counts could not be stored yet. They will be retried.'),
  });
  const usage = new Usage({
    db,
    meter,
    now,
    plans,
    readModelCalls: (accountId, range) => readModelCalls(db, accountId, range),
    dailyModelCalls: (accountId, range) => dailyModelCalls(db, accountId, range),
  });
  const oldUsage = retention('remove-old-usage', {
    jobs,
    now,
    keptDays: config.retention.usageDays,
    removeBefore: async (before) => {
      // Today counts as one of the retained days, so deletion reaches one day further.
      const day = addDays(dayOf(before), 1);
      await removeUsageBefore(db, day);
      await removeCallsBefore(db, day);
      await removeTakenBefore(db, day);
    },
  });

  return {
    plans,
    amounts,
    apiCallBlocks,
    meter,
    usage,
    handlers: [oldUsage.handler],
    resume: oldUsage.resume,
    registerRoutes(app: App, auth: Authentication): void {
      registerPlanRoutes(app, auth, plans);
      if (config.stripe === null) {
        registerPaymentRoutes(app, auth, paymentsWithoutProvider(config.selfHostedPlan));
      }
      registerUsageRoutes(app, { usage, auth, now });
    },
    /** Stores pending counters and releases reserved quota that was not used. */
    async close(): Promise<void> {
      await meter
        .close()
        .catch((error: unknown) => log.warn({ error }, 'The last request counts were lost.'));
      await apiCallBlocks.close();
    },
  };
}
