import type { UsageRange } from '@winnow/contract/usage';
import { sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { Db } from '../../schema/tables.ts';
import { histogramFrom, type LatencyHistogram } from './latency.ts';

/** Requests made with one API key to one endpoint on one day. */
export interface ApiCalls {
  accountId: string;
  keyId: string;
  day: string;
  method: string;
  endpoint: string;
  count: number;
  errors: number;
  latency: LatencyHistogram;
}

/**
 * Adds requests to the stored usage and to the daily counters of their accounts, in one statement.
 * Skips deleted accounts.
 */
export async function addApiCalls(db: Db, calls: readonly ApiCalls[]): Promise<void> {
  // The rows are sorted, so that all processes lock them in the same order and cannot deadlock.
  await sql`
    with given as (
      select given.*, api_key.name as key_name
      from unnest(
        ${calls.map((call) => call.accountId)}::uuid[],
        ${calls.map((call) => call.keyId)}::uuid[],
        ${calls.map((call) => call.day)}::date[],
        ${calls.map((call) => call.method)}::text[],
        ${calls.map((call) => call.endpoint)}::text[],
        ${calls.map((call) => call.count)}::bigint[],
        ${calls.map((call) => call.errors)}::bigint[],
        ${calls.map((call) => `{${call.latency.join(',')}}`)}::text[]
      ) as given (account_id, key_id, day, method, endpoint, count, errors, latency)
      join account on account.id = given.account_id
      left join api_key on api_key.account_id = given.account_id and api_key.id = given.key_id
    ), by_endpoint as (
      insert into api_usage (account_id, day, key_id, endpoint, method, key_name, count, errors, latency)
      select account_id, day, key_id, endpoint, method, key_name, count, errors, latency::integer[]
      from given
      order by account_id, day, key_id, endpoint, method
      on conflict (account_id, day, key_id, endpoint, method) do update set
        key_name = coalesce(api_usage.key_name, excluded.key_name),
        count = api_usage.count + excluded.count,
        errors = api_usage.errors + excluded.errors,
        latency = array(
          select coalesce(stored, 0) + coalesce(added, 0)
          from unnest(api_usage.latency, excluded.latency) with ordinality as bucket (stored, added, place)
          order by place
        )
    )
    insert into usage_counter (account_id, kind, day, count)
    select account_id, 'api_requests', day, sum(count) from given
    group by account_id, day
    order by account_id, day
    on conflict (account_id, kind, day) do update set count = usage_counter.count + excluded.count
  `.execute(db);
}

export interface EndpointUsage {
  endpoint: string;
  method: string;
  count: number;
  errors: number;
  latency: LatencyHistogram;
}

/** Returns the requests per endpoint, most frequent first. */
export async function usageByEndpoint(
  db: Db,
  accountId: string,
  { from, to }: UsageRange,
): Promise<EndpointUsage[]> {
  type Row = Omit<EndpointUsage, 'latency'> & { buckets: number[]; requests: number[] };
  // Skips empty buckets. Most buckets are empty, and skipping them halves the time of the query.
  const { rows } = await sql<Row>`
    with used as (
      select * from api_usage where account_id = ${accountId} and day between ${from} and ${to}
    ), bucket as (
      select endpoint, method, place, sum(requests)::bigint as requests
      from used, unnest(latency) with ordinality as of_row (requests, place)
      where requests > 0
      group by endpoint, method, place
    ), histogram as (
      select endpoint, method, array_agg(place - 1) as buckets, array_agg(requests) as requests
      from bucket
      group by endpoint, method
    ), total as (
      select endpoint, method, sum(count)::bigint as count, sum(errors)::bigint as errors
      from used
      group by endpoint, method
    )
    select * from total join histogram using (endpoint, method)
    order by count desc, endpoint, method
  `.execute(db);
  return rows.map(({ buckets, requests, ...row }) => ({
    ...row,
    latency: histogramFrom(buckets.map((bucket, index) => [bucket, requests[index] ?? 0])),
  }));
}

export interface KeyUsage {
  key_id: string;
  /** Name of the key; null if it was never stored. */
  name: string | null;
  is_revoked: boolean;
  count: number;
  errors: number;
}

/** Returns the requests per API key, most frequent first. */
export async function usageByKey(db: Db, accountId: string, { from, to }: UsageRange): Promise<KeyUsage[]> {
  const { rows } = await sql<KeyUsage>`
    select key_id, max(key_name) as name, sum(count)::bigint as count, sum(errors)::bigint as errors,
      not exists (select from api_key where api_key.account_id = ${accountId} and id = key_id) as is_revoked
    from api_usage
    where account_id = ${accountId} and day between ${from} and ${to}
    group by key_id
    order by count desc, name, key_id
  `.execute(db);
  return rows;
}

/** Returns the number of requests per API key over the whole retention period. */
export async function requestsOfKeys(db: Db, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('api_usage')
    .select((select) => ['key_id', select.fn.sum<number>('count').as('requests')])
    .where('account_id', '=', accountId)
    .groupBy('key_id')
    .execute();
  return new Map(rows.map(({ key_id, requests }) => [key_id, requests]));
}

export interface DayUsage {
  date: string;
  count: number;
  errors: number;
}

/** Returns the requests per day. Days without requests are omitted. */
export async function usageByDay(db: Db, accountId: string, { from, to }: UsageRange): Promise<DayUsage[]> {
  const { rows } = await sql<DayUsage>`
    select day as date, sum(count)::bigint as count, sum(errors)::bigint as errors
    from api_usage
    where account_id = ${accountId} and day between ${from} and ${to}
    group by day
  `.execute(db);
  return rows;
}

export type UsageRow = Pick<ApiCalls, 'day' | 'method' | 'endpoint' | 'count' | 'errors' | 'latency'> & {
  key_id: string;
  key_name: string | null;
};

/** Number of rows read per query. */
const ROW_BATCH_SIZE = 2_000;

/** Yields all usage rows of the range, ordered by day and key. */
export async function* everyRow(
  db: Db,
  accountId: string,
  { from, to }: UsageRange,
): AsyncGenerator<UsageRow> {
  let last: UsageRow | undefined;
  do {
    const rows: UsageRow[] = await db
      .selectFrom('api_usage')
      .select(['day', 'endpoint', 'method', 'key_id', 'key_name', 'count', 'errors', 'latency'])
      .where('account_id', '=', accountId)
      .where(sql<boolean>`day between ${from} and ${to}`)
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`
          (day, key_id, endpoint, method) > (${last?.day}::date, ${last?.key_id}::uuid, ${last?.endpoint}, ${last?.method})
        `),
      )
      .orderBy('day')
      .orderBy('key_id')
      .orderBy('endpoint')
      .orderBy('method')
      .limit(ROW_BATCH_SIZE)
      .execute();
    last = rows.at(-1);
    yield* rows;
  } while (last !== undefined);
}

/** Deletes usage records of days before `day`. */
export async function removeUsageBefore(db: Db, day: string): Promise<void> {
  await deleteInBatches(db, 'api_usage', sql<boolean>`day < ${day}`);
}
