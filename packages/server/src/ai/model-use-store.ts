import { type Selectable, sql } from 'kysely';
import type { AiModelUseTable } from '../schema/ai-tables.ts';
import type { Db } from '../schema/tables.ts';

export type ModelUseRow = Selectable<AiModelUseTable>;

/** Maximum calls and cost (US dollars) per month; null for no cap. */
export interface MonthlyCaps {
  calls: number | null;
  cost: number | null;
}

/** Returns the use of an account's models in the month that begins at `month`. */
export async function listMonthlyUse(db: Db, accountId: string, month: Date): Promise<ModelUseRow[]> {
  return db
    .selectFrom('ai_model_use')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('period', '=', 'month')
    .where('starts_at', '=', month)
    .execute();
}

/**
 * Counts a call and its expected cost. If the call would exceed a cap, marks the month as full and
 * returns false.
 */
export async function takeMonthlyCall(
  db: Db,
  accountId: string,
  modelId: string,
  { month, cost, caps }: { month: Date; cost: number; caps: MonthlyCaps },
): Promise<boolean> {
  const callCap = sql`coalesce(${caps.calls}::integer, 2147483647)`;
  const costCap = sql`coalesce(${caps.cost}::float8, 'infinity')`;
  const ofThisMonth = (column: 'calls' | 'cost') =>
    sql`case when used.starts_at = excluded.starts_at then used.${sql.ref(column)} else 0 end`;
  const taken = await sql`
    insert into ai_model_use as used (account_id, ai_model_id, period, starts_at, calls, cost)
    select account_id, id, 'month', ${month}::timestamptz, 1, ${cost}::float8 from ai_model
    where account_id = ${accountId} and id = ${modelId} and ${callCap} >= 1 and ${costCap} > 0
      and ${cost}::float8 <= ${costCap}
    on conflict (account_id, ai_model_id, period) do update
      set starts_at = excluded.starts_at, is_full = false,
          calls = ${ofThisMonth('calls')} + 1, cost = ${ofThisMonth('cost')} + excluded.cost
      where ${ofThisMonth('calls')} < ${callCap} and ${ofThisMonth('cost')} < ${costCap}
        and ${ofThisMonth('cost')} + excluded.cost <= ${costCap}
    returning calls
  `.execute(db);
  if (taken.rows.length > 0) return true;
  const refused = await sql`
    insert into ai_model_use as used (account_id, ai_model_id, period, starts_at, calls, is_full)
    select account_id, id, 'month', ${month}::timestamptz, 0, true from ai_model
    where account_id = ${accountId} and id = ${modelId}
    on conflict (account_id, ai_model_id, period) do update
      set starts_at = excluded.starts_at, is_full = true, calls = ${ofThisMonth('calls')}, cost = ${ofThisMonth('cost')}
    returning calls
  `.execute(db);
  // No row means that the model was deleted in the meantime. A deleted model has no caps.
  return refused.rows.length === 0;
}

/**
 * Corrects a month's use: after a call that was not made, or if the actual cost differs from the
 * expected cost.
 */
export async function adjustMonthlyUse(
  db: Db,
  accountId: string,
  modelId: string,
  { month, calls, cost }: { month: Date; calls: number; cost: number },
): Promise<void> {
  await db
    .updateTable('ai_model_use')
    .set((set) => ({
      calls: sql<number>`greatest(0, calls + ${calls}::integer)`,
      cost: set.fn<number>('greatest', [sql`0`, sql`cost + ${cost}::float8`]),
    }))
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .where('period', '=', 'month')
    .where('starts_at', '=', month)
    .execute();
}

/** Removes the mark that the month is full, after a cap was changed. */
export async function reopenMonth(db: Db, accountId: string, modelId: string): Promise<void> {
  await db
    .updateTable('ai_model_use')
    .set({ is_full: false })
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .where('period', '=', 'month')
    .execute();
}

/**
 * Takes up to `wanted` calls from the hourly allowance for lists. Returns the number of calls
 * taken.
 */
export async function takeListCalls(
  db: Db,
  accountId: string,
  modelId: string,
  { hour, wanted, limit }: { hour: Date; wanted: number; limit: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`
      insert into ai_model_use (account_id, ai_model_id, period, starts_at, calls)
      select account_id, id, 'hour_of_lists', ${hour}::timestamptz, 0
      from ai_model where account_id = ${accountId} and id = ${modelId}
      on conflict (account_id, ai_model_id, period) do update
        set calls = case when ai_model_use.starts_at = excluded.starts_at then ai_model_use.calls else 0 end,
            starts_at = excluded.starts_at
    `.execute(transaction);
    const ofHour = transaction
      .selectFrom('ai_model_use')
      .select('calls')
      .where('account_id', '=', accountId)
      .where('ai_model_id', '=', modelId)
      .where('period', '=', 'hour_of_lists');
    const used = (await ofHour.executeTakeFirst())?.calls ?? limit;
    const taken = Math.max(0, Math.min(wanted, limit - used));
    if (taken > 0) {
      await transaction
        .updateTable('ai_model_use')
        .set({ calls: used + taken })
        .where('account_id', '=', accountId)
        .where('ai_model_id', '=', modelId)
        .where('period', '=', 'hour_of_lists')
        .execute();
    }
    return taken;
  });
}
