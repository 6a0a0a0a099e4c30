import { Kysely, PostgresDialect } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import { withExclusiveDatabase } from '../instance-lock.ts';
import type { Log } from '../log.ts';
import { applyMigrations, isBeforeRelease, type Migrations, namesOf, withMigrationLock } from '../migrate.ts';
import { copyIn } from '../postgres-copy.ts';
import { type BackupHeader, type BackupPart, readArchive } from './archive.ts';
import { BackupRefused } from './backup-refused.ts';
import { dropDeferrableObjects, dropSchemaObjects, restoreDeferredObjects } from './deferred-objects.ts';
import { enqueueCopiedJobs, JOBS, prepareJobs } from './job-rows.ts';

/** A backup that was read to its end and is undamaged. */
export interface CheckedBackup {
  readonly path: string;
  readonly header: BackupHeader;
  readonly key: string | null;
  readonly rows: Readonly<Record<string, number>>;
}

export interface RestoreOptions {
  readonly backup: CheckedBackup;
  readonly connection: PoolConfig;
  readonly migrations: Migrations;
  readonly log: Log;
  /**
   * Called if the database contains user data. If it returns false, the restore stops without
   * changes.
   */
  readonly mayReplace: () => Promise<boolean>;
  /**
   * Called inside the transaction after all data is restored. If it throws, the restore is rolled
   * back.
   */
  readonly beforeCommit: (db: Kysely<unknown>) => Promise<void>;
  /** Called after each table is restored. */
  readonly onTable: (table: string, rows: number) => void;
}

const USER_DATA_TABLES = ['account', 'lead'];

/**
 * Reads a backup to its end without changing anything.
 *
 * @throws {BackupRefused} if it is truncated or damaged, or was created by a newer version or one
 * before 0.1
 */
export async function checkBackup(path: string, migrations: Migrations): Promise<CheckedBackup> {
  let header: BackupHeader | null = null;
  let key: string | null = null;
  let rows: Readonly<Record<string, number>> = {};
  for await (const part of readArchive(path)) {
    if (part.kind === 'header') {
      header = part.header;
      refuseOtherVersions(header, migrations);
    }
    if (part.kind === 'key') key = part.key;
    if (part.kind === 'end') rows = part.rows;
  }
  if (header === null) throw new BackupRefused(`${path} has no valid header.`);
  return { path, header, key, rows };
}

/**
 * Replaces the content of a database by a backup and migrates it to this version. Everything
 * happens in one transaction, so an interrupted restore changes nothing. Returns true if the
 * database was restored.
 *
 * @throws {DatabaseInUse} while Winnow runs on the database
 * @throws {BackupRefused} if the database contains tables of another program
 */
export async function restore(options: RestoreOptions): Promise<boolean> {
  const { connection, log } = options;
  return withExclusiveDatabase(connection, 'restore', async (client) => {
    if (!(await isEmpty(client)) && !(await options.mayReplace())) return false;
    await withMigrationLock(connection, log, () => replaceAll(client, options));
    await client.query('analyze');
    return true;
  });
}

function refuseOtherVersions(
  { migrations: made, winnow_version }: BackupHeader,
  migrations: Migrations,
): void {
  const ours = namesOf(migrations);
  if (made.every((name, index) => name === ours[index])) return;
  if (isBeforeRelease(made)) {
    throw new BackupRefused(
      'The backup is from before Winnow 0.1 and cannot be upgraded. Restore it with the version that created it.',
    );
  }
  const strange = made.filter((name) => !ours.includes(name));
  const which = strange.length > 0 ? ` (it has ${strange.join(', ')})` : '';
  throw new BackupRefused(
    `The backup was created by Winnow ${winnow_version}, whose tables this version does not know${which}. Restore it with that version or a newer one.`,
  );
}

/** Returns true if the database contains no accounts and no demo requests. */
async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const tables = rows.map(({ name }) => name);
  if (tables.length > 0 && !tables.includes('kysely_migration')) {
    throw new BackupRefused('The database contains tables that are not Winnow’s. Use a separate database.');
  }
  for (const table of USER_DATA_TABLES.filter((name) => tables.includes(name))) {
    const { rowCount } = await client.query(`select from ${table} limit 1`);
    if (rowCount !== 0) return false;
  }
  return true;
}

async function replaceAll(client: Client, options: RestoreOptions): Promise<void> {
  const { backup, migrations, log } = options;
  const known = new Set(backup.header.migrations);
  const then = Object.fromEntries(Object.entries(migrations).filter(([name]) => known.has(name)));
  await onOneConnection(client)
    .transaction()
    .execute(async (transaction) => {
      await dropSchemaObjects(client);
      await applyMigrations(transaction, then, log);
      const deferred = await dropDeferrableObjects(client);
      await prepareJobs(client);
      await fill(client, options);
      await enqueueCopiedJobs(client);
      await restoreDeferredObjects(client, deferred);
      for (const { name, last_value } of backup.header.sequences) {
        await client.query('select setval(quote_ident($1)::regclass, $2)', [name, last_value]);
      }
      await applyMigrations(transaction, migrations, log);
      await options.beforeCommit(transaction);
    });
}

/**
 * Copies the data of the backup into the tables. Verifies the whole file again, since it may have
 * changed after the first check.
 */
async function fill(client: Client, { backup, onTable }: RestoreOptions): Promise<void> {
  const parts = readArchive(backup.path);
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      if (next.value.kind !== 'table') continue;
      const { table, columns } = next.value;
      // Migrations have inserted rows into some tables. The backup contains the same rows.
      if (table !== JOBS.name) await client.query(`delete from ${client.escapeIdentifier(table)}`);
      const rows = await copyIn(client, copyInto(client, table, columns), dataOf(parts));
      if (rows !== backup.rows[table]) {
        throw new BackupRefused(`${table} has ${rows} rows, but a different number was backed up.`);
      }
      onTable(table, rows);
    }
  } finally {
    await parts.return(undefined);
  }
}

function copyInto(client: Client, table: string, columns: readonly string[]): string {
  if (table === JOBS.name) return JOBS.copyIn;
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `copy ${client.escapeIdentifier(table)} (${names}) from stdin`;
}

/** Yields the COPY data of the table that is being read, until its end. */
async function* dataOf(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await parts.next();
    if (next.done || next.value.kind !== 'data') return;
    yield next.value.bytes;
  }
}

/** Creates a query builder that uses an existing connection instead of a pool. */
function onOneConnection(client: Client): Kysely<unknown> {
  const pooled = Object.assign(client, { release: () => undefined });
  return new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: { options: {}, Client, connect: async () => pooled, end: async () => undefined },
    }),
  });
}
