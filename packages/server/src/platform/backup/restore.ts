import { Kysely, PostgresDialect } from 'kysely';
import { Client, type PoolConfig } from 'pg';
import { copyIn } from '../copy.ts';
import type { Log } from '../log.ts';
import { applyMigrations, type Migrations, namesOf, whileNobodyMigrates } from '../migrate.ts';
import { whileAlone } from '../running.ts';
import { type BackupHeader, type BackupPart, readArchive } from './archive.ts';
import { BackupRefused } from './backup-refused.ts';
import { askForJobs, JOBS, prepareJobs } from './job-rows.ts';
import { dropEverything, putBack, setAside } from './set-aside.ts';

/** What a whole backup holds, read to its end. */
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
  /** Asked when the database holds something already; false: it stays as it is. */
  readonly mayReplace: () => Promise<boolean>;
  /** Called when all is in place and nothing is final yet, in the transaction; what it throws undoes everything. */
  readonly beforeCommit: (db: Kysely<unknown>) => Promise<void>;
  /** Told of each table when it is filled. */
  readonly onTable: (table: string, rows: number) => void;
}

const KEPT_BY_PEOPLE = ['account', 'lead'];

/**
 * Reads a backup to its end and changes nothing.
 *
 * @throws {BackupRefused} when it is cut or damaged, or made by a Winnow that is not this one or an older one.
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
  if (header === null) throw new BackupRefused(`${path} does not say what it is a backup of.`);
  return { path, header, key, rows };
}

/**
 * Makes a database what it was when it was backed up, and brings it up to this version: all in one transaction, so that an
 * interrupted restore leaves what was there before. Answers whether it was done.
 *
 * @throws {DatabaseInUse} while a Winnow runs on the database.
 * @throws {BackupRefused} when it holds what is not Winnow's.
 */
export async function restore(options: RestoreOptions): Promise<boolean> {
  const { connection, log } = options;
  return whileAlone(connection, 'restore', async (client) => {
    if (!(await isEmpty(client)) && !(await options.mayReplace())) return false;
    await whileNobodyMigrates(connection, log, () => replaceAll(client, options));
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
  const strange = made.filter((name) => !ours.includes(name));
  const which = strange.length > 0 ? ` (it has ${strange.join(', ')})` : '';
  throw new BackupRefused(
    `The backup was made by another Winnow, ${winnow_version}, whose tables this one does not know${which}. Restore it with that version or a newer one.`,
  );
}

/** Nobody has an account in it, and nobody has asked for one. */
async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const tables = rows.map(({ name }) => name);
  if (tables.length > 0 && !tables.includes('kysely_migration')) {
    throw new BackupRefused('The database holds tables that are not Winnow’s. Name one of its own.');
  }
  for (const table of KEPT_BY_PEOPLE.filter((name) => tables.includes(name))) {
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
      await dropEverything(client);
      await applyMigrations(transaction, then, log);
      const aside = await setAside(client);
      await prepareJobs(client);
      await fill(client, options);
      await askForJobs(client);
      await putBack(client, aside);
      for (const { name, last_value } of backup.header.sequences) {
        await client.query('select setval(quote_ident($1)::regclass, $2)', [name, last_value]);
      }
      await applyMigrations(transaction, migrations, log);
      await options.beforeCommit(transaction);
    });
}

/** Copies what the backup holds into the tables, reading it to its end: what was read before may have changed since. */
async function fill(client: Client, { backup, onTable }: RestoreOptions): Promise<void> {
  const parts = readArchive(backup.path);
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      if (next.value.kind !== 'table') continue;
      const { table, columns } = next.value;
      // What the migrations put into a table is in the backup as well, as it was then.
      if (table !== JOBS.name) await client.query(`delete from ${client.escapeIdentifier(table)}`);
      const rows = await copyIn(client, copyInto(client, table, columns), dataOf(parts));
      if (rows !== backup.rows[table]) {
        throw new BackupRefused(`${table} has ${rows} rows, and not as many as were backed up.`);
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

/** The bytes of one table, up to its end. */
async function* dataOf(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await parts.next();
    if (next.done || next.value.kind !== 'data') return;
    yield next.value.bytes;
  }
}

/** The query layer over one connection that is there already. */
function onOneConnection(client: Client): Kysely<unknown> {
  const pooled = Object.assign(client, { release: () => undefined });
  return new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: { options: {}, Client, connect: async () => pooled, end: async () => undefined },
    }),
  });
}
