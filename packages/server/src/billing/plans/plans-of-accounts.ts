import { type Plan, type PlanId, subscriptionStatus } from '@winnow/contract/plan';
import type { Db } from '../../schema/tables.ts';
import { customPlansOf } from './custom-plans.ts';
import { everybodysPlan, planOf } from './plans.ts';
import { notPartOf, type OptionalFeature } from './refusals.ts';

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
    const isGiven = row?.status != null && subscriptionStatus(row.status).givesPlan;
    const given = isGiven && row.plan_id !== null ? await this.find(accountId, row.plan_id, db) : null;
    return given ?? planOf('free');
  }

  /** The plans made for this account alone, the oldest first. */
  customPlans(accountId: string): Promise<Plan[]> {
    return customPlansOf(this.#db, accountId);
  }

  /** A plan that the account may have; null when there is none of this id. */
  async find(accountId: string, planId: string, db = this.#db): Promise<Plan | null> {
    return (
      everybodysPlan(planId) ?? (await customPlansOf(db, accountId)).find(({ id }) => id === planId) ?? null
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
