import { resolve } from 'node:path';
import { markSubscriptionsUnread } from '../billing/stripe/store.ts';
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
import { formatRows, printTableRows } from './rows.ts';

/** Word that the operator must type to confirm that the data is replaced. */
const CONFIRMATION = 'replace';

/** Replaces the content of the database with a backup, in one transaction. */
export const restoreBackup = command({
  name: 'restore',
  synopsis: 'restore FILE [--replace [--yes]]',
  summary: 'Restore a backup into an empty database, or with --replace into any',
  details: `Stop Winnow first. The backup is verified before anything is changed, and restored completely or not at all. Without
--replace, the database must be empty: without accounts.

  --replace             delete all data in the database first; asks for confirmation
  --yes                 do not ask for confirmation

Users who signed in after the backup must sign in again. Winnow then needs the key of the backup: a backup made with
--with-key contains it; otherwise set SECRET_KEY or restore secret.key.`,
  takes: { operands: ['FILE'], options: { replace: { type: 'boolean' }, yes: { type: 'boolean' } } },
  async run(config, { operands: [file], values }) {
    const path = resolve(file);
    process.stderr.write(`Verifying ${path}…\n`);
    const backup = await checkBackup(path, migrations);
    await assertKeyMatches(config, backup);
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
          await markSubscriptionsUnread(db);
          if (backup.key !== null && config.secretKey === undefined) {
            await writeKeyFile(config.dataDir, backup.key);
          }
        },
        onTable: printTableRows,
      });
      if (!isDone) {
        process.stderr.write('Nothing was changed.\n');
        return 1;
      }
      const rows = Object.values(backup.rows).reduce((sum, count) => sum + count, 0);
      process.stdout.write(`Restored ${formatRows(rows)} from the backup of ${backup.header.made_at}.\n`);
      process.stdout.write(`${await keyAdvice(config, { connection, log })}\n`);
      return 0;
    } finally {
      await postgres.stop();
    }
  },
});

/**
 * Checks that the key in the backup can be installed. An existing key file is never overwritten,
 * because secrets may be sealed with its key.
 */
async function assertKeyMatches({ secretKey, dataDir }: Config, { key }: CheckedBackup): Promise<void> {
  if (key === null || secretKey !== undefined) return;
  const present = await readKeyFile(keyFileOf(dataDir));
  if (present === null || present.toString('base64url') === key) return;
  throw new BackupRefused(
    `${keyFileOf(dataDir)} differs from the key in the backup. Move it away first, and keep it while secrets may be sealed with it.`,
  );
}

async function mayReplace(
  { replace, yes }: { readonly replace?: boolean; readonly yes?: boolean },
  { header }: CheckedBackup,
): Promise<boolean> {
  if (!replace) {
    throw new BackupRefused(
      'The database contains accounts already. Use an empty one, or delete all its data with --replace.',
    );
  }
  if (yes) return true;
  const warning = `All data in the database will be deleted and replaced by the backup of ${header.made_at}.`;
  return confirm(warning, CONFIRMATION);
}

async function keyAdvice(
  config: Config,
  { connection, log }: { connection: Parameters<typeof openDatabase>[0]; log: Log },
): Promise<string> {
  const secrets = await readSecrets(config);
  if (secrets === null) {
    return `The key of the backup is missing: set SECRET_KEY, or restore the key file as ${keyFileOf(config.dataDir)}, before you start Winnow.`;
  }
  const database = openDatabase<unknown>(connection, { log, max: 1 });
  try {
    const problem = await keyProblem(database.db, secrets, config);
    return problem ?? 'The key matches the backup. Start Winnow.';
  } finally {
    await database.close();
  }
}
