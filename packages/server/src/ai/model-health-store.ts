import { type Selectable, sql } from 'kysely';
import type { AiModelHealthTable } from '../schema/ai-tables.ts';
import type { Db } from '../schema/tables.ts';

export type HealthRow = Selectable<AiModelHealthTable>;

/** Returns the health of an account's models. A model without calls has no row. */
export async function listHealth(db: Db, accountId: string): Promise<HealthRow[]> {
  return db.selectFrom('ai_model_health').selectAll().where('account_id', '=', accountId).execute();
}

export async function findHealth(db: Db, accountId: string, modelId: string): Promise<HealthRow | undefined> {
  return db
    .selectFrom('ai_model_health')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .executeTakeFirst();
}

/**
 * Stores a success and ends any failures and pause of the model. Returns whether the model was
 * failing. Does nothing for a deleted model.
 */
export async function saveSuccess(
  db: Db,
  accountId: string,
  modelId: string,
  at: Date,
): Promise<{ wasFailing: boolean }> {
  const { rows } = await sql<{ was_failing: boolean | null }>`
    with before as (
      select failures_in_row > 0 or paused_at is not null as was_failing from ai_model_health
      where account_id = ${accountId} and ai_model_id = ${modelId}
    )
    insert into ai_model_health as health (account_id, ai_model_id, last_success_at)
    select account_id, id, ${at}::timestamptz from ai_model where account_id = ${accountId} and id = ${modelId}
    on conflict (account_id, ai_model_id) do update
      set last_success_at = excluded.last_success_at, failures_in_row = 0, counted_failure_at = null,
          paused_at = null, paused_until = null
    returning (select was_failing from before) as was_failing
  `.execute(db);
  return { wasFailing: rows[0]?.was_failing === true };
}

/**
 * Stores a failure. Returns the number of consecutive failures, whether this failure was counted,
 * and whether the model is paused. Returns undefined for a deleted model.
 *
 * Concurrent calls that fail together count once: a failure counts only if its call started after
 * the last counted failure.
 */
export async function saveFailure(
  db: Db,
  accountId: string,
  modelId: string,
  { startedAt, at, detail }: { startedAt: Date; at: Date; detail: string },
): Promise<{ failuresInRow: number; isCounted: boolean; isPaused: boolean } | undefined> {
  const { rows } = await sql<{ failures_in_row: number; is_counted: boolean; is_paused: boolean }>`
    insert into ai_model_health as health
      (account_id, ai_model_id, last_failure_at, last_failure, counted_failure_at, failures_in_row)
    select account_id, id, ${at}::timestamptz, ${detail}, ${at}::timestamptz, 1
    from ai_model where account_id = ${accountId} and id = ${modelId}
    on conflict (account_id, ai_model_id) do update
      set last_failure_at = excluded.last_failure_at, last_failure = excluded.last_failure,
          failures_in_row = health.failures_in_row
            + (coalesce(health.counted_failure_at, '-infinity') < ${startedAt}::timestamptz)::integer,
          counted_failure_at = case
            when coalesce(health.counted_failure_at, '-infinity') < ${startedAt}::timestamptz
            then excluded.counted_failure_at else health.counted_failure_at end
    returning failures_in_row, counted_failure_at = ${at}::timestamptz as is_counted, paused_at is not null as is_paused
  `.execute(db);
  const row = rows[0];
  return row && { failuresInRow: row.failures_in_row, isCounted: row.is_counted, isPaused: row.is_paused };
}

/**
 * Pauses a model. After `paused_until`, one call may try the model again; null if only a user can
 * end the pause.
 */
export async function savePause(
  db: Db,
  accountId: string,
  modelId: string,
  pause: { paused_at: Date; paused_until: Date | null },
): Promise<void> {
  await db
    .updateTable('ai_model_health')
    .set(pause)
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .execute();
}

/**
 * Claims the right to try a paused model with one call. Returns false if another process has
 * claimed it.
 */
export async function claimProbe(
  db: Db,
  accountId: string,
  modelId: string,
  { now, next }: { now: Date; next: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ai_model_health')
    .set({ paused_until: next })
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .where('paused_at', 'is not', null)
    .where('paused_until', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the health of a model after its connection changed. */
export async function deleteHealth(db: Db, accountId: string, modelId: string): Promise<void> {
  await db
    .deleteFrom('ai_model_health')
    .where('account_id', '=', accountId)
    .where('ai_model_id', '=', modelId)
    .execute();
}
