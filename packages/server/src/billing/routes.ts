import {
  checkoutAnswer,
  checkoutRequest,
  planList,
  portalAnswer,
  portalRequest,
  subscription,
  subscriptionSynced,
} from '@winnow/contract/plan';
import type { FastifyRequest } from 'fastify';
import type { App } from '../platform/http/app.ts';
import { type Authentication, userOf } from '../platform/http/auth.ts';
import { limitBy, networkOf } from '../platform/http/rate-limit.ts';
import type { Payments } from './payments.ts';
import type { AccountPlans } from './plans/account-plans.ts';
import { plans } from './plans/plans.ts';

const tags = ['Billing'];
/** Options of routes that need no token. */
const open = { tags, security: [] };
/**
 * Rate limit of routes that call the payment provider: per account, or per IP address for visitors.
 */
const PAYMENT_CALL_LIMIT = { max: 30, windowMs: 60_000 };

/** Registers the routes for public plans and for the account's custom plans. */
export function registerPlanRoutes(app: App, auth: Authentication, plansOfAccounts: AccountPlans): void {
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
    { onRequest: auth.authorize, schema: { tags, response: { 200: planList } } },
    async (request, reply) => {
      const custom = await plansOfAccounts.customPlans(userOf(request).accountId);
      reply.header('x-total-count', custom.length);
      return custom;
    },
  );
}

/** Registers the routes with which users and visitors pay for plans. */
export function registerPaymentRoutes(app: App, auth: Authentication, payments: Payments): void {
  const limitCaller = limitBy(app, PAYMENT_CALL_LIMIT, (request) =>
    request.principal === null ? `visitor ${networkOf(request)}` : `account ${request.principal.accountId}`,
  );
  const onRequest = async (request: FastifyRequest) => {
    await auth.authorize(request);
    await limitCaller(request);
  };

  app.get(
    '/api/v1/billing/subscription',
    { onRequest: auth.authorize, schema: { tags, response: { 200: subscription } } },
    async (request) => payments.subscription(userOf(request).accountId),
  );

  app.post(
    '/api/v1/billing/sync-subscription',
    { onRequest, schema: { tags, response: { 200: subscriptionSynced } } },
    async (request) => {
      await payments.sync(userOf(request).accountId);
      return { status: 'success' as const };
    },
  );

  app.post(
    '/api/v1/billing/cancel-waiting-change',
    { onRequest, schema: { tags, response: { 200: subscriptionSynced } } },
    async (request) => {
      await payments.cancelWaiting(userOf(request).accountId);
      return { status: 'success' as const };
    },
  );

  app.post(
    '/api/v1/billing/create-portal-session',
    { onRequest, schema: { tags, body: portalRequest, response: { 200: portalAnswer } } },
    async (request) => ({ url: await payments.portal(userOf(request).accountId, request.body.return_url) }),
  );

  app.post(
    '/api/v1/billing/create-checkout-session',
    {
      onRequest: async (request) => {
        if (request.headers.authorization !== undefined) await auth.expectAccess(request, 'own');
        await limitCaller(request);
      },
      schema: { ...open, body: checkoutRequest, response: { 200: checkoutAnswer } },
    },
    async (request) =>
      request.principal === null
        ? payments.buyAsVisitor(request.body)
        : payments.buy(userOf(request).accountId, request.body),
  );
}
