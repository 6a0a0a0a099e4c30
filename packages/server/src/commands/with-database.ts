import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { withExclusiveDatabase } from '../platform/instance-lock.ts';
import type { Log } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { openCommandLog } from './command-log.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * Migrates the database, runs `work` with it, and returns the result. If `alone` is set, Winnow
 * must not run at the same time. `alone` is the name of the command that needs exclusive use.
 *
 * @throws {DatabaseInUse} if `alone` is set and Winnow is running; then nothing was changed
 */
export async function withDatabase<T>(
  config: Config,
  work: (opened: { db: Db; connection: PoolConfig; log: Log }) => Promise<T>,
  { alone }: { alone?: string } = {},
): Promise<T> {
  const log = openCommandLog(config);
  const postgres = await openPostgres(config, log, alone === undefined ? 'attach' : 'refuse');
  try {
    const { connection } = postgres;
    const workOnIt = async () => {
      await migrate({ connection, migrations, log });
      const noLimit = alone === undefined ? {} : { statementTimeoutMs: 0 };
      const database = openDatabase<Tables>(connection, { log, ...noLimit });
      try {
        return await work({ db: database.db, connection, log });
      } finally {
        await database.close();
      }
    };
    return await (alone === undefined ? workOnIt() : withExclusiveDatabase(connection, alone, workOnIt));
  } finally {
    await postgres.stop();
  }
}
