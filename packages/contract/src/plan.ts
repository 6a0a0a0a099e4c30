import { z } from 'zod';
import { instant, memberOf } from './primitives.ts';

/** The plans that everybody can have, cheapest first; further ones are made for one account. */
export const planId = z.enum(['free', 'pro', 'ultra', 'enterprise']);
export type PlanId = z.infer<typeof planId>;

/** What plans differ by, in the order in which it is shown, with its label. */
export const PLAN_FEATURES = {
  api_calls_monthly: 'API calls / month',
  ai_calls_monthly: 'AI calls / month',
  issues_ingested_monthly: 'Issues ingested / month',
  custom_ai_models_enabled: 'Custom AI models',
  custom_compliance_metrics_enabled: 'Custom compliance metrics',
} as const;
export type PlanFeature = keyof typeof PLAN_FEATURES;

/** The value of a feature that has no limit. */
export const UNLIMITED = -1;

const amount = z.int().min(UNLIMITED);
/** US dollars; null: by agreement. */
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

/** Where to pay; `refresh` when the plan was changed without that, and is to be read again. */
export const checkoutAnswer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('redirect'), url: z.url() }),
  z.object({ action: z.literal('refresh') }),
]);
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>;

/** A change of plan that is still to come. */
export const planChange = z.object({
  plan_id: z.string(),
  interval: billingInterval,
  at: instant,
});
export type PlanChange = z.infer<typeof planChange>;

/** A change of plan that begins once its difference is paid, and lapses at `until`. */
export const waitingChange = z.object({ plan_id: z.string(), interval: billingInterval, until: instant });
export type WaitingChange = z.infer<typeof waitingChange>;

/**
 * What plan an account is on. `self_hosted`: whoever runs this installation chose it, and nothing is paid;
 * `pending_cancellation`: it ends with the period; all else as Stripe says it, such as `active` and `past_due`.
 */
export const subscription = z.object({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  /** How it is paid; null where nothing is. */
  interval: billingInterval.nullable(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  cancel_at_period_end: z.boolean(),
  /** What it changes to when what is paid has ended; null: it stays as it is. */
  pending_change: planChange.nullable(),
  /** What it changes to once that is paid; null: nothing waits for a payment. */
  waiting_change: waitingChange.nullable(),
});
export type Subscription = z.infer<typeof subscription>;

/** So many US dollars each interval. */
export interface PaidPlan {
  plan_id: string | null;
  dollars: number;
  interval: BillingInterval;
}

/**
 * Whether a change of what is paid begins at once: one that costs no less, also by the month, and the same plan by the
 * year. Every other begins when what is paid has ended, since what was used of it is not given back.
 */
export function beginsAtOnce(from: PaidPlan, to: PaidPlan): boolean {
  if (to.dollars < from.dollars) return false;
  return from.plan_id === to.plan_id || byTheMonth(to) >= byTheMonth(from);
}

function byTheMonth({ dollars, interval }: PaidPlan): number {
  return interval === 'month' ? dollars : dollars / 12;
}

/** The status of an account whose plan nobody pays for here. */
export const SELF_HOSTED = 'self_hosted';
/** The status of a subscription that ends with its period. */
export const PENDING_CANCELLATION = 'pending_cancellation';

/** What a status of a subscription means, in words and in the semantic color that shows it. */
interface SubscriptionStatus {
  /** It was begun, and has not ended. */
  goesOn: boolean;
  /** Whoever has it has its plan. */
  givesPlan: boolean;
  /** Nothing is owed. */
  isPaid: boolean;
  tone: 'success' | 'warning' | 'danger' | 'neutral';
  /** Where Stripe's own word is not shown. */
  label?: string;
  /** What is wrong with paying, and what helps. */
  trouble?: string;
}

const PAID = { goesOn: true, givesPlan: true, isPaid: true, tone: 'success' } as const;
const NOT_GIVEN = { goesOn: true, givesPlan: false, isPaid: false, tone: 'danger' } as const;
const OVER = { goesOn: false, givesPlan: false, isPaid: false, tone: 'danger' } as const;

/** Stripe's words, and the two that are ours. */
const SUBSCRIPTION_STATUSES: Readonly<Record<string, SubscriptionStatus>> = {
  [SELF_HOSTED]: { ...PAID, tone: 'neutral', label: 'Self-hosted' },
  [PENDING_CANCELLATION]: { ...PAID, tone: 'warning', label: 'Pending cancellation' },
  active: PAID,
  trialing: PAID,
  past_due: {
    ...PAID,
    isPaid: false,
    tone: 'danger',
    trouble:
      'The last payment failed, and Stripe tries it again. Enter another card in Stripe, or the plan ends.',
  },
  unpaid: {
    ...NOT_GIVEN,
    trouble:
      'The plan is not paid, so the limits of the Free plan hold. Pay or enter another card in Stripe.',
  },
  paused: {
    ...NOT_GIVEN,
    trouble:
      'The trial has ended without a card, so the limits of the Free plan hold. Enter a card in Stripe to go on.',
  },
  /** The first payment was not made, or not in time. */
  incomplete: OVER,
  incomplete_expired: OVER,
  canceled: OVER,
};

/** What a status means; one that Stripe may have added since gives no plan. */
export function subscriptionStatus(status: string): SubscriptionStatus {
  const known = Object.hasOwn(SUBSCRIPTION_STATUSES, status) ? SUBSCRIPTION_STATUSES[status] : undefined;
  return known ?? UNKNOWN_STATUS;
}

const UNKNOWN_STATUS: SubscriptionStatus = {
  ...NOT_GIVEN,
  trouble: 'The limits of the Free plan hold. Stripe shows what is missing.',
};

/** Where the payment provider's own pages lead back to: an address of this site. */
export const portalRequest = z.object({ return_url: z.url().max(2_000) });
export const portalAnswer = z.object({ url: z.url() });
export const subscriptionSynced = z.object({ status: z.literal('success') });

/** What an answer with the code `plan_limit` says beside its sentence. */
export const planLimit = z.object({
  feature: memberOf(PLAN_FEATURES),
  plan_id: z.string(),
  /** When the amount is to be had anew; null for what the plan does not have at all. */
  resets_at: instant.nullable(),
});
export type PlanLimit = z.infer<typeof planLimit>;
