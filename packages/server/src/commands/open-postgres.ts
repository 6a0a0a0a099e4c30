import type { PoolConfig } from 'pg';
import type { Config } from '../platform/config.ts';
import { openEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import type { Log } from '../platform/log.ts';

/** The database of this configuration, running. */
export interface OpenPostgres {
  connection: PoolConfig;
  /** Nobody else can work on it: it is the embedded one, and this process has it. */
  exclusive: boolean;
  stop(): Promise<void>;
}

/** Reaches for `DATABASE_URL`, or starts the embedded server; `attach` uses one that a running Winnow has. */
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
