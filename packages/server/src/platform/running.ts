import type { Client, PoolConfig } from 'pg';
import { withClient } from './one-connection.ts';

// Every process that serves or works off jobs holds a lock in the database for as long as it lives; who must be alone with
// the database takes the same lock for itself. The database drops a lock with its connection.

/** Any number that nobody else uses: `winnox` in ASCII. */
const LOCK = 0x77_69_6e_6e_6f_78;

/** A Winnow runs on a database that is needed alone; the message says to the operator what to do. */
export class DatabaseInUse extends Error {
  constructor() {
    super('A Winnow runs on this database. Stop every process of it first.');
    this.name = 'DatabaseInUse';
  }
}

/** Says to others that a Winnow runs on this database, as long as the connection holds. Waits for whoever has it alone. */
export async function showRunning(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`);
}

/**
 * Does something while no Winnow runs on the database, and none can begin to; `name` is for the connection that it is given.
 *
 * @throws {DatabaseInUse} while one runs.
 */
export async function whileAlone<T>(
  connection: PoolConfig,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(connection, name, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`);
    if (rows[0]?.held !== true) throw new DatabaseInUse();
    return work(client);
  });
}
