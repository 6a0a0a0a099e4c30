import { type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { columnTypes } from './column-types.ts';
import { toDatabaseUnavailable } from './database-unavailable.ts';
import type { Log } from './log.ts';

export interface DatabaseOptions {
  readonly log: Log;
  /** Maximum open connections. Default 10. */
  readonly max?: number;
  /**
   * Maximum time of one statement before the database cancels it. 0 means no limit. Default 30 s.
   */
  readonly statementTimeoutMs?: number;
}

/** An open database: `db` for queries, `pool` for libraries that need the driver. */
export interface Database<T> {
  readonly db: Kysely<T>;
  readonly pool: pg.Pool;
  /** Waits for running queries and closes every connection. Safe to call twice. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Opens a connection pool. The first query connects. While the database is down, queries fail
 * immediately with {@link DatabaseUnavailable}. The pool drops dead connections and recovers
 * without a restart.
 */
export function openDatabase<T>(connection: string | pg.PoolConfig, options: DatabaseOptions): Database<T> {
  const { log, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    application_name: 'winnow',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: options.max ?? 10,
    types: columnTypes,
    // With statement timeout 0, waiting for locks and idle transactions have no time limit either.
    ...(statementTimeoutMs === 0
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          lock_timeout: LOCK_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
        }),
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
  });
  const noteLoss = (error: Error) => log.warn({ error }, 'A connection to the database was lost.');
  // Without these listeners, a lost idle connection would end the process.
  pool.on('error', noteLoss);
  pool.on('connect', (client) => {
    client.on('error', noteLoss);
    prepareMarked(client);
  });

  const db = new Kysely<T>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        Client: pg.Client,
        connect: () => pool.connect().catch(rethrowConverted),
        end: () => pool.end(),
      },
      onCreateConnection: async (open) => convertConnectionErrors(open),
    }),
  });
  let closing: Promise<void> | null = null;
  return {
    db,
    pool,
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

const PREPARED = '/* prepared */';

/**
 * Comment in SQL that makes a query a prepared statement (`modifyFront(prepared)`). Each connection
 * parses it once, and plans it once for all parameters. Use it for frequent queries by key whose
 * text never changes. Do not use it if the best plan depends on the parameters, such as on the size
 * of the account.
 */
export const prepared = sql.raw(PREPARED);

function prepareMarked(client: pg.PoolClient): void {
  const query = client.query;
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `prepared_${names.size}`;
    names.set(text, name);
    return name;
  };
  Object.assign(client, {
    query: (first: unknown, ...others: unknown[]) => {
      const isMarked = typeof first === 'string' && first.includes(PREPARED);
      return Reflect.apply(query, client, [
        isMarked ? { text: first, name: nameOf(first) } : first,
        ...others,
      ]);
    },
  });
}

function convertConnectionErrors(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = (query, options) => execute<never>(query, options).catch(rethrowConverted);
}

function rethrowConverted(error: unknown): never {
  throw toDatabaseUnavailable(error);
}
