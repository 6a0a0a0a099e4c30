import type { Client } from 'pg';

// Every process that serves or works off jobs holds a lock in the database for as long as it lives; who must be alone with
// the database takes the same lock for itself. The database drops a lock with its connection.

/** Any number that nobody else uses: `winnox` in ASCII. */
const LOCK = 0x77_69_6e_6e_6f_78;

/** Says to others that a Winnow runs on this database, as long as the connection holds. Waits for whoever has it alone. */
export async function showRunning(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`);
}

/** Takes the database for oneself, as long as the connection holds; false while a Winnow runs on it. */
export async function holdAlone(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`);
  return rows[0]?.held === true;
}
