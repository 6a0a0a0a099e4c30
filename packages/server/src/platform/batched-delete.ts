import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Maximum rows per statement, so that no statement holds locks for long. */
const BATCH_ROWS = 5_000;

/** Deletes in batches all rows of a table that match the SQL condition `old`. */
export async function deleteInBatches<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  old: RawBuilder<boolean>,
): Promise<void> {
  let removed: bigint;
  do {
    const result = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${old} limit ${BATCH_ROWS}
      ))
    `.execute(db);
    removed = result.numAffectedRows ?? 0n;
  } while (removed > 0n);
}
