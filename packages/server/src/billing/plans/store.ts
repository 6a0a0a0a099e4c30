import type { Plan } from '@winnow/contract/plan';
import type { Selectable } from 'kysely';
import type { CustomPlanTable } from '../../schema/billing-tables.ts';
import type { Db } from '../../schema/tables.ts';
import { violates } from '../../schema/violations.ts';

/** A custom plan with the email address of its workspace's longest-standing owner. */
export type OwnedPlan = Plan & { email: string };

/** Returns the plan and the status of an account's subscription; undefined if there is none. */
export async function findSubscription(db: Db, accountId: string) {
  return db
    .selectFrom('subscription')
    .select(['plan_id as planId', 'status'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Creates a custom plan for an account. Returns false if the plan id is taken. */
export async function addCustomPlan(db: Db, accountId: string, plan: Plan): Promise<boolean> {
  const { features, ...rest } = plan;
  try {
    await db
      .insertInto('custom_plan')
      .values({ account_id: accountId, ...rest, features: JSON.stringify(features) })
      .execute();
    return true;
  } catch (error) {
    if (violates(error, 'custom_plan_pkey')) return false;
    throw error;
  }
}

/**
 * Deletes a custom plan. Returns the number of accounts that were on it; undefined if the plan does
 * not exist.
 */
export async function removeCustomPlan(db: Db, id: string): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('custom_plan')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return undefined;
    const { count } = await transaction
      .selectFrom('subscription')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('plan_id', '=', id)
      .executeTakeFirstOrThrow();
    return Number(count);
  });
}

/** Lists all custom plans, oldest first. */
export async function listCustomPlans(db: Db): Promise<OwnedPlan[]> {
  const rows = await customPlans(db)
    .innerJoin(
      ({ selectFrom }) =>
        selectFrom('member')
          .innerJoin('app_user', 'app_user.id', 'member.user_id')
          .select(['member.account_id', 'app_user.email'])
          .distinctOn('member.account_id')
          .where('member.role', '=', 'owner')
          .orderBy('member.account_id')
          .orderBy('member.joined_at')
          .as('owner'),
      (join) => join.onRef('owner.account_id', '=', 'custom_plan.account_id'),
    )
    .select('owner.email')
    .execute();
  return rows.map((row) => ({ ...planOfRow(row), email: row.email }));
}

/** Lists the custom plans of an account, oldest first. */
export async function customPlansOf(db: Db, accountId: string): Promise<Plan[]> {
  const rows = await customPlans(db).where('custom_plan.account_id', '=', accountId).execute();
  return rows.map(planOfRow);
}

function customPlans(db: Db) {
  return db
    .selectFrom('custom_plan')
    .select([
      'custom_plan.id',
      'custom_plan.name',
      'custom_plan.price_monthly',
      'custom_plan.price_annually',
      'custom_plan.features',
    ])
    .orderBy('custom_plan.created_at')
    .orderBy('custom_plan.id');
}

function planOfRow({
  id,
  name,
  price_monthly,
  price_annually,
  features,
}: Pick<Selectable<CustomPlanTable>, keyof Plan>): Plan {
  return {
    id,
    name,
    price_monthly: price_monthly === null ? null : Number(price_monthly),
    price_annually: price_annually === null ? null : Number(price_annually),
    features,
  };
}
