import type { Config } from '../platform/config.ts';
import { openLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { openPostgres } from './open-postgres.ts';

/** Brings the database up to this code and says what was applied. */
export async function migrateDatabase(config: Config): Promise<number> {
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log, 'attach');
  try {
    const applied = await migrate({ connection: postgres.connection, migrations, log });
    process.stdout.write(
      applied.length === 0
        ? 'The database is up to date.\n'
        : applied.map((name) => `Applied ${name}\n`).join(''),
    );
    return 0;
  } finally {
    await postgres.stop();
  }
}
