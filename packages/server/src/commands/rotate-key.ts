import { readFile } from 'node:fs/promises';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { parseSecretKey } from '../platform/config-values.ts';
import { isBeingReplaced, isInstallKey, keyProblem } from '../platform/install-key.ts';
import {
  activateNextKey,
  createNextKey,
  openSecrets,
  readSecrets,
  renameUnusedNextKey,
  SecretKeyRefused,
  type Secrets,
  secretsUnder,
} from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { type Keys, resealAll } from './reseal.ts';
import { withDatabase } from './with-database.ts';

/** Word that the operator must type to confirm that the key is replaced. */
const CONFIRMATION = 'rotate';

/** Seals all secrets with a new key and makes it the database's key. */
export const rotateKey = command({
  name: 'rotate-key',
  synopsis: 'rotate-key [--file FILE] [--yes]',
  summary: 'Replace the key with NEW_SECRET_KEY, a key from a file, or a new key file',
  details: `Stop Winnow first, and back up. All users are signed out, and older backups need the previous key.

The new key is NEW_SECRET_KEY or the content of the given file: create one with "openssl rand -base64 32", and set
SECRET_KEY to it afterwards. With neither, and without SECRET_KEY, a new key file is created, and the previous one is saved
beside it. Run the command again to complete an interrupted run.

  --file FILE           file that contains the new key
  --yes                 do not ask for confirmation`,
  takes: { operands: [], options: { file: { type: 'string' }, yes: { type: 'boolean' } } },
  async run(config, { values: { file, yes } }) {
    const newKey = file === undefined ? config.newSecretKey : await keyIn(file);
    if (newKey === undefined && config.secretKey !== undefined) {
      process.stderr.write(
        'Specify the new key: set NEW_SECRET_KEY, or name a file that contains it: winnow rotate-key --file FILE\n',
      );
      return 2;
    }
    const mayRotate = async () => yes || (await confirm(WARNING, CONFIRMATION));
    return withDatabase(config, ({ db }) => rotate(config, db, newKey, mayRotate), { alone: 'rotate-key' });
  },
});

const WARNING =
  'All secrets will be sealed with another key: all users are signed out, and existing backups need the previous key.';

async function keyIn(path: string): Promise<string> {
  try {
    return parseSecretKey((await readFile(path, 'utf8')).trim(), path);
  } catch (error) {
    throw new SecretKeyRefused(error instanceof Error ? error.message : `${path} cannot be read.`, error);
  }
}

/**
 * Rotates to `newKey`. If `newKey` is undefined, creates a new key file and rotates to its key.
 * First completes an interrupted rotation.
 */
async function rotate(
  config: Config,
  db: Db,
  newKey: string | undefined,
  mayRotate: () => Promise<boolean>,
): Promise<number> {
  const { dataDir } = config;
  if (config.secretKey === undefined && (await isBeingReplaced(db, dataDir))) {
    await replaceKeyFile(dataDir);
    if (newKey === undefined) return 0;
  }
  const given = newKey === undefined ? null : await openSecrets({ secretKey: newKey, dataDir });
  if (given !== null && (await isInstallKey(db, given))) {
    process.stdout.write(
      'The new key is the database’s key already. Set SECRET_KEY to it and start Winnow.\n',
    );
    return 0;
  }
  const from = await currentKey(config, db);
  if (!(await mayRotate())) {
    process.stderr.write('Nothing was changed.\n');
    return 1;
  }
  await reseal(db, { from, to: given ?? (await nextKey(dataDir)) });
  if (given === null) {
    await replaceKeyFile(dataDir);
    return 0;
  }
  process.stdout.write('Set SECRET_KEY to the new key now, remove NEW_SECRET_KEY, and start Winnow.\n');
  if (config.secretKey === undefined)
    process.stdout.write('The key file in DATA_DIR is only needed for old backups.\n');
  return 0;
}

/**
 * Creates a new key for the key file and returns it. First saves the unused key that an interrupted
 * run left behind.
 */
async function nextKey(dataDir: string): Promise<Secrets> {
  const unused = await renameUnusedNextKey(dataDir, systemClock.now());
  if (unused !== null) {
    process.stdout.write(`The key of an interrupted run was saved as ${unused}.\n`);
  }
  return secretsUnder(await createNextKey(dataDir));
}

async function replaceKeyFile(dataDir: string): Promise<void> {
  const previous = await activateNextKey(dataDir, systemClock.now());
  process.stdout.write(
    `The key file contains the new key. The previous one is ${previous}: keep it with old backups.\n`,
  );
}

async function reseal(db: Db, keys: Keys): Promise<void> {
  const { values, unreadable } = await resealAll(db, keys, systemClock.now());
  process.stdout.write(`Sealed ${values} stored secrets with the new key. All users must sign in again.\n`);
  if (unreadable > 0) {
    process.stdout.write(
      `${unreadable} could not be read with the current key and are unchanged: enter those again.\n`,
    );
  }
  process.stdout.write('Older backups need the previous key.\n');
}

/**
 * Returns the current key.
 * @throws {SecretKeyRefused} if there is no key, or if it is not the database's key
 */
async function currentKey(config: Config, db: Db): Promise<Secrets> {
  const present = await readSecrets(config);
  const problem = await keyProblem(db, present, config);
  if (problem !== null) throw new SecretKeyRefused(problem);
  if (present === null) throw new SecretKeyRefused('There is no key yet to replace.');
  return present;
}
