import { type Database, openDatabase } from '../platform/database.ts';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../platform/log.ts';
import type { Tables } from '../schema/tables.ts';

/** Opens the embedded database in this data folder. Close it after use. */
export async function openDatabaseOf(dataDir: string): Promise<Database<Tables>> {
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir, log, ifInUse: 'attach' });
  return openDatabase<Tables>(postgres.connection, { log, max: 1 });
}
