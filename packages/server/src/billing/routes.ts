import {
  checkoutAnswer,
  checkoutRequest,
  type PlanId,
  planList,
  portalAnswer,
  portalRequest,
  SELF_HOSTED,
  subscription,
  subscriptionSynced,
} from '@winnow/contract/plan';
import { conflict } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { plans } from './plans.ts';
import type { PlansOfAccounts } from './plans-of-accounts.ts';

const tags = ['Billing'];
/** Of calls that are made without a token. */
const open = { tags, security: [] };

/** The plans there are, and those that were made for one account. */
export function registerPlanRoutes(app: App, auth: Authentication, plansOfAccounts: PlansOfAccounts): void {
  app.get(
    '/api/v1/billing/plans',
    { schema: { ...open, response: { 200: planList } } },
    async (_request, reply) => {
      reply.header('x-total-count', plans.length);
      return [...plans];
    },
  );

  app.get(
    '/api/v1/billing/custom-plans',
    { onRequest: auth.requireUser, schema: { tags, response: { 200: planList } } },
    async (request, reply) => {
      const custom = await plansOfAccounts.customPlans(userOf(request).accountId);
      reply.header('x-total-count', custom.length);
      return custom;
    },
  );
}

/** What is answered where nothing is sold, since no payment provider is set up. */
export function registerUnpaidRoutes(app: App, auth: Authentication, selfHostedPlan: PlanId): void {
  app.get(
    '/api/v1/billing/subscription',
    { onRequest: auth.requireUser, schema: { tags, response: { 200: subscription } } },
    async (request) => ({
      id: userOf(request).accountId,
      plan_id: selfHostedPlan,
      status: SELF_HOSTED,
      interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
    }),
  );

  app.post(
    '/api/v1/billing/sync-subscription',
    { onRequest: auth.requireUser, schema: { tags, response: { 200: subscriptionSynced } } },
    async () => ({ status: 'success' as const }),
  );

  app.post(
    '/api/v1/billing/create-portal-session',
    {
      onRequest: auth.requireUser,
      schema: { tags, body: portalRequest, response: { 200: portalAnswer } },
    },
    async () => {
      throw nothingIsSold();
    },
  );

  app.post(
    '/api/v1/billing/create-checkout-session',
    { schema: { ...open, body: checkoutRequest, response: { 200: checkoutAnswer } } },
    async () => {
      throw nothingIsSold();
    },
  );
}

function nothingIsSold() {
  return conflict(
    'billing_off',
    'Plans cannot be bought here: no payment provider is set up. Ask whoever runs this Winnow for another plan.',
  );
}
