import { PLAN_FEATURES, type PlanFeature } from '@winnow/contract/plan';

const isFeature = (key: string): key is PlanFeature => key in PLAN_FEATURES;

/** Features by which plans differ, with labels, in display order. */
export const FEATURE_ROWS = Object.keys(PLAN_FEATURES)
  .filter(isFeature)
  .map((feature) => ({ feature, label: PLAN_FEATURES[feature] }));
