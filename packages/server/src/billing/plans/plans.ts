import { type Plan, type PlanId, UNLIMITED } from '@winnow/contract/plan';

const PLANS = {
  free: {
    name: 'Free',
    price_monthly: 0,
    price_annually: 0,
    features: {
      api_calls_monthly: 1_000,
      ai_calls_monthly: 10,
      issues_ingested_monthly: 100,
      custom_ai_models_enabled: false,
      custom_compliance_metrics_enabled: false,
    },
  },
  pro: {
    name: 'Pro',
    price_monthly: 20,
    price_annually: 200,
    features: {
      api_calls_monthly: 10_000,
      ai_calls_monthly: 100,
      issues_ingested_monthly: 1_000,
      custom_ai_models_enabled: false,
      custom_compliance_metrics_enabled: false,
    },
  },
  ultra: {
    name: 'Ultra',
    price_monthly: 200,
    price_annually: 2_000,
    features: {
      api_calls_monthly: UNLIMITED,
      ai_calls_monthly: 1_000,
      issues_ingested_monthly: 10_000,
      custom_ai_models_enabled: true,
      custom_compliance_metrics_enabled: false,
    },
  },
  enterprise: {
    name: 'Enterprise',
    price_monthly: null,
    price_annually: null,
    features: {
      api_calls_monthly: UNLIMITED,
      ai_calls_monthly: UNLIMITED,
      issues_ingested_monthly: UNLIMITED,
      custom_ai_models_enabled: true,
      custom_compliance_metrics_enabled: true,
    },
  },
} satisfies Record<PlanId, Omit<Plan, 'id'>>;

export function planOf(id: PlanId): Plan {
  return { id, ...PLANS[id] };
}

/** All public plans, from the cheapest to the most expensive. */
export const plans: readonly Plan[] = Object.entries(PLANS).map(([id, rest]) => ({ id, ...rest }));

/** Returns the public plan with this id; null if there is none. */
export function publicPlan(id: string): Plan | null {
  return plans.find((plan) => plan.id === id) ?? null;
}
