import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { acceptKey } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { openSecrets } from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import { openPostgres } from './open-postgres.ts';

/** Makes the present key the one of the database, for an operator who has lost the former. */
export async function acceptPresentKey(config: Config): Promise<number> {
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log);
  try {
    const { connection } = postgres;
    await migrate({ connection, migrations, log });
    const secrets = await openSecrets(config);
    const database = openDatabase<unknown>(connection, { log, max: 1 });
    try {
      await acceptKey(database.db, secrets);
    } finally {
      await database.close();
    }
    process.stdout.write('The key is accepted. Enter the tokens of the trackers again.\n');
    return 0;
  } finally {
    await postgres.stop();
  }
}
