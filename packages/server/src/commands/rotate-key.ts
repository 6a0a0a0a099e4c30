import { readFile } from 'node:fs/promises';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { parseSecretKey } from '../platform/config-values.ts';
import { isBeingReplaced, isInstallKey, keyProblem } from '../platform/install-key.ts';
import {
  makeNextKey,
  openSecrets,
  readSecrets,
  SecretKeyRefused,
  type Secrets,
  secretsUnder,
  setNextKeyAside,
  takeNextKey,
} from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { command } from './command.ts';
import { confirm } from './confirm.ts';
import { type Keys, resealAll } from './reseal.ts';
import { withDatabase } from './with-database.ts';

/** What is typed to have the key replaced. */
const CONFIRMATION = 'rotate';

/** Seals everything under another key, and makes that the database's own. */
export const rotateKey = command({
  name: 'rotate-key',
  synopsis: 'rotate-key [--file FILE] [--yes]',
  summary: 'Seal everything under another key: NEW_SECRET_KEY, one in a file, or a new key file',
  details: `Stop Winnow first, and back up. Everybody is signed out, and backups made before need the former key.

The new key is NEW_SECRET_KEY, or what stands in the file that is named: make one with "openssl rand -base64 32", and set
SECRET_KEY to it afterwards. With neither, and without SECRET_KEY, a new key file is made, and the former one is kept beside
it. A run that was interrupted is ended by the next.

  --file FILE           the file that holds the new key
  --yes                 without the question whether to go on`,
  takes: { operands: [], options: { file: { type: 'string' }, yes: { type: 'boolean' } } },
  async run(config, { values: { file, yes } }) {
    const newKey = file === undefined ? config.newSecretKey : await keyIn(file);
    if (newKey === undefined && config.secretKey !== undefined) {
      process.stderr.write(
        'Say which key is to be the new one: set NEW_SECRET_KEY, or name a file that holds it: winnow rotate-key --file FILE\n',
      );
      return 2;
    }
    const mayRotate = async () => yes || (await confirm(WARNING, CONFIRMATION));
    return withDatabase(config, ({ db }) => rotate(config, db, newKey, mayRotate), { alone: 'rotate-key' });
  },
});

const WARNING =
  'Everything is sealed under another key: everybody is signed out, and backups made until now need the former key.';

async function keyIn(path: string): Promise<string> {
  try {
    return parseSecretKey((await readFile(path, 'utf8')).trim(), path);
  } catch (error) {
    throw new SecretKeyRefused(error instanceof Error ? error.message : `${path} cannot be read.`, error);
  }
}

/** Rotates to the new key, or to a new key file when there is none. A run that was interrupted is ended first. */
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
      'The new key is the database’s own already. Set SECRET_KEY to it and start Winnow.\n',
    );
    return 0;
  }
  const from = await presentKey(config, db);
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
    process.stdout.write('The key file in DATA_DIR is of use for old backups only.\n');
  return 0;
}

/** A new key for the key file. One that an interrupted run has left, and under which the database is not sealed, is kept. */
async function nextKey(dataDir: string): Promise<Secrets> {
  const unused = await setNextKeyAside(dataDir, systemClock.now());
  if (unused !== null) {
    process.stdout.write(`A key of a run that was interrupted is kept as ${unused}.\n`);
  }
  return secretsUnder(await makeNextKey(dataDir));
}

async function replaceKeyFile(dataDir: string): Promise<void> {
  const former = await takeNextKey(dataDir, systemClock.now());
  process.stdout.write(
    `The key file holds the new key. The former one is ${former}: keep it with old backups.\n`,
  );
}

async function reseal(db: Db, keys: Keys): Promise<void> {
  const { values, unreadable } = await resealAll(db, keys);
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

/** @throws {SecretKeyRefused} when there is none, or it is not the database's own. */
async function presentKey(config: Config, db: Db): Promise<Secrets> {
  const present = await readSecrets(config);
  const problem = await keyProblem(db, present, config);
  if (problem !== null) throw new SecretKeyRefused(problem);
  if (present === null) throw new SecretKeyRefused('There is no key yet that could be replaced.');
  return present;
}
