import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client, PoolConfig } from 'pg';
import { withClient } from '../dedicated-connection.ts';
import { copyOut } from '../postgres-copy.ts';
import { ArchiveWriter, type BackupHeader } from './archive.ts';
import { BackupRefused } from './backup-refused.ts';
import { JOBS } from './job-rows.ts';

export interface BackupOptions {
  readonly connection: PoolConfig;
  readonly path: string;
  /** True if an existing file with this name may be overwritten. */
  readonly force: boolean;
  readonly winnowVersion: string;
  /** Content of the key file, if the backup is to include it. */
  readonly key: string | null;
  readonly now: () => Date;
  /** Called after each table is written. */
  readonly onTable: (table: string, rows: number) => void;
}

/** Tables that list the applied migrations. The header of a backup contains the same list. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

/**
 * Writes a consistent snapshot of a database to a file that only its owner can read. Winnow may
 * keep running. The file appears under its final name only when it is complete. Returns the number
 * of rows.
 *
 * @throws {BackupRefused} if the file exists, or the database was never migrated
 */
export async function backUp(options: BackupOptions): Promise<number> {
  const { path, force } = options;
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  const file = await openDraft(draft, path);
  try {
    const rows = await writeAll(createWriteStream(draft, { fd: file.fd, autoClose: false }), options);
    await file.sync();
    if (force) await rename(draft, path);
    else await link(draft, path);
    return rows;
  } catch (error) {
    throw isCalled(error, 'EEXIST') ? taken(path) : error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/**
 * Checks that the file name is free.
 * @throws {BackupRefused} if a file with this name exists
 */
export async function assertFileIsFree(path: string): Promise<void> {
  const file = await open(path).catch(() => null);
  await file?.close();
  if (file !== null) throw taken(path);
}

async function openDraft(draft: string, path: string) {
  try {
    return await open(draft, 'wx', 0o600);
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(draft, path) : error;
    const reason = isCalled(error, 'ENOENT') ? `The folder ${dirname(path)} does not exist.` : said;
    throw new BackupRefused(`${path} cannot be written. ${reason}`, error);
  }
}

async function writeAll(file: ReturnType<typeof createWriteStream>, options: BackupOptions): Promise<number> {
  return withClient(options.connection, 'backup', async (client) => {
    // These settings determine the text format of COPY, so every backup uses the same ones.
    await client.query(`set datestyle = iso; set timezone = utc; set extra_float_digits = 1;
      set bytea_output = hex; set intervalstyle = iso_8601; set client_encoding = utf8`);
    await client.query('begin isolation level repeatable read read only');
    const migrations = await appliedMigrations(client);
    const archive = new ArchiveWriter(file);
    await archive.begin(
      {
        winnow_version: options.winnowVersion,
        made_at: options.now().toISOString(),
        migrations,
        has_key: options.key !== null,
        sequences: await readSequences(client),
      },
      options.key,
    );
    let all = 0;
    const add = async (...[table, ...content]: Parameters<ArchiveWriter['table']>) => {
      const rows = await archive.table(table, ...content);
      options.onTable(table, rows);
      all += rows;
    };
    for (const { table, columns } of await readTables(client)) {
      const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const copied = copyOut(client, `copy ${client.escapeIdentifier(table)} (${names}) to stdout`);
      await add(table, columns, copied);
    }
    await add(JOBS.name, JOBS.columns, copyOut(client, JOBS.copyOut));
    await archive.end();
    return all;
  });
}

async function appliedMigrations(client: Client): Promise<string[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    "select to_regclass('kysely_migration') is not null as is_there",
  );
  if (!found[0]?.is_there) throw new BackupRefused('The database contains no Winnow data yet.');
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** Returns all tables and the names of their columns, without generated columns. */
async function readTables(client: Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select relation.relname as "table", array_agg(attname::text order by attnum) as columns
     from pg_class as relation join pg_attribute on attrelid = relation.oid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> all($1)
       and attnum > 0 and not attisdropped and attgenerated = ''
     group by relation.relname order by relation.relname`,
    [MIGRATION_TABLES],
  );
  return rows;
}

/**
 * Returns the current values of all sequences. Call it after the snapshot has begun, because a
 * sequence must not be older than the copied rows.
 */
async function readSequences(client: Client): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<{ name: string; last_value: string }>(
    `select sequencename as name, last_value::text from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  return rows;
}

function isCalled(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function taken(path: string): BackupRefused {
  return new BackupRefused(`${path} already exists. Choose another name, or replace it with --force.`);
}
