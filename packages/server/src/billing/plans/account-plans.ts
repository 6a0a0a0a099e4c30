import { type Plan, type PlanId, subscriptionStatus } from '@winnow/contract/plan';
import type { Db } from '../../schema/tables.ts';
import { planOf, publicPlan } from './plans.ts';
import { featureMissing, type OptionalFeature } from './refusals.ts';
import { customPlansOf, findSubscription } from './store.ts';

/** Finds the plan of an account and the features that it includes. */
export class AccountPlans {
  readonly #db: Db;
  readonly #selfHosted: Plan | null;

  /**
   * `selfHosted` is the plan of every account if this installation sells no plans. Null if Stripe's
   * subscriptions decide.
   */
  constructor({ db, selfHosted }: { db: Db; selfHosted: PlanId | null }) {
    this.#db = db;
    this.#selfHosted = selfHosted === null ? null : planOf(selfHosted);
  }

  /** True if plans limit usage. If this installation sells no plans, usage is only counted. */
  get enforcesQuotas(): boolean {
    return this.#selfHosted === null;
  }

  /**
   * Returns the plan of an account, read in the transaction `db`. An installation without payments
   * has one plan for all accounts. Elsewhere, accounts without a subscription, or with one for a
   * deleted plan, are on the Free plan.
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

  /** Finds a plan that the account may have; null if there is none with this id. */
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
