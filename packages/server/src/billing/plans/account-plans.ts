import { type Plan, type PlanId, subscriptionStatus } from '@winnow/contract/plan';
import type { Db } from '../../schema/tables.ts';
import { planOf, publicPlan } from './plans.ts';
import { featureMissing, type OptionalFeature } from './refusals.ts';
import { customPlansOf, findSubscription } from './store.ts';

/** Finds the plan of an account, and the features that the plan includes. */
export class AccountPlans {
  readonly #db: Db;
  readonly #selfHosted: Plan | null;

  /**
   * @param options.selfHosted plan of every account if this installation sells no plans; null if
   * Stripe subscriptions decide
   */
  constructor({ db, selfHosted }: { db: Db; selfHosted: PlanId | null }) {
    this.#db = db;
    this.#selfHosted = selfHosted === null ? null : planOf(selfHosted);
  }

  /** True if plans limit usage. Installations that sell no plans only count usage. */
  get enforcesQuotas(): boolean {
    return this.#selfHosted === null;
  }

  /**
   * Returns the plan of an account, read in the transaction `db`. Installations without payments
   * have one plan for all accounts. Otherwise, accounts without a subscription are on the Free
   * plan. So are accounts whose plan was deleted.
   */
  async planOf(accountId: string, db = this.#db): Promise<Plan> {
    if (this.#selfHosted !== null) return this.#selfHosted;
    const subscription = await findSubscription(db, accountId);
    const isGiven = subscription?.status != null && subscriptionStatus(subscription.status).grantsPlan;
    const given =
      isGiven && subscription.planId !== null ? await this.find(accountId, subscription.planId, db) : null;
    return given ?? planOf('free');
  }

  /** Lists the custom plans of an account, oldest first. */
  customPlans(accountId: string): Promise<Plan[]> {
    return customPlansOf(this.#db, accountId);
  }

  /**
   * Returns the public plan, or the custom plan of this account, with this id. Null if there is
   * none.
   */
  async find(accountId: string, planId: string, db = this.#db): Promise<Plan | null> {
    return publicPlan(planId) ?? (await customPlansOf(db, accountId)).find(({ id }) => id === planId) ?? null;
  }

  /** True if the account's plan includes the feature. */
  async has(accountId: string, feature: OptionalFeature): Promise<boolean> {
    return (await this.planOf(accountId)).features[feature];
  }

  /** @throws {AppError} `forbidden` (code `plan_limit`) if the account's plan lacks the feature */
  async expect(accountId: string, feature: OptionalFeature): Promise<void> {
    const plan = await this.planOf(accountId);
    if (!plan.features[feature]) throw featureMissing(plan, feature);
  }
}
