import { Logger, runMigrations } from 'graphile-worker';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { PoolConfig } from 'pg';
import { type Database, openDatabase } from './database.ts';
import type { Log } from './log.ts';
import * as platformTables from './platform-tables.ts';

/** Migrations by name, applied in order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * This version of Winnow cannot use the database. The message tells the operator why and what to
 * do.
 */
export class DatabaseRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseRefused';
  }
}

const MIN_POSTGRES_MAJOR = 15;
/** Id of the advisory lock. Arbitrary but unique: `winnow` in ASCII. */
const MIGRATION_LOCK = 0x77_69_6e_6e_6f_77;

/** Migrations of the platform. Their names sort before the names of other migrations. */
const platformMigrations: Migrations = { '0000-platform': platformTables };

/** Name of a migration that exists only in databases created before version 0.1. */
const BEFORE_RELEASE = '0001-foundation';

/**
 * Migrations that are still to be applied, and applied migrations that this version does not know.
 */
export interface MigrationState {
  readonly pending: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * Applies the migrations of the job queue, then all other migrations in one transaction. An
 * advisory lock keeps several processes from migrating at the same time. Returns the names of the
 * applied migrations.
 *
 * @throws {DatabaseRefused} for PostgreSQL before 15, or an encoding other than UTF-8
 * @throws {DatabaseRefused} for a database of a newer Winnow, or of a version before 0.1
 * @throws {DatabaseRefused} if a migration fails
 */
export async function migrate(options: {
  connection: string | PoolConfig;
  migrations: Migrations;
  log: Log;
}): Promise<string[]> {
  const { log, migrations } = options;
  return withMigrationLock(options.connection, log, ({ db }) => applyMigrations(db, migrations, log));
}

/**
 * Runs `work` on a database whose job queue is migrated. No other process can migrate the database
 * meanwhile.
 *
 * @throws {DatabaseRefused} for a database server that Winnow does not support
 */
export async function withMigrationLock<T>(
  connection: string | PoolConfig,
  log: Log,
  work: (database: Database<unknown>) => Promise<T>,
): Promise<T> {
  const database = openDatabase<unknown>(connection, { log, max: 3, statementTimeoutMs: 0 });
  try {
    await checkServer(database.db);
    return await database.db.connection().execute(async (locked) => {
      await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(locked);
      try {
        await runMigrations({ pgPool: database.pool, logger: graphileLogger(log) });
        return await work(database);
      } finally {
        await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(locked);
      }
    });
  } finally {
    await database.close();
  }
}

/**
 * Compares the database with `migrations`, without changing the database. If the database is empty,
 * all migrations are pending.
 */
export async function readMigrationState<T>(db: Kysely<T>, migrations: Migrations): Promise<MigrationState> {
  const known = namesOf(migrations);
  const applied = new Set(await readApplied(db));
  return {
    pending: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)).sort(),
  };
}

/**
 * Checks the version and encoding of the database server.
 *
 * @throws {DatabaseRefused} if Winnow does not support them
 */
export async function checkServer<T>(db: Kysely<T>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding
  `.execute(db);
  const [server] = rows;
  if (server === undefined) throw new Error('PostgreSQL did not report its version.');
  const major = Math.floor(server.version / 10_000);
  if (major < MIN_POSTGRES_MAJOR) {
    throw new DatabaseRefused(
      `DATABASE_URL points to PostgreSQL ${major}. Winnow needs PostgreSQL ${MIN_POSTGRES_MAJOR} or newer: upgrade that server or use another.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseRefused(
      `The database of DATABASE_URL stores text as ${server.encoding}. Create one with: create database winnow encoding 'UTF8' template template0`,
    );
  }
}

/** True if a version before 0.1 created the database with these applied migrations. */
export function isBeforeRelease(names: readonly string[]): boolean {
  return names.includes(BEFORE_RELEASE);
}

/** Explains why this version refuses a database whose migrations it does not know. */
export function unknownText(unknown: readonly string[]): string {
  return isBeforeRelease(unknown)
    ? 'The database is from before Winnow 0.1 and cannot be upgraded. It is unchanged: start Winnow with an empty database, or the version that created this one.'
    : `The database was migrated by a newer Winnow (it has ${unknown.join(', ')}). Start that version, or restore a backup from before the upgrade.`;
}

/**
 * Returns the names of all migrations in the order of application, including those of the platform.
 */
export function namesOf(migrations: Migrations): string[] {
  return Object.keys({ ...platformMigrations, ...migrations }).sort();
}

/**
 * Applies the migrations of Winnow, without those of the job queue, in one transaction. If `db` is
 * a transaction, uses that one. Returns the names of the applied migrations.
 *
 * @throws {DatabaseRefused} like {@link migrate}
 */
export async function applyMigrations(
  db: Kysely<unknown>,
  migrations: Migrations,
  log: Log,
): Promise<string[]> {
  const { unknown } = await readMigrationState(db, migrations);
  if (unknown.length > 0) throw new DatabaseRefused(unknownText(unknown));
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...platformMigrations, ...migrations }) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  if (error !== undefined) {
    const which = failed === undefined ? 'The migrations' : `The migration ${failed.migrationName}`;
    throw new DatabaseRefused(
      `${which} could not be applied and had no effect: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
  const applied = results.map((result) => result.migrationName);
  if (applied.length > 0) log.info({ applied }, 'The database was migrated.');
  return applied;
}

async function readApplied<T>(db: Kysely<T>): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found
  `.execute(db);
  if (!tables[0]?.found) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}

/**
 * Forwards messages of the job queue library to our log, one level lower, because our code already
 * logs the important events.
 */
function graphileLogger(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { queue: scope.label ?? null, job_id: scope.jobId ?? null };
    if (level === 'error') log.warn(fields, message);
    else if (level === 'warning') log.info(fields, message);
    else log.trace(fields, message);
  });
}
