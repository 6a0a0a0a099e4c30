import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { SealedColumn } from './sealed-values.ts';

interface SealedValue {
  accountId: string;
  id: string;
  value: Buffer;
}

/** Locks and returns all values of a sealed column. */
export async function lockColumn(db: Db, { table, column }: SealedColumn): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select account_id as "accountId", id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null for update
  `.execute(db);
  return rows;
}

/** Replaces a value of a sealed column. */
export async function replaceInColumn(
  db: Db,
  { table, column }: SealedColumn,
  { accountId, id, value }: SealedValue,
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${value} where account_id = ${accountId} and id = ${id}
  `.execute(db);
}

/** Locks and returns all waiting jobs of this task. */
export async function lockJobs(
  db: Db,
  identifier: string,
): Promise<{ id: string; payload: Record<string, unknown> }[]> {
  const { rows } = await sql<{ id: string; payload: Record<string, unknown> }>`
    select job.id::text, payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = task_id
    where identifier = ${identifier} for update of job
  `.execute(db);
  return rows;
}

/** Replaces the payload of a waiting job. */
export async function replacePayload(db: Db, id: string, payload: Record<string, unknown>): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set payload = ${JSON.stringify(payload)}::json where id = ${id}::bigint
  `.execute(db);
}

/** Revokes every session of every account. */
export async function endAllSessions(db: Db, now: Date): Promise<void> {
  await db.updateTable('session').set({ revoked_at: now }).where('revoked_at', 'is', null).execute();
  await db.deleteFrom('refresh_token').execute();
}
