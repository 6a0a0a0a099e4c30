import type { Db } from '../../schema/tables.ts';

/** Puts an account on a plan, as if the account had bought it. */
export async function givePlan(db: Db, accountId: string, planId: string): Promise<void> {
  const paid = { plan_id: planId, status: 'active', interval: 'month' as const, read_at: new Date() };
  await db
    .insertInto('subscription')
    .values({
      account_id: accountId,
      customer_id: `cus_${accountId}`,
      subscription_id: `sub_${accountId}`,
      cancel_at_period_end: false,
      current_period_start: null,
      current_period_end: null,
      ...paid,
    })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(paid))
    .execute();
}
