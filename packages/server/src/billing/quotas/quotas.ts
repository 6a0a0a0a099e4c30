import { type Plan, UNLIMITED } from '@winnow/contract/plan';
import type { UsageKind } from '@winnow/contract/usage';
import type { Db } from '../../schema/tables.ts';
import { addDays, dayOf, monthOf } from '../day.ts';
import type { AccountPlans } from '../plans/account-plans.ts';
import { type MonthlyQuota, quotaExceeded } from '../plans/refusals.ts';
import {
  countTaken,
  type QuotaGrant,
  type QuotaKey,
  type QuotaRequest,
  returnTo,
  takeFrom,
} from './quota-store.ts';

const USAGE_KINDS: Record<MonthlyQuota, UsageKind> = {
  api_calls_monthly: 'api_requests',
  ai_calls_monthly: 'ai_calls',
  issues_ingested_monthly: 'issues_ingested',
};

/** Monthly limit of an account on one kind of usage. */
export interface QuotaLimit {
  plan: Plan;
  max: number;
  key: QuotaKey;
  /** Start of the next calendar month (UTC), when usage begins at 0 again. */
  resetsAt: Date;
}

/** A unit that was taken from a plan's quota. */
export interface TakenUnit {
  /** Returns the unit to the quota because it was not used. Call it at most once. */
  refund(): Promise<void>;
}

/** Result for an account without a limit: there is no unit to return. */
const NOTHING_TAKEN: TakenUnit = { refund: async () => undefined };

export interface PlanQuotasOptions {
  db: Db;
  plans: Pick<AccountPlans, 'planOf' | 'enforcesQuotas'>;
  now: () => Date;
}

/** Monthly quotas of plans. All processes together never take more units than a quota allows. */
export class PlanQuotas {
  readonly #options: PlanQuotasOptions;

  constructor(options: PlanQuotasOptions) {
    this.#options = options;
  }

  /** True if plans limit usage. */
  get areLimited(): boolean {
    return this.#options.plans.enforcesQuotas;
  }

  /**
   * Returns the account's limit for one kind of usage, read in the transaction `db`. Null if there
   * is no limit.
   */
  async limitOf(accountId: string, amount: MonthlyQuota, db = this.#options.db): Promise<QuotaLimit | null> {
    const { plans, now } = this.#options;
    if (!plans.enforcesQuotas) return null;
    const plan = await plans.planOf(accountId, db);
    const max = plan.features[amount];
    if (max === UNLIMITED) return null;
    const month = monthOf(dayOf(now()));
    return {
      plan,
      max,
      key: { accountId, kind: USAGE_KINDS[amount], month },
      resetsAt: new Date(addDays(month.to, 1)),
    };
  }

  /**
   * Takes one unit.
   * @throws {AppError} `rate_limited` (code `plan_limit`) if the quota is exhausted
   */
  async take(accountId: string, amount: MonthlyQuota): Promise<TakenUnit> {
    const { db } = this.#options;
    const limit = await this.limitOf(accountId, amount);
    if (limit === null) return NOTHING_TAKEN;
    const { count } = await takeFrom(db, limit.key, { limit: limit.max, wanted: 1 });
    if (count === 0) throw this.refusal(limit, amount);
    return { refund: () => returnTo(db, limit.key, 1) };
  }

  /** Takes up to `wanted` units in the transaction `db`. Returns the number of units taken. */
  async takeUpTo(db: Db, accountId: string, amount: MonthlyQuota, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    const limit = await this.limitOf(accountId, amount, db);
    if (limit === null) return wanted;
    return (await takeFrom(db, limit.key, { limit: limit.max, wanted })).count;
  }

  /** True if at least one unit is left. */
  async hasUnitsLeft(accountId: string, amount: MonthlyQuota): Promise<boolean> {
    const limit = await this.limitOf(accountId, amount);
    return limit === null || (await countTaken(this.#options.db, limit.key)) < limit.max;
  }

  /**
   * Takes units of a quota, and extra units in advance if the request asks for them. The caller
   * must return unused extra units.
   */
  takeInAdvance(limit: QuotaLimit, asked: Omit<QuotaRequest, 'limit'>): Promise<QuotaGrant> {
    return takeFrom(this.#options.db, limit.key, { limit: limit.max, ...asked });
  }

  refund({ key }: Pick<QuotaLimit, 'key'>, count: number): Promise<void> {
    return returnTo(this.#options.db, key, count);
  }

  /** Creates the error for an exhausted quota. */
  refusal({ plan, resetsAt }: QuotaLimit, amount: MonthlyQuota) {
    return quotaExceeded(plan, amount, { now: this.#options.now(), resetsAt });
  }
}
