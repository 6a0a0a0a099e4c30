import { PLAN_FEATURES, type Plan, type PlanFeature, type PlanLimit } from '@winnow/contract/plan';
import { AppError } from '../../platform/errors.ts';

/** A quota that limits usage per month. */
export type MonthlyQuota = 'api_calls_monthly' | 'ai_calls_monthly' | 'issues_ingested_monthly';
/** A feature that only some plans include. */
export type OptionalFeature = Exclude<PlanFeature, MonthlyQuota>;

const QUOTA_NAMES: Record<MonthlyQuota, string> = {
  api_calls_monthly: 'API calls',
  ai_calls_monthly: 'AI calls',
  issues_ingested_monthly: 'new issues',
};
const PLAN_LIMIT_CODE = 'plan_limit';

/**
 * Creates the 429 error `plan_limit` for an exhausted monthly quota. `Retry-After` is the time
 * until the next month.
 */
export function quotaExceeded(
  plan: Plan,
  amount: MonthlyQuota,
  { now, resetsAt }: { now: Date; resetsAt: Date },
): AppError {
  return new AppError({
    code: PLAN_LIMIT_CODE,
    category: 'rate_limited',
    detail: `${sentenceOfUse(plan, amount)} More are available from ${dayInWords(resetsAt)}, or with another plan.`,
    more: { feature: amount, plan_id: plan.id, resets_at: resetsAt.toISOString() } satisfies PlanLimit,
    retryAfterSeconds: (resetsAt.getTime() - now.getTime()) / 1000,
  });
}

/** Returns the sentence that explains why new issues are skipped, and until when. */
export function skippedIssuesSentence(plan: Plan, resetsAt: Date): string {
  return `${sentenceOfUse(plan, 'issues_ingested_monthly')} Further issues are skipped until ${dayInWords(resetsAt)}, or until the plan changes. Existing issues stay up to date.`;
}

/**
 * Creates the 403 error `plan_limit` for a feature that the plan lacks. It has no `Retry-After`,
 * because waiting does not help.
 */
export function featureMissing(plan: Plan, feature: OptionalFeature): AppError {
  return new AppError({
    code: PLAN_LIMIT_CODE,
    category: 'forbidden',
    detail: `${PLAN_FEATURES[feature]} are not part of your plan ${plan.name}. They come with another plan.`,
    more: { feature, plan_id: plan.id, resets_at: null } satisfies PlanLimit,
  });
}

/** True if an error was caused by a limit of the account's plan. */
export function isPlanLimit(error: unknown): error is AppError {
  return error instanceof AppError && error.code === PLAN_LIMIT_CODE;
}

function sentenceOfUse(plan: Plan, amount: MonthlyQuota): string {
  const most = plan.features[amount].toLocaleString('en-US');
  return `Your plan ${plan.name} allows ${most} ${QUOTA_NAMES[amount]} a month, and they are used up.`;
}

function dayInWords(day: Date): string {
  return day.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
