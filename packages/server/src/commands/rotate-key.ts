import { readFile, rm } from 'node:fs/promises';
import { Client, type PoolConfig } from 'pg';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { parseSecretKey } from '../platform/config-values.ts';
import { openDatabase } from '../platform/database.ts';
import { isInstallKey, keyProblem } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { holdAlone } from '../platform/running.ts';
import {
  makeNextKey,
  nextKeyFileOf,
  openSecrets,
  readKeyFile,
  SecretKeyRefused,
  type Secrets,
  secretsUnder,
  takeNextKey,
} from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { openPostgres } from './open-postgres.ts';
import { resealAll } from './reseal.ts';

const USAGE =
  'Say which key is to be the new one: set NEW_SECRET_KEY, or name a file that holds it: winnow rotate-key --file FILE\n';

/** Seals everything under another key, and makes that the database's own. */
export async function rotateKey(config: Config, args: readonly string[]): Promise<number> {
  const newKey = await newKeyOf(config, args);
  if (newKey === null || (newKey === 'made' && config.secretKey !== undefined)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log);
  try {
    const { connection } = postgres;
    await migrate({ connection, migrations, log });
    return await aloneWith(connection, async () => {
      const database = openDatabase<Tables>(connection, { log, max: 2, statementTimeoutMs: 0 });
      try {
        return newKey === 'made'
          ? await replaceKeyFile(config, database.db)
          : await replaceBy(config, database.db, newKey);
      } finally {
        await database.close();
      }
    });
  } finally {
    await postgres.stop();
  }
}

/** The key that is given; `made` where one is to be made for the key file; null for what the command does not take. */
async function newKeyOf({ newSecretKey }: Config, args: readonly string[]): Promise<string | 'made' | null> {
  const [option, path, ...others] = args;
  if (option === undefined) return newSecretKey ?? 'made';
  if (option !== '--file' || path === undefined || others.length > 0) return null;
  try {
    return parseSecretKey((await readFile(path, 'utf8')).trim(), path);
  } catch (error) {
    throw new SecretKeyRefused(error instanceof Error ? error.message : `${path} cannot be read.`, error);
  }
}

/** Does something while no Winnow runs on the database, and none can begin to. */
async function aloneWith<T>(connection: PoolConfig, work: () => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, application_name: 'winnow rotate-key' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (!(await holdAlone(client))) {
      throw new SecretKeyRefused('A Winnow runs on this database. Stop every process of it first.');
    }
    return await work();
  } finally {
    await client.end();
  }
}

async function replaceBy(config: Config, db: Db, newKey: string): Promise<number> {
  const to = await openSecrets({ secretKey: newKey, dataDir: config.dataDir });
  if (await isInstallKey(db, to)) {
    process.stdout.write(
      'The new key is the database’s own already. Set SECRET_KEY to it and start Winnow.\n',
    );
    return 0;
  }
  await reseal(config, db, to);
  process.stdout.write('Set SECRET_KEY to the new key now, remove NEW_SECRET_KEY, and start Winnow.\n');
  if (config.secretKey === undefined)
    process.stdout.write('The key file in DATA_DIR is of use for old backups only.\n');
  return 0;
}

/** Makes another key for the key file. A run that was interrupted once all was sealed under it is ended. */
async function replaceKeyFile(config: Config, db: Db): Promise<number> {
  const { dataDir } = config;
  const left = await readKeyFile(nextKeyFileOf(dataDir));
  if (left === null || !(await isInstallKey(db, secretsUnder(left)))) {
    await rm(nextKeyFileOf(dataDir), { force: true });
    await refuseWrongKey(config, db);
    await reseal(config, db, secretsUnder(await makeNextKey(dataDir)));
  }
  const former = await takeNextKey(dataDir, systemClock.now());
  process.stdout.write(
    `The key file holds the new key. The former one is ${former}: keep it with old backups.\n`,
  );
  return 0;
}

async function reseal(config: Config, db: Db, to: Secrets): Promise<void> {
  const from = await refuseWrongKey(config, db);
  const { values, unreadable } = await resealAll(db, { from, to });
  process.stdout.write(
    `Sealed ${values} stored secrets under the new key. Everybody has to sign in again.\n`,
  );
  if (unreadable > 0) {
    process.stdout.write(
      `${unreadable} could not be read under the present key and stay as they are: enter those again.\n`,
    );
  }
  process.stdout.write('Backups made before this need the former key.\n');
}

async function refuseWrongKey(config: Config, db: Db): Promise<Secrets> {
  const from = await openSecrets(config);
  const problem = await keyProblem(db, from, config);
  if (problem !== null) throw new SecretKeyRefused(problem);
  return from;
}
