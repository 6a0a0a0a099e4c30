import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BackupRefused } from '../platform/backup/backup-refused.ts';
import { type CheckedBackup, checkBackup, restore } from '../platform/backup/restore.ts';
import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import { keyProblem } from '../platform/install-key.ts';
import { type Log, openLog } from '../platform/log.ts';
import { keyFileOf, openSecrets, readKeyFile, writeKeyFile } from '../platform/secrets.ts';
import { migrations } from '../schema/migrations.ts';
import { confirm } from './confirm.ts';
import { openPostgres } from './open-postgres.ts';

const USAGE = 'Say which backup: winnow restore FILE [--replace [--yes]]\n';
/** What is typed to have a database replaced. */
const CONFIRMATION = 'replace';

/** Makes the database what a backup says, or leaves it as it is. */
export async function restoreBackup(config: Config, args: readonly string[]): Promise<number> {
  const asked = readArgs(args);
  if (asked === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const path = resolve(asked.file);
  process.stderr.write(`Reading all of ${path} first…\n`);
  const backup = await checkBackup(path, migrations);
  await refuseAnotherKey(config, backup);
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log);
  try {
    const { connection } = postgres;
    const isDone = await restore({
      backup,
      connection,
      migrations,
      log,
      mayReplace: () => mayReplace(asked, backup),
      beforeCommit: async () => {
        if (backup.key !== null && config.secretKey === undefined) {
          await writeKeyFile(config.dataDir, backup.key);
        }
      },
      onTable: (table, count) => process.stderr.write(`${table}: ${count.toLocaleString('en-US')} rows\n`),
    });
    if (!isDone) {
      process.stderr.write('Nothing was changed.\n');
      return 1;
    }
    process.stdout.write(`Restored what was backed up at ${backup.header.made_at}.\n`);
    process.stdout.write(`${await aboutKey(config, { connection, log })}\n`);
    return 0;
  } finally {
    await postgres.stop();
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { replace: { type: 'boolean' }, yes: { type: 'boolean' } },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return null;
    return { file, replace: values.replace === true, yes: values.yes === true };
  } catch {
    return null;
  }
}

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
  { replace, yes }: { replace: boolean; yes: boolean },
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
  if (config.secretKey === undefined && (await readKeyFile(keyFileOf(config.dataDir))) === null) {
    return `Its key is not here: set SECRET_KEY, or put the key file back as ${keyFileOf(config.dataDir)}, before you start Winnow.`;
  }
  const database = openDatabase<unknown>(connection, { log, max: 1 });
  try {
    const problem = await keyProblem(database.db, await openSecrets(config), config);
    return problem ?? 'The key here is the one it was sealed under. Start Winnow.';
  } finally {
    await database.close();
  }
}
