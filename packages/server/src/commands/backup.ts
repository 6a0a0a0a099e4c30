import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp, refuseTaken } from '../platform/backup/backup.ts';
import { BackupRefused } from '../platform/backup/backup-refused.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { openLog } from '../platform/log.ts';
import { keyFileOf, readKeyFile } from '../platform/secrets.ts';
import { VERSION } from '../platform/version.ts';
import { openPostgres } from './open-postgres.ts';

const USAGE = 'Say where to: winnow backup FILE [--with-key] [--force]\n';

/** Writes all of the database into one file, beside a Winnow that may be running. */
export async function backup(config: Config, args: readonly string[]): Promise<number> {
  const asked = readArgs(args);
  if (asked === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const path = resolve(asked.file);
  if (!asked.force) await refuseTaken(path);
  const key = asked.withKey ? await keyOf(config) : null;
  const log = openLog({ level: config.logLevel });
  const postgres = await openPostgres(config, log, 'attach');
  try {
    const rows = await backUp({
      connection: postgres.connection,
      path,
      force: asked.force,
      winnowVersion: VERSION,
      key,
      now: () => systemClock.now(),
      onTable: (table, count) => process.stderr.write(`${table}: ${count.toLocaleString('en-US')} rows\n`),
    });
    process.stdout.write(`Backed up ${rows.toLocaleString('en-US')} rows to ${path}.\n`);
    process.stdout.write(`${aboutKey(config, key)}\n`);
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
      options: { 'with-key': { type: 'boolean' }, force: { type: 'boolean' } },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return null;
    return { file, withKey: values['with-key'] === true, force: values.force === true };
  } catch {
    return null;
  }
}

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
