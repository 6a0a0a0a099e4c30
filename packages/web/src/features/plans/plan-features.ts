import { PLAN_FEATURES, type PlanFeature } from '@winnow/contract/plan';

const isFeature = (key: string): key is PlanFeature => key in PLAN_FEATURES;

/** Features that differ between plans, with labels, in display order. */
export const FEATURE_ROWS = Object.keys(PLAN_FEATURES)
  .filter(isFeature)
  .map((feature) => ({ feature, label: PLAN_FEATURES[feature] }));
