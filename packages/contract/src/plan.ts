import { z } from 'zod';
import { instant, memberOf } from './primitives.ts';

/**
 * Plans available to all accounts, cheapest first. The operator can create further plans for single
 * accounts.
 */
export const planId = z.enum(['free', 'pro', 'ultra', 'enterprise']);
export type PlanId = z.infer<typeof planId>;

/** Features that differ between plans, in display order, with labels. */
export const PLAN_FEATURES = {
  api_calls_monthly: 'API calls / month',
  ai_calls_monthly: 'AI calls / month',
  issues_ingested_monthly: 'Issues ingested / month',
  custom_ai_models_enabled: 'Custom AI models',
  custom_compliance_metrics_enabled: 'Custom compliance metrics',
} as const;
export type PlanFeature = keyof typeof PLAN_FEATURES;

/** Value of a feature without a limit. */
export const UNLIMITED = -1;

const amount = z.int().min(UNLIMITED);
/** Price in US dollars. Null if the price is negotiated. */
const price = z.number().min(0).nullable();

export const plan = z.object({
  id: z.string(),
  name: z.string(),
  price_monthly: price,
  price_annually: price,
  features: z.object({
    api_calls_monthly: amount,
    ai_calls_monthly: amount,
    issues_ingested_monthly: amount,
    custom_ai_models_enabled: z.boolean(),
    custom_compliance_metrics_enabled: z.boolean(),
  } satisfies Record<PlanFeature, z.ZodType>),
});
export type Plan = z.infer<typeof plan>;

export const planList = z.array(plan);

export const billingInterval = z.enum(['month', 'year']);
export type BillingInterval = z.infer<typeof billingInterval>;

export const checkoutRequest = z.object({
  plan_id: z.string().min(1).max(100),
  interval: billingInterval,
});
export type CheckoutRequest = z.infer<typeof checkoutRequest>;

/**
 * Next step of a checkout. `redirect` leads to the payment page. `refresh` means that the plan
 * changed without payment and must be reloaded.
 */
export const checkoutAnswer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('redirect'), url: z.url() }),
  z.object({ action: z.literal('refresh') }),
]);
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>;

/** A scheduled change of plan. */
export const planChange = z.object({
  plan_id: z.string(),
  interval: billingInterval,
  at: instant,
});
export type PlanChange = z.infer<typeof planChange>;

/** A change of plan that waits for payment of the price difference. It expires at `until`. */
export const waitingChange = z.object({ plan_id: z.string(), interval: billingInterval, until: instant });
export type WaitingChange = z.infer<typeof waitingChange>;

/**
 * Subscription of an account.
 * In the status `self_hosted`, the operator chose the plan and no payment is due. In
 * `pending_cancellation`, the subscription ends with the paid period. Other statuses are Stripe's,
 * such as `active` and `past_due`.
 */
export const subscription = z.object({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  /** Billing interval. Null if the subscription costs nothing. */
  interval: billingInterval.nullable(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  cancel_at_period_end: z.boolean(),
  /** Change of plan at the end of the paid period. Null if there is none. */
  pending_change: planChange.nullable(),
  /** Change of plan that waits for its payment. Null if there is none. */
  waiting_change: waitingChange.nullable(),
});
export type Subscription = z.infer<typeof subscription>;

/** A plan with its price in US dollars per billing interval. */
export interface PaidPlan {
  plan_id: string | null;
  dollars: number;
  interval: BillingInterval;
}

/**
 * True if a change of plan takes effect immediately.
 * The new plan must cost at least as much as the old plan, in total and per month. A switch of the
 * same plan to yearly payment also takes effect immediately. All other changes wait for the end of
 * the paid period, because payments are not refunded.
 */
export function startsImmediately(from: PaidPlan, to: PaidPlan): boolean {
  if (to.dollars < from.dollars) return false;
  return from.plan_id === to.plan_id || byTheMonth(to) >= byTheMonth(from);
}

function byTheMonth({ dollars, interval }: PaidPlan): number {
  return interval === 'month' ? dollars : dollars / 12;
}

/** Status of an account in an installation that sells no plans. */
export const SELF_HOSTED = 'self_hosted';
/** Status of a subscription that ends with its paid period. */
export const PENDING_CANCELLATION = 'pending_cancellation';

/** Meaning of a subscription status, with label and semantic color. */
interface SubscriptionStatus {
  /** True if the subscription has started and has not ended. */
  isOngoing: boolean;
  /** True if the account may use the features of the plan. */
  grantsPlan: boolean;
  /** True if no payment is due. */
  isPaid: boolean;
  tone: 'success' | 'warning' | 'danger' | 'neutral';
  /** Label to display instead of Stripe's status. */
  label?: string;
  /** Problem with the payment and how to fix the problem, in full sentences. */
  trouble?: string;
}

const PAID_STATUS = { isOngoing: true, grantsPlan: true, isPaid: true, tone: 'success' } as const;
const NOT_GIVEN = { isOngoing: true, grantsPlan: false, isPaid: false, tone: 'danger' } as const;
const ENDED_STATUS = { isOngoing: false, grantsPlan: false, isPaid: false, tone: 'danger' } as const;

/** Subscription statuses by name: Stripe's statuses, `self_hosted` and `pending_cancellation`. */
const SUBSCRIPTION_STATUSES: Readonly<Record<string, SubscriptionStatus>> = {
  [SELF_HOSTED]: { ...PAID_STATUS, tone: 'neutral', label: 'Self-hosted' },
  [PENDING_CANCELLATION]: { ...PAID_STATUS, tone: 'warning', label: 'Pending cancellation' },
  active: PAID_STATUS,
  trialing: PAID_STATUS,
  past_due: {
    ...PAID_STATUS,
    isPaid: false,
    tone: 'danger',
    trouble:
      'The last payment failed. Stripe will try again. Enter another card in Stripe, or the plan ends.',
  },
  unpaid: {
    ...NOT_GIVEN,
    trouble:
      'The plan is not paid, so the limits of the Free plan apply. Pay or enter another card in Stripe.',
  },
  paused: {
    ...NOT_GIVEN,
    trouble:
      'The trial has ended without a card, so the limits of the Free plan apply. Enter a card in Stripe to continue.',
  },
  /** The first payment was not made in time. */
  incomplete: ENDED_STATUS,
  incomplete_expired: ENDED_STATUS,
  canceled: ENDED_STATUS,
};

/**
 * Returns the meaning of a subscription status. Stripe may add statuses; an unknown status does not
 * grant the plan.
 */
export function subscriptionStatus(status: string): SubscriptionStatus {
  const known = Object.hasOwn(SUBSCRIPTION_STATUSES, status) ? SUBSCRIPTION_STATUSES[status] : undefined;
  return known ?? UNKNOWN_STATUS;
}

const UNKNOWN_STATUS: SubscriptionStatus = {
  ...NOT_GIVEN,
  trouble: 'The limits of the Free plan apply. Stripe shows what is missing.',
};

/** URL on this site to which the payment provider redirects the user. */
export const portalRequest = z.object({ return_url: z.url().max(2_000) });
export const portalAnswer = z.object({ url: z.url() });
export const subscriptionSynced = z.object({ status: z.literal('success') });

/** Details of an error response with the code `plan_limit`. */
export const planLimit = z.object({
  feature: memberOf(PLAN_FEATURES),
  plan_id: z.string(),
  /** Time when the quota resets, or null for features that the plan does not include. */
  resets_at: instant.nullable(),
});
export type PlanLimit = z.infer<typeof planLimit>;
