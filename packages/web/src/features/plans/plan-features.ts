import { PLAN_FEATURES, type PlanFeature } from '@winnow/contract/plan';

const isFeature = (key: string): key is PlanFeature => key in PLAN_FEATURES;

/** What plans differ by, in the order in which it is shown, with its label. */
export const FEATURE_ROWS = Object.keys(PLAN_FEATURES)
  .filter(isFeature)
  .map((feature) => ({ feature, label: PLAN_FEATURES[feature] }));
