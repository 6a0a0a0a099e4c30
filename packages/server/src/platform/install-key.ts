import { type QueryExecutorProvider, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { openDatabase } from './database.ts';
import type { Log } from './log.ts';
import { nextKeyFileOf, openSecrets, readKeyFile, SecretKeyRefused, type Secrets } from './secrets.ts';

// A database keeps a value derived from the key it was first used with. The key cannot be computed from it, but another
// key is noticed before it seals anything, or is taken for the reason why nothing can be read any more.

/** Where the key comes from: `SECRET_KEY`, or, when there is none, the key file in the data folder. */
export interface KeySource {
  readonly secretKey: string | undefined;
  readonly dataDir: string;
}

/**
 * Opens the vault for a migrated database. The first key it is opened with becomes the database's own.
 * Throws {@link SecretKeyRefused} for a key that cannot be used, or that is not the database's own.
 */
export async function openSecretsOf(
  source: KeySource,
  { connection, log }: { connection: PoolConfig; log: Log },
): Promise<Secrets> {
  const secrets = await openSecrets(source);
  const database = openDatabase<unknown>(connection, { log, max: 1 });
  try {
    await sql`
      insert into install_key (check_value) values (${checkValueOf(secrets)}) on conflict do nothing
    `.execute(database.db);
    const problem = await keyProblem(database.db, secrets, source);
    if (problem !== null) throw new SecretKeyRefused(problem);
    return secrets;
  } finally {
    await database.close();
  }
}

/** Null when the key is the database's own, or the database has none yet; else a sentence that says what to do. */
export async function keyProblem(
  db: QueryExecutorProvider,
  secrets: Secrets,
  source: KeySource,
): Promise<string | null> {
  const { rows } = await sql<{ check_value: Buffer }>`select check_value from install_key`.execute(db);
  if (rows.every((row) => row.check_value.equals(checkValueOf(secrets)))) return null;
  if (source.secretKey === undefined && (await readKeyFile(nextKeyFileOf(source.dataDir))) !== null) {
    return 'The key was being replaced, and that was interrupted. Run "winnow rotate-key" again: it ends what it began.';
  }
  const wrong =
    source.secretKey === undefined
      ? `The key file in ${source.dataDir} is not the key this database was first used with. Put the former secret.key back, or set SECRET_KEY if that was used.`
      : 'SECRET_KEY is not the key this database was first used with. Set the former one, or remove it if the key file in DATA_DIR was used.';
  return `${wrong} If the former key is lost, run "winnow accept-key" and then enter the tokens of the trackers again.`;
}

/** Makes this key the database's own. What was sealed under another cannot be read any more. */
export async function acceptKey(db: QueryExecutorProvider, secrets: Secrets): Promise<void> {
  await sql`
    insert into install_key (check_value) values (${checkValueOf(secrets)})
    on conflict (only_one) do update set check_value = excluded.check_value
  `.execute(db);
}

/** Whether this key is the database's own; false, too, while it has none. */
export async function isInstallKey(db: QueryExecutorProvider, secrets: Secrets): Promise<boolean> {
  const { rows } = await sql<{ check_value: Buffer }>`select check_value from install_key`.execute(db);
  return rows.some((row) => row.check_value.equals(checkValueOf(secrets)));
}

function checkValueOf(secrets: Secrets): Buffer {
  return secrets.derive('install-key-check');
}
