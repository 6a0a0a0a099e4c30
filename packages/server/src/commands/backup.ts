import { resolve } from 'node:path';
import { backUp, refuseTaken } from '../platform/backup/backup.ts';
import { BackupRefused } from '../platform/backup/backup-refused.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { keyFileOf, readKeyFile } from '../platform/secrets.ts';
import { VERSION } from '../platform/version.ts';
import { command } from './command.ts';
import { openCommandLog } from './command-log.ts';
import { openPostgres } from './open-postgres.ts';
import { rowsInWords, sayTable } from './rows.ts';

/** Writes all of the database into one file, beside a Winnow that may be running. */
export const backup = command({
  name: 'backup',
  synopsis: 'backup FILE [--with-key] [--force]',
  summary: 'Write all of the database into one file, beside a running Winnow',
  details: `  --with-key            with the key file of DATA_DIR in it: whoever has the backup can then read everything
  --force               in the place of a file that is there`,
  takes: { operands: ['FILE'], options: { 'with-key': { type: 'boolean' }, force: { type: 'boolean' } } },
  async run(config, { operands: [file], values: { force = false, 'with-key': withKey } }) {
    const path = resolve(file);
    if (!force) await refuseTaken(path);
    const key = withKey ? await keyOf(config) : null;
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
        onTable: sayTable,
      });
      process.stdout.write(`Backed up ${rowsInWords(rows)} to ${path}.\n`);
      process.stdout.write(`${aboutKey(config, key)}\n`);
      return 0;
    } finally {
      await postgres.stop();
    }
  },
});

async function keyOf({ secretKey, dataDir }: Config): Promise<string> {
  if (secretKey !== undefined) {
    throw new BackupRefused(
      'The key is SECRET_KEY, which is not in the data folder. Leave --with-key out, and keep SECRET_KEY where you keep it now.',
    );
  }
  const key = await readKeyFile(keyFileOf(dataDir));
  if (key === null) throw new BackupRefused(`There is no key file ${keyFileOf(dataDir)} to back up.`);
  return key.toString('base64url');
}

function aboutKey({ secretKey, dataDir }: Config, key: string | null): string {
  if (key !== null) {
    return 'THE KEY IS IN IT: whoever has this file can read every token that is stored. Keep it as you keep the key.';
  }
  const where = secretKey === undefined ? keyFileOf(dataDir) : 'SECRET_KEY';
  return `The key is not in it, and without it the tokens of trackers cannot be read again. It is ${where}: keep a copy of it elsewhere.`;
}
