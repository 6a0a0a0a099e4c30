import { PLAN_FEATURES, type Plan, type PlanFeature, type PlanLimit } from '@winnow/contract/plan';
import { AppError } from '../../platform/errors.ts';

/** What a plan allows so much of in a month. */
export type MonthlyAmount = 'api_calls_monthly' | 'ai_calls_monthly' | 'issues_ingested_monthly';
/** What a plan has or has not. */
export type OptionalFeature = Exclude<PlanFeature, MonthlyAmount>;

const OF_AMOUNT: Record<MonthlyAmount, string> = {
  api_calls_monthly: 'API calls',
  ai_calls_monthly: 'AI calls',
  issues_ingested_monthly: 'new issues',
};
const CODE = 'plan_limit';

/** 429 `plan_limit`: a month's amount is used up. `Retry-After` leads to the next month. */
export function usedUp(
  plan: Plan,
  amount: MonthlyAmount,
  { now, resetsAt }: { now: Date; resetsAt: Date },
): AppError {
  return new AppError({
    code: CODE,
    status: 429,
    detail: `${sentenceOfUse(plan, amount)} There are more from ${dayInWords(resetsAt)} on, or with another plan.`,
    more: { feature: amount, plan_id: plan.id, resets_at: resetsAt.toISOString() } satisfies PlanLimit,
    retryAfterSeconds: (resetsAt.getTime() - now.getTime()) / 1000,
  });
}

/** Why new issues are left out, and when that ends. */
export function leftOutSentence(plan: Plan, resetsAt: Date): string {
  return `${sentenceOfUse(plan, 'issues_ingested_monthly')} Others are left out until ${dayInWords(resetsAt)}, or until there is another plan; those that are here are kept up to date.`;
}

/** 403 `plan_limit`: the plan does not have this at all, so that waiting does not help. */
export function notPartOf(plan: Plan, feature: OptionalFeature): AppError {
  return new AppError({
    code: CODE,
    status: 403,
    detail: `${PLAN_FEATURES[feature]} are not part of your plan ${plan.name}. They come with another plan.`,
    more: { feature, plan_id: plan.id, resets_at: null } satisfies PlanLimit,
  });
}

/** Whether something was refused because of the plan. */
export function isPlanLimit(error: unknown): error is AppError {
  return error instanceof AppError && error.code === CODE;
}

function sentenceOfUse(plan: Plan, amount: MonthlyAmount): string {
  const most = plan.features[amount].toLocaleString('en-US');
  return `Your plan ${plan.name} allows ${most} ${OF_AMOUNT[amount]} a month, and they are used up.`;
}

function dayInWords(day: Date): string {
  return day.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
