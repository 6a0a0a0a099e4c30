import { sql } from 'kysely';
import { acceptKey } from '../platform/install-key.ts';
import { type Secrets, SecretUnreadable } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { SEALED_COLUMNS, SEALED_FIELDS, type SealedColumn, type SealedField } from './sealed-values.ts';

export interface Keys {
  readonly from: Secrets;
  readonly to: Secrets;
}

/**
 * Number of resealed values, and of values that were unreadable with the previous key and are
 * unchanged.
 */
export interface Resealed {
  values: number;
  unreadable: number;
}

/**
 * Reseals all secrets with another key and makes that the database's key, in one transaction. Ends
 * every session, since session tokens are derived from the key.
 */
export async function resealAll(db: Db, keys: Keys): Promise<Resealed> {
  const sum: Resealed = { values: 0, unreadable: 0 };
  await db.transaction().execute(async (transaction) => {
    for (const column of SEALED_COLUMNS) await resealColumn(transaction, keys, column, sum);
    for (const field of SEALED_FIELDS) await resealField(transaction, keys, field, sum);
    await acceptKey(transaction, keys.to);
    await transaction
      .updateTable('session')
      .set({ revoked_at: new Date() })
      .where('revoked_at', 'is', null)
      .execute();
    await transaction.deleteFrom('refresh_token').execute();
  });
  return sum;
}

async function resealColumn(db: Db, keys: Keys, { table, column, context }: SealedColumn, sum: Resealed) {
  const { rows } = await sql<{ account_id: string; id: string; sealed: Buffer }>`
    select account_id, id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} is not null for update
  `.execute(db);
  for (const { account_id, id, sealed } of rows) {
    const anew = reseal(keys, sealed, context(account_id, id), sum);
    if (anew === null) continue;
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${anew} where account_id = ${account_id} and id = ${id}
    `.execute(db);
  }
}

async function resealField(db: Db, keys: Keys, { job, field, context }: SealedField, sum: Resealed) {
  const { rows } = await sql<{ id: string; payload: Record<string, unknown> }>`
    select job.id::text, payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = task_id where identifier = ${job} for update of job
  `.execute(db);
  for (const { id, payload } of rows) {
    const anew = reseal(keys, Buffer.from(String(payload[field]), 'base64'), context(payload), sum);
    if (anew === null) continue;
    const changed = JSON.stringify({ ...payload, [field]: anew.toString('base64') });
    await sql`
      update graphile_worker._private_jobs set payload = ${changed}::json where id = ${id}::bigint
    `.execute(db);
  }
}

/** Returns null for a value that does not open: its key was lost earlier. */
function reseal({ from, to }: Keys, sealed: Buffer, context: string, sum: Resealed): Buffer | null {
  try {
    const anew = to.seal(from.open(sealed, context), context);
    sum.values += 1;
    return anew;
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    sum.unreadable += 1;
    return null;
  }
}
