import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import type { Log } from '../platform/log.ts';

/** A connection to a running PostgreSQL. */
export interface OpenPostgres {
  connection: PoolConfig;
  /** True for an embedded server that this process started and that no other process can use. */
  exclusive: boolean;
  stop(): Promise<void>;
}

/**
 * Connects to `DATABASE_URL`. Without it, starts the embedded server. With `attach`, connects to
 * the embedded server of a running Winnow instead, if there is one.
 */
export async function openPostgres(
  config: Config,
  log: Log,
  ifInUse: 'refuse' | 'attach' = 'refuse',
): Promise<OpenPostgres> {
  if (config.databaseUrl !== null) {
    return {
      connection: { connectionString: config.databaseUrl },
      exclusive: false,
      stop: async () => undefined,
    };
  }
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, log, ifInUse });
  return { connection: embedded.connection, exclusive: ifInUse === 'refuse', stop: () => embedded.stop() };
}
