import { type QueryExecutorProvider, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { openDatabase } from './database.ts';
import type { Log } from './log.ts';
import {
  type KeySource,
  nextKeyFileOf,
  openSecrets,
  readKeyFile,
  SecretKeyRefused,
  type Secrets,
  secretsUnder,
} from './secrets.ts';

// A database stores a value derived from the first master key used with it, which does not reveal
// the key. So Winnow can refuse a different key before it encrypts or decrypts any secret.

/**
 * Opens the vault for a migrated database. The first key used with a database becomes its key.
 *
 * @throws {SecretKeyRefused} for an unusable key, or a key that is not the database's key
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

/**
 * Returns null if the key is the database's key, or if the database has no key yet. Otherwise
 * returns a sentence that says what to do. Pass null as `secrets` if there is no key.
 */
export async function keyProblem(
  db: QueryExecutorProvider,
  secrets: Secrets | null,
  { secretKey, dataDir }: KeySource,
): Promise<string | null> {
  const stored = await readCheckValue(db);
  if (stored === null || (secrets !== null && stored.equals(checkValueOf(secrets)))) return null;
  if (secretKey === undefined && (await isBeingReplaced(db, dataDir))) {
    return 'A key rotation was interrupted. Run "winnow rotate-key" again to complete it.';
  }
  return `${wrongKey(secrets, { secretKey, dataDir })} If the previous key is lost, run "winnow accept-key" and then enter the tokens of the trackers again.`;
}

function wrongKey(secrets: Secrets | null, { secretKey, dataDir }: KeySource): string {
  if (secretKey !== undefined) {
    return 'SECRET_KEY is not the key this database was first used with. Set the previous one, or remove it if the key file in DATA_DIR was used.';
  }
  const what =
    secrets === null
      ? `There is no key file in ${dataDir}, and this database was used with a key before.`
      : `The key file in ${dataDir} is not the key this database was first used with.`;
  return `${what} Restore the previous secret.key, or set SECRET_KEY if that was used.`;
}

/**
 * True if a key rotation was interrupted just before its last step. All secrets are then encrypted
 * with the next key, but the key file still holds the previous key.
 */
export async function isBeingReplaced(db: QueryExecutorProvider, dataDir: string): Promise<boolean> {
  const next = await readKeyFile(nextKeyFileOf(dataDir));
  return next !== null && isInstallKey(db, secretsUnder(next));
}

/** Makes this key the database's key. Secrets encrypted with another key become unreadable. */
export async function acceptKey(db: QueryExecutorProvider, secrets: Secrets): Promise<void> {
  await sql`
    insert into install_key (check_value) values (${checkValueOf(secrets)})
    on conflict (only_one) do update set check_value = excluded.check_value
  `.execute(db);
}

/** True if this key is the database's key. False if the database has none yet. */
export async function isInstallKey(db: QueryExecutorProvider, secrets: Secrets): Promise<boolean> {
  return (await readCheckValue(db))?.equals(checkValueOf(secrets)) ?? false;
}

async function readCheckValue(db: QueryExecutorProvider): Promise<Buffer | null> {
  const { rows } = await sql<{ check_value: Buffer }>`select check_value from install_key`.execute(db);
  return rows[0]?.check_value ?? null;
}

function checkValueOf(secrets: Secrets): Buffer {
  return secrets.derive('install-key-check');
}
