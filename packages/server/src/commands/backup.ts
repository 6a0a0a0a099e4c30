import { resolve } from 'node:path';
import { assertFileIsFree, backUp } from '../platform/backup/backup.ts';
import { BackupRefused } from '../platform/backup/backup-refused.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { keyFileOf, readKeyFile } from '../platform/secrets.ts';
import { VERSION } from '../platform/version.ts';
import { command } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { openPostgres } from './open-postgres.ts';
import { formatRows, printTableRows } from './rows.ts';

/** Backs up the database to a file. Winnow may run at the same time. */
export const backup = command({
  name: 'backup',
  synopsis: 'backup FILE [--with-key] [--force]',
  summary: 'Back up the whole database to a file while Winnow is running',
  details: `  --with-key            include the key file of DATA_DIR; the backup then gives access to everything
  --force               replace an existing file`,
  takes: { operands: ['FILE'], options: { 'with-key': { type: 'boolean' }, force: { type: 'boolean' } } },
  async run(config, { operands: [file], values: { force = false, 'with-key': withKey } }) {
    const path = resolve(file);
    if (!force) await assertFileIsFree(path);
    const key = withKey ? await readSecretKey(config) : null;
    const log = openCommandLog(config);
    const postgres = await openPostgres(config, log, 'attach');
    try {
      const rows = await backUp({
        connection: postgres.connection,
        path,
        force,
        winnowVersion: VERSION,
        key,
        now: () => systemClock.now(),
        onTable: printTableRows,
      });
      process.stdout.write(`Backed up ${formatRows(rows)} to ${path}.\n`);
      process.stdout.write(`${aboutKey(config, key)}\n`);
      return 0;
    } finally {
      await postgres.stop();
    }
  },
});

async function readSecretKey({ secretKey, dataDir }: Config): Promise<string> {
  if (secretKey !== undefined) {
    throw new BackupRefused(
      'The key is SECRET_KEY, which is not in the data folder. Omit --with-key, and keep SECRET_KEY where it is stored now.',
    );
  }
  const key = await readKeyFile(keyFileOf(dataDir));
  if (key === null) throw new BackupRefused(`There is no key file ${keyFileOf(dataDir)} to back up.`);
  return key.toString('base64url');
}

function aboutKey({ secretKey, dataDir }: Config, key: string | null): string {
  if (key !== null) {
    return 'THIS BACKUP CONTAINS THE KEY: anyone with this file can read every stored token. Protect it like the key.';
  }
  const where = secretKey === undefined ? keyFileOf(dataDir) : 'SECRET_KEY';
  return `This backup does not contain the key, which is needed to read the tokens of trackers. The key is ${where}: keep a copy of it elsewhere.`;
}
