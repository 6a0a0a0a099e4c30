import {
  type CheckoutAnswer,
  type CheckoutRequest,
  type PlanId,
  SELF_HOSTED,
  type Subscription,
} from '@winnow/contract/plan';
import { conflict } from '../platform/errors.ts';

/** Port to the payment provider: the actions of a user, or of a visitor, about paying for plans. */
export interface Payments {
  /**
   * Returns the stored subscription of the account. Throws 404 if there is none: the account is on
   * the Free plan.
   */
  subscription(accountId: string): Promise<Subscription>;
  /** Reads the account's subscription from the payment provider and stores it. */
  sync(accountId: string): Promise<void>;
  /**
   * Returns the URL of the provider's page for invoices, payment methods and cancellation. That
   * page links back to `returnUrl`.
   */
  portal(accountId: string, returnUrl: string): Promise<string>;
  /**
   * Buys a plan, or switches the current subscription to it. If the user must pay first, returns
   * the URL of the payment page.
   */
  buy(accountId: string, request: CheckoutRequest): Promise<CheckoutAnswer>;
  /** Cancels a plan change that is waiting for its payment. Throws 409 if there is none. */
  cancelWaiting(accountId: string): Promise<void>;
  /** Returns the URL of the page on which a visitor pays for a public plan. */
  buyAsVisitor(request: CheckoutRequest): Promise<CheckoutAnswer>;
}

/**
 * Implements payments for installations without a provider. Nothing can be bought; every account is
 * on the plan that the operator chose.
 */
export function paymentsWithoutProvider(selfHostedPlan: PlanId): Payments {
  return {
    subscription: async (accountId) => ({
      id: accountId,
      plan_id: selfHostedPlan,
      status: SELF_HOSTED,
      interval: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      pending_change: null,
      waiting_change: null,
    }),
    sync: async () => undefined,
    portal: refuse,
    buy: refuse,
    cancelWaiting: refuse,
    buyAsVisitor: refuse,
  };
}

async function refuse(): Promise<never> {
  throw conflict(
    'billing_off',
    'Plans cannot be bought here: no payment provider is set up. Ask your administrator for another plan.',
  );
}
