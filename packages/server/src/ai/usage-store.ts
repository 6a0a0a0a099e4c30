import type { ModelCalls, UsageRange } from '@winnow/contract/usage';
import { type RawBuilder, sql } from 'kysely';
import { addDays, type DailyModelCalls, type ModelUsage } from '../billing/index.ts';
import { deleteInBatches } from '../platform/batched-delete.ts';
import type { Db } from '../schema/tables.ts';

/** Returns an account's model calls in a date range, most frequent first. */
export async function readModelCalls(db: Db, accountId: string, range: UsageRange): Promise<ModelUsage> {
  const [byModel, byFeature, byDate] = await Promise.all([
    callsBy<ModelUsage['by_model'][number]>(db, accountId, range, {
      model: sql`model_name`,
      provider: sql`provider_name`,
      identifier: sql`model_identifier`,
    }),
    callsBy<ModelUsage['by_feature'][number]>(db, accountId, range, { feature: sql`feature` }),
    callsBy<ModelCalls & { date: string }>(db, accountId, range, {
      date: UTC_DAY,
    }),
  ]);
  return {
    ...totalOf(byFeature),
    by_model: byModel,
    by_feature: byFeature,
    by_date: byDate.map(({ date, calls, cost }) => ({ date, calls, cost })),
  };
}

/** Returns the number of calls per day, model and feature, ordered by day. */
export async function dailyModelCalls(
  db: Db,
  accountId: string,
  range: UsageRange,
): Promise<DailyModelCalls[]> {
  const rows = await callsBy<DailyModelCalls>(db, accountId, range, {
    date: UTC_DAY,
    model: sql`model_name`,
    feature: sql`feature`,
  });
  return rows.toSorted((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

const UTC_DAY = sql`(at at time zone 'UTC')::date`;

/** Deletes the records of calls made before a day. */
export async function removeCallsBefore(db: Db, day: string): Promise<void> {
  await deleteInBatches(db, 'ai_call', sql<boolean>`at < ${new Date(day)}`);
}

async function callsBy<Row extends ModelCalls>(
  db: Db,
  accountId: string,
  { from, to }: UsageRange,
  columns: Record<Exclude<keyof Row, keyof ModelCalls> & string, RawBuilder<unknown>>,
): Promise<Row[]> {
  const expressions = Object.entries<RawBuilder<unknown>>(columns);
  const { rows } = await sql<Row>`
    select ${sql.join(expressions.map(([name, expression]) => sql`${expression} as ${sql.ref(name)}`))},
      sum(answers)::bigint as calls,
      count(*) filter (where outcome <> 'answered') as failed,
      coalesce(sum(input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(output_tokens), 0)::bigint as output_tokens,
      (coalesce(sum(input_tokens), 0) + coalesce(sum(output_tokens), 0))::bigint as tokens,
      coalesce(sum(cost), 0) as cost,
      coalesce(sum(answers) filter (where cost is null), 0)::bigint as unpriced_calls
    from ai_call
    where account_id = ${accountId} and at >= ${new Date(from)} and at < ${new Date(addDays(to, 1))}
    group by ${sql.join(expressions.map(([, expression]) => expression))}
    order by calls desc, ${sql.join(expressions.map(([name]) => sql.ref(name)))}
  `.execute(db);
  return rows;
}

function totalOf(parts: readonly ModelCalls[]): ModelCalls {
  const sum = (name: keyof ModelCalls) => parts.reduce((total, part) => total + part[name], 0);
  return {
    calls: sum('calls'),
    failed: sum('failed'),
    tokens: sum('tokens'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    // Rounded to millionths of a dollar, the precision of the stored costs.
    cost: Math.round(sum('cost') * 1e6) / 1e6,
    unpriced_calls: sum('unpriced_calls'),
  };
}
