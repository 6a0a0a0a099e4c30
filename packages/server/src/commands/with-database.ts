import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { whileAlone } from '../platform/running.ts';
import { migrations } from '../schema/migrations.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { openCommandLog } from './command-log.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * Does something with the database, brought up to date; answers what it answers. A Winnow may be running beside it, unless it
 * is to be `alone`, as the command of that name: then for as long as it takes, or not at all.
 *
 * @throws {DatabaseInUse} when it is to be alone and is not; nothing was changed.
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
    return await (alone === undefined ? workOnIt() : whileAlone(connection, alone, workOnIt));
  } finally {
    await postgres.stop();
  }
}
