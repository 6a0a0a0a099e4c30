import { resolve } from 'node:path';
import { forgetReadings } from '../billing/stripe/store.ts';
import { BackupRefused } from '../platform/backup/backup-refused.ts';
import { type CheckedBackup, checkBackup, restore } from '../platform/backup/restore.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { keyProblem } from '../platform/install-key.ts';
import type { Log } from '../platform/log.ts';
import { keyFileOf, readKeyFile, readSecrets, writeKeyFile } from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import { command } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { confirm } from './confirm.ts';
import { openPostgres } from './open-postgres.ts';
import { rowsInWords, sayTable } from './rows.ts';

/** What is typed to have a database replaced. */
const CONFIRMATION = 'replace';

/** Makes the database what a backup says, or leaves it as it is. */
export const restoreBackup = command({
  name: 'restore',
  synopsis: 'restore FILE [--replace [--yes]]',
  summary: 'Make an empty database, or with --replace any, what a backup says',
  details: `Stop Winnow first. The backup is read to its end before anything is changed, and all of it is restored or nothing. Without
--replace the database has to be empty: one in which nobody has an account.

  --replace             all that the database holds is removed, and what is in the backup takes its place; asks first
  --yes                 without that question

Whoever signed in after the backup was made has to sign in again. Winnow then needs the key of that time: a backup made with
--with-key brings it along, else set SECRET_KEY or put secret.key back.`,
  takes: { operands: ['FILE'], options: { replace: { type: 'boolean' }, yes: { type: 'boolean' } } },
  async run(config, { operands: [file], values }) {
    const path = resolve(file);
    process.stderr.write(`Reading all of ${path} first…\n`);
    const backup = await checkBackup(path, migrations);
    await refuseAnotherKey(config, backup);
    const log = openCommandLog(config);
    const postgres = await openPostgres(config, log);
    try {
      const { connection } = postgres;
      const isDone = await restore({
        backup,
        connection,
        migrations,
        log,
        mayReplace: () => mayReplace(values, backup),
        beforeCommit: async (db) => {
          await forgetReadings(db);
          if (backup.key !== null && config.secretKey === undefined) {
            await writeKeyFile(config.dataDir, backup.key);
          }
        },
        onTable: sayTable,
      });
      if (!isDone) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const rows = Object.values(backup.rows).reduce((sum, count) => sum + count, 0);
      process.stdout.write(
        `Restored ${rowsInWords(rows)}, as they were backed up at ${backup.header.made_at}.\n`,
      );
      process.stdout.write(`${await aboutKey(config, { connection, log })}\n`);
      return 0;
    } finally {
      await postgres.stop();
    }
  },
});

/** A key file is never written over: what is sealed under it may be needed. */
async function refuseAnotherKey({ secretKey, dataDir }: Config, { key }: CheckedBackup): Promise<void> {
  if (key === null || secretKey !== undefined) return;
  const present = await readKeyFile(keyFileOf(dataDir));
  if (present === null || present.toString('base64url') === key) return;
  throw new BackupRefused(
    `${keyFileOf(dataDir)} is another key than the one in the backup. Move it away first, and keep it as long as anything was sealed under it.`,
  );
}

async function mayReplace(
  { replace, yes }: { readonly replace?: boolean; readonly yes?: boolean },
  { header }: CheckedBackup,
): Promise<boolean> {
  if (!replace) {
    throw new BackupRefused(
      'The database holds accounts already. Name an empty one, or have all that it holds removed with --replace.',
    );
  }
  if (yes) return true;
  const warning = `All that the database holds now is removed, and what was backed up at ${header.made_at} takes its place.`;
  return confirm(warning, CONFIRMATION);
}

async function aboutKey(
  config: Config,
  { connection, log }: { connection: Parameters<typeof openDatabase>[0]; log: Log },
): Promise<string> {
  const secrets = await readSecrets(config);
  if (secrets === null) {
    return `Its key is not here: set SECRET_KEY, or put the key file back as ${keyFileOf(config.dataDir)}, before you start Winnow.`;
  }
  const database = openDatabase<unknown>(connection, { log, max: 1 });
  try {
    const problem = await keyProblem(database.db, secrets, config);
    return problem ?? 'The key here is the one it was sealed under. Start Winnow.';
  } finally {
    await database.close();
  }
}
