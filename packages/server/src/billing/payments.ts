import {
  type CheckoutAnswer,
  type CheckoutRequest,
  type PlanId,
  SELF_HOSTED,
  type Subscription,
} from '@winnow/contract/plan';
import { conflict } from '../platform/errors.ts';

/** What people do about how their account is paid. */
export interface Payments {
  /** What the account pays for, as far as is known. 404 when it pays for nothing, and so is on the Free plan. */
  subscription(accountId: string): Promise<Subscription>;
  /** Reads anew what the account pays for. */
  sync(accountId: string): Promise<void>;
  /** A page to see invoices, change the card and cancel, which leads back to `returnUrl`. */
  portal(accountId: string, returnUrl: string): Promise<string>;
  /** Buys a plan, or changes to it. */
  buy(accountId: string, request: CheckoutRequest): Promise<CheckoutAnswer>;
  /** Takes back a change of plan that waits for its payment. 409 when none does. */
  cancelWaiting(accountId: string): Promise<void>;
  /** Where a visitor pays for a plan that everybody can have. */
  buyAsVisitor(request: CheckoutRequest): Promise<CheckoutAnswer>;
}

/** Where no payment provider is set up: everybody is on the plan that whoever runs this Winnow chose. */
export function nothingSold(selfHostedPlan: PlanId): Payments {
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
    'Plans cannot be bought here: no payment provider is set up. Ask whoever runs this Winnow for another plan.',
  );
}
