import type { Plan, PlanId } from '@winnow/contract/plan';
import type { Db } from '../schema/tables.ts';
import { notPartOf, type OptionalFeature } from './plan-limit.ts';
import { everybodysPlan, planOf } from './plans.ts';

/** Subscriptions that give their plan: those that are paid, on trial, or whose payment is being tried again. */
const GIVING = new Set(['active', 'trialing', 'past_due']);

/** Whether whoever has a subscription with this status has its plan. */
export function givesItsPlan(status: string): boolean {
  return GIVING.has(status);
}

/** What plan each account is on. */
export class PlansOfAccounts {
  readonly #db: Db;
  readonly #selfHosted: Plan | null;

  /** `selfHosted` is everybody's plan where nothing is paid; null where Stripe says who pays for what. */
  constructor({ db, selfHosted }: { db: Db; selfHosted: PlanId | null }) {
    this.#db = db;
    this.#selfHosted = selfHosted === null ? null : planOf(selfHosted);
  }

  /** Do plans limit how much is used? Where nothing is paid it is only counted. */
  get limitAmounts(): boolean {
    return this.#selfHosted === null;
  }

  /** The free plan for an account that pays for none, or for one that there is no more. In the transaction that `db` is. */
  async of(accountId: string, db = this.#db): Promise<Plan> {
    if (this.#selfHosted !== null) return this.#selfHosted;
    const row = await db
      .selectFrom('subscription')
      .select(['plan_id', 'status'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const isGiven = row?.status != null && givesItsPlan(row.status);
    const given = isGiven && row.plan_id !== null ? await this.find(accountId, row.plan_id, db) : null;
    return given ?? planOf('free');
  }

  /** The plans made for this account alone, the oldest first. */
  async customPlans(accountId: string, db = this.#db): Promise<Plan[]> {
    const rows = await db
      .selectFrom('custom_plan')
      .select(['id', 'name', 'price_monthly', 'price_annually', 'features'])
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(({ price_monthly, price_annually, ...plan }) => ({
      ...plan,
      price_monthly: price_monthly === null ? null : Number(price_monthly),
      price_annually: price_annually === null ? null : Number(price_annually),
    }));
  }

  /** A plan that the account may have; null when there is none of this id. */
  async find(accountId: string, planId: string, db = this.#db): Promise<Plan | null> {
    return (
      everybodysPlan(planId) ??
      (await this.customPlans(accountId, db)).find(({ id }) => id === planId) ??
      null
    );
  }

  /** Whether the account's plan has something. */
  async has(accountId: string, feature: OptionalFeature): Promise<boolean> {
    return (await this.of(accountId)).features[feature];
  }

  /** @throws {AppError} 403 `plan_limit` when the account's plan does not have something. */
  async expect(accountId: string, feature: OptionalFeature): Promise<void> {
    const plan = await this.of(accountId);
    if (!plan.features[feature]) throw notPartOf(plan, feature);
  }
}
