import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { type Log, openLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { openPostgres } from './open-postgres.ts';

/** Does something with the database, brought up to date, beside a Winnow that may be running; answers what it answers. */
export async function withDatabase<T>(
  config: Config,
  work: (opened: { db: Db; connection: PoolConfig; log: Log }) => Promise<T>,
): Promise<T> {
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log, 'attach');
  try {
    const { connection } = postgres;
    await migrate({ connection, migrations, log });
    const database = openDatabase<Tables>(connection, { log });
    try {
      return await work({ db: database.db, connection, log });
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
  }
}
