import { setTimeout as pause } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import type { Log } from '../log.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Says to all other processes that a worker lives: a connection of its own that holds an advisory lock named after the
 * worker. The database drops it with the connection, so a dead process cannot seem alive. When the connection is lost
 * while the process lives, it is made anew.
 */
export class WorkerLease {
  readonly #connection: PoolConfig;
  readonly #log: Log;
  readonly #onRegained: () => void;
  readonly #closing = new AbortController();
  #client: Client | null = null;
  #workerId: string | null = null;
  #connecting: Promise<void> = Promise.resolve();

  /** `onRegained` is called when a lost lease is held again: others may have taken the worker's jobs meanwhile. */
  constructor(options: { connection: PoolConfig; log: Log; onRegained: () => void }) {
    this.#connection = options.connection;
    this.#log = options.log;
    this.#onRegained = options.onRegained;
  }

  /** Throws when the database cannot be reached; later losses are mended without the caller. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Resolves when the lease is held in the name of this worker, instead of any other before. */
  async hold(workerId: string): Promise<void> {
    if (this.#workerId === workerId) return;
    this.#workerId = workerId;
    await this.#lock();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#connecting;
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...this.#connection, application_name: 'winnow worker', keepAlive: true });
    client.on('error', (error) => this.#log.warn({ error }, 'The connection of the job worker was lost.'));
    await client.connect();
    if (this.#closing.signal.aborted) {
      await client.end();
      return;
    }
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#connecting = this.#reconnect();
    });
    this.#client = client;
    await this.#lock();
  }

  async #lock(): Promise<void> {
    if (this.#client === null || this.#workerId === null) return;
    await this.#client.query('select pg_advisory_unlock_all()');
    await this.#client.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.#workerId]);
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.#connect();
        if (!signal.aborted) this.#onRegained();
        return;
      } catch (error) {
        this.#log.debug({ error }, 'The job worker cannot reach the database yet.');
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** Workers that hold jobs or queues but no lease. The bigint key of an advisory lock is split over two columns. */
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

/**
 * Gives back what these workers had begun, at once to be begun by others; a job that had no attempt left keeps the
 * reason. Answers how many jobs that were.
 */
export async function releaseWorkers(
  db: QueryExecutorProvider,
  workerIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ released: number }>`
    with job as (
      update graphile_worker._private_jobs
      set locked_at = null, locked_by = null,
        last_error = case
          when attempts < max_attempts then last_error
          else 'The process that ran this job ended before it did.'
        end
      where locked_by = any(${workerIds}::text[])
      returning id
    ), queue as (
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null
      where locked_by = any(${workerIds}::text[])
    ), wake as (
      select pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text) from job
    )
    select count(job.id) as released from job left join wake on true
  `.execute(db);
  return Number(rows[0]?.released ?? 0);
}
