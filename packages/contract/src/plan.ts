import { z } from 'zod';
import { instant } from './primitives.ts';

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

/** What plan an account is on. `self_hosted`: whoever runs this installation chose it, and nothing is paid. */
export const subscription = z.object({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  cancel_at_period_end: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

/** The status of an account whose plan nobody pays for here. */
export const SELF_HOSTED = 'self_hosted';
