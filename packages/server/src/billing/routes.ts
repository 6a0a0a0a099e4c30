import {
  checkoutAnswer,
  checkoutRequest,
  type PlanId,
  planList,
  SELF_HOSTED,
  subscription,
} from '@winnow/contract/plan';
import { apiUsage } from '@winnow/contract/usage';
import { conflict } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { plans } from './plans.ts';

/** What an account has used. */
export function registerUsageRoutes(
  app: App,
  auth: Authentication,
  totalRequests: (accountId: string) => Promise<number>,
): void {
  app.get(
    '/api/v1/auth/api-usage',
    { onRequest: auth.requireUser, schema: { tags: ['Usage'], response: { 200: apiUsage } } },
    async (request) => ({ total_requests: await totalRequests(userOf(request).accountId) }),
  );
}

const tags = ['Billing'];
/** Of calls that are made without a token. */
const open = { tags, security: [] };

/** The plans there are. Nothing is sold while no payment provider is set up. */
export function registerPlanRoutes(app: App, auth: Authentication, selfHostedPlan: PlanId): void {
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
    async (_request, reply) => {
      reply.header('x-total-count', 0);
      return [];
    },
  );

  app.get(
    '/api/v1/billing/subscription',
    { onRequest: auth.requireUser, schema: { tags, response: { 200: subscription } } },
    async (request) => ({
      id: userOf(request).accountId,
      plan_id: selfHostedPlan,
      status: SELF_HOSTED,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
    }),
  );

  app.post(
    '/api/v1/billing/create-checkout-session',
    { schema: { ...open, body: checkoutRequest, response: { 200: checkoutAnswer } } },
    async () => {
      throw conflict(
        'billing_off',
        'Plans cannot be bought here: no payment provider is set up. Ask whoever runs this Winnow for another plan.',
      );
    },
  );
}
