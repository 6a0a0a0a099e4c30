import { migrate } from '../platform/migrate.ts';
import { migrations } from '../schema/migrations.ts';
import { command } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { openPostgres } from './open-postgres.ts';
import { NO_ARGUMENTS } from './read-args.ts';

/** Migrates the database and prints the applied migrations. */
export const migrateDatabase = command({
  name: 'migrate',
  synopsis: 'migrate',
  summary: 'Migrate the database to this version',
  takes: NO_ARGUMENTS,
  async run(config) {
    const log = openCommandLog(config);
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
  },
});
