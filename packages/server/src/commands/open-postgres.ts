import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import type { Log } from '../platform/log.ts';

/** A running database for this configuration. */
export interface OpenPostgres {
  connection: PoolConfig;
  /** True if it is the embedded server of this process, which no other process can use. */
  exclusive: boolean;
  stop(): Promise<void>;
}

/**
 * Connects to `DATABASE_URL`, or starts the embedded server. With `attach`, connects to the
 * embedded server of a running Winnow if there is one.
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
