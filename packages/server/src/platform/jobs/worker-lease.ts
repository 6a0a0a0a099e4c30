import { setTimeout as pause } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import type { Log } from '../log.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const MIN_RECONNECT_DELAY_MS = 50;
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * Proves to other processes that a worker is alive. A dedicated connection holds an advisory lock
 * named after the worker, and receives notifications of new jobs.
 *
 * The database releases the lock when the connection ends, so a dead process never appears alive. A
 * lost connection is reopened.
 */
export class WorkerLease {
  readonly #connection: PoolConfig;
  readonly #log: Log;
  readonly #workerId: string;
  readonly #onNews: () => void;
  readonly #onRegained: () => void;
  readonly #closing = new AbortController();
  #client: Client | null = null;
  #reconnecting: Promise<void> = Promise.resolve();

  /**
   * `onNews` is called when a job is added or a queue is released. `onRegained` is called when a
   * lost lease is held again; other workers may have taken over jobs meanwhile.
   */
  constructor(options: {
    connection: PoolConfig;
    log: Log;
    workerId: string;
    onNews: () => void;
    onRegained: () => void;
  }) {
    this.#connection = options.connection;
    this.#log = options.log;
    this.#workerId = options.workerId;
    this.#onNews = options.onNews;
    this.#onRegained = options.onRegained;
  }

  /** True if this process has an open lease connection. A connection may be lost without notice. */
  get isHeld(): boolean {
    return this.#client !== null;
  }

  /**
   * Resolves when the lease is held. Throws if the database cannot be reached. A lease lost later
   * is regained automatically.
   */
  async open(): Promise<void> {
    const client = new Client({
      ...this.#connection,
      application_name: 'winnow worker',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    client.on('error', (error) => this.#log.warn({ error }, 'The connection of the job worker was lost.'));
    client.on('notification', () => this.#onNews());
    await client.connect();
    try {
      // Takes the lock in shared mode, because the server may still hold it for the previous
      // connection of this worker.
      await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [this.#workerId]);
      await client.query('listen "jobs:insert"');
    } catch (error) {
      await client.end();
      throw error;
    }
    if (this.#closing.signal.aborted) {
      await client.end();
      return;
    }
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnecting = this.#reconnect();
    });
    this.#client = client;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#reconnecting;
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (
      let pauseMs = MIN_RECONNECT_DELAY_MS;
      !signal.aborted;
      pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_DELAY_MS)
    ) {
      try {
        await this.open();
        if (!signal.aborted) this.#onRegained();
        return;
      } catch (error) {
        this.#log.debug({ error }, 'The job worker cannot reach the database yet.');
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/**
 * Returns the ids of workers that hold jobs or queues, but no lease. PostgreSQL lists the 64-bit
 * key of an advisory lock as two 32-bit columns.
 */
export async function findWorkersWithoutLease(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ worker: string }>`
    select worker from (
      select locked_by as worker from graphile_worker._private_jobs where locked_by is not null
      union
      select locked_by from graphile_worker._private_job_queues where locked_by is not null
    ) as holder
    where not exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) | objid::bigint = hashtextextended(worker, 0)
    )
  `.execute(db);
  return rows.map((row) => row.worker);
}
