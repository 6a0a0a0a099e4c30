import { type Database, openDatabase } from '../platform/database.ts';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { openLog } from '../platform/log.ts';
import type { Tables } from '../schema/tables.ts';

/** A look into the embedded database of a server that runs on this data folder. Close it. */
export async function openDatabaseOf(dataDir: string): Promise<Database<Tables>> {
  const log = openLog({ level: 'silent' });
  const postgres = await openEmbeddedPostgres({ dataDir, log, ifInUse: 'attach' });
  return openDatabase<Tables>(postgres.connection, { log, max: 1 });
}
