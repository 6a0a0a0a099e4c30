// Other features may import this file only.

export { addDays, dayOf } from './day.ts';
export type { AccountPlans } from './plans/account-plans.ts';
export { featureMissing, isPlanLimit, skippedIssuesSentence } from './plans/refusals.ts';
export type { PlanQuotas, TakenUnit } from './quotas/quotas.ts';
export { addUsage } from './usage/counter-store.ts';
export type { DailyModelCalls, ModelUsage } from './usage/usage.ts';
