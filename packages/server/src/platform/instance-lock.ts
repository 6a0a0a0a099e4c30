import type { Client, PoolConfig } from 'pg';
import { withClient } from './dedicated-connection.ts';

// Every process that serves requests or runs jobs holds this lock in shared mode. Maintenance takes
// the lock exclusively. PostgreSQL releases a lock when the connection of its holder ends.

/** Id of the advisory lock. Arbitrary but unique: `winnox` in ASCII. */
const INSTANCE_LOCK = 0x77_69_6e_6e_6f_78;

/**
 * An operation needs the database exclusively, but Winnow is running on it. The message tells the
 * operator what to do.
 */
export class DatabaseInUse extends Error {
  constructor() {
    super('Winnow is running on this database. Stop all its processes first.');
    this.name = 'DatabaseInUse';
  }
}

/**
 * Takes the shared lock and holds it until the connection closes. Waits while maintenance holds the
 * lock exclusively.
 */
export async function holdInstanceLock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${INSTANCE_LOCK})`);
}

/**
 * Runs `work` while no Winnow process runs on the database, and prevents one from starting
 * meanwhile. PostgreSQL lists the connection under `name`.
 *
 * @throws {DatabaseInUse} if a Winnow process is running
 */
export async function withExclusiveDatabase<T>(
  connection: PoolConfig,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(connection, name, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(${INSTANCE_LOCK}) as held`,
    );
    if (rows[0]?.held !== true) throw new DatabaseInUse();
    return work(client);
  });
}
