import { type Kysely, type RawBuilder, sql } from 'kysely';

/** The most rows one statement removes, so that none holds locks for long. */
const REMOVED_AT_ONCE = 5_000;

/** Removes all rows of a table that are `old`, a condition on its columns, little by little. */
export async function removeOld<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  old: RawBuilder<boolean>,
): Promise<void> {
  let removed: bigint;
  do {
    const result = await sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${old} limit ${REMOVED_AT_ONCE}
      ))
    `.execute(db);
    removed = result.numAffectedRows ?? 0n;
  } while (removed > 0n);
}
