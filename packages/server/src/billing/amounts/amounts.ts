import { type Plan, UNLIMITED } from '@winnow/contract/plan';
import type { UsageKind } from '@winnow/contract/usage';
import type { Db } from '../../schema/tables.ts';
import type { PlansOfAccounts } from '../plans/plans-of-accounts.ts';
import { type MonthlyAmount, usedUp } from '../plans/refusals.ts';
import { addDays, dayOf, monthOf } from '../usage/day.ts';
import { type AmountPlace, type Asked, type Given, giveBackTo, takenOf, takeOf } from './amount-store.ts';

const KINDS: Record<MonthlyAmount, UsageKind> = {
  api_calls_monthly: 'api_requests',
  ai_calls_monthly: 'ai_calls',
  issues_ingested_monthly: 'issues_ingested',
};

/** How much of something an account may use in the calendar month (UTC) that it is. */
export interface Limit {
  plan: Plan;
  most: number;
  place: AmountPlace;
  /** When the next month begins. */
  resetsAt: Date;
}

/** Something that was taken of a plan's amount. */
export interface Taken {
  /** Since it was not used after all. To be called once. */
  giveBack(): Promise<void>;
}

/** Where nothing limits, nothing is taken. */
const NOTHING: Taken = { giveBack: async () => undefined };

export interface PlanAmountsOptions {
  db: Db;
  plans: Pick<PlansOfAccounts, 'of' | 'limitAmounts'>;
  now: () => Date;
}

/** What accounts may use of their plans, exact to the one however many processes take of it. */
export class PlanAmounts {
  readonly #options: PlanAmountsOptions;

  constructor(options: PlanAmountsOptions) {
    this.#options = options;
  }

  /** Whether there is anything that plans limit. */
  get areLimited(): boolean {
    return this.#options.plans.limitAmounts;
  }

  /** Null where nothing limits the account. In the transaction that `db` is. */
  async limitOf(accountId: string, amount: MonthlyAmount, db = this.#options.db): Promise<Limit | null> {
    const { plans, now } = this.#options;
    if (!plans.limitAmounts) return null;
    const plan = await plans.of(accountId, db);
    const most = plan.features[amount];
    if (most === UNLIMITED) return null;
    const month = monthOf(dayOf(now()));
    return {
      plan,
      most,
      place: { accountId, kind: KINDS[amount], month },
      resetsAt: new Date(addDays(month.to, 1)),
    };
  }

  /** Takes one. @throws {AppError} 429 `plan_limit` when none is left. */
  async take(accountId: string, amount: MonthlyAmount): Promise<Taken> {
    const { db } = this.#options;
    const limit = await this.limitOf(accountId, amount);
    if (limit === null) return NOTHING;
    const { count } = await takeOf(db, limit.place, { limit: limit.most, wanted: 1 });
    if (count === 0) throw this.refusal(limit, amount);
    return { giveBack: () => giveBackTo(db, limit.place, 1) };
  }

  /** Takes as many as are wanted, or as many as are left, in the transaction that `db` is; answers how many. */
  async takeUpTo(db: Db, accountId: string, amount: MonthlyAmount, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    const limit = await this.limitOf(accountId, amount, db);
    if (limit === null) return wanted;
    return (await takeOf(db, limit.place, { limit: limit.most, wanted })).count;
  }

  /** Whether any is left. */
  async isLeft(accountId: string, amount: MonthlyAmount): Promise<boolean> {
    const limit = await this.limitOf(accountId, amount);
    return limit === null || (await takenOf(this.#options.db, limit.place)) < limit.most;
  }

  /** Takes of a limit, some of it ahead. What is not used is to be given back. */
  takeAhead(limit: Limit, asked: Omit<Asked, 'limit'>): Promise<Given> {
    return takeOf(this.#options.db, limit.place, { limit: limit.most, ...asked });
  }

  giveBack({ place }: Pick<Limit, 'place'>, count: number): Promise<void> {
    return giveBackTo(this.#options.db, place, count);
  }

  /** Why nothing can be taken, as it is answered. */
  refusal({ plan, resetsAt }: Limit, amount: MonthlyAmount) {
    return usedUp(plan, amount, { now: this.#options.now(), resetsAt });
  }
}
