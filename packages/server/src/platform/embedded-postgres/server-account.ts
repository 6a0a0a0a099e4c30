import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** System user that runs PostgreSQL. */
export interface ServerAccount {
  /**
   * Options of `spawn` that switch to the user. Empty if this process already runs as that user.
   */
  readonly identity: { readonly uid: number; readonly gid: number } | Record<string, never>;
  readonly name: string;
}

/** Users that exist on every system and own no valuable files. */
const UNPRIVILEGED = ['nobody', 'daemon', 'bin'];

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. Returns the user of this process
 * unless that is root.
 *
 * For root, chooses the owner of the database files, or the owner of the data folder if no files
 * exist. If that owner is root, chooses `nobody` or the next available unprivileged user.
 *
 * @throws {EmbeddedPostgresError} if root cannot switch to another user
 */
export function chooseServerAccount(dataDir: string): ServerAccount {
  if (process.getuid?.() !== 0) return { identity: {}, name: 'the user that runs Winnow' };
  const cluster = join(dataDir, 'postgres');
  const ownerUid = statSync(existsSync(cluster) ? cluster : dataDir).uid;
  const candidates = ownerUid === 0 ? UNPRIVILEGED : [String(ownerUid), ...UNPRIVILEGED];
  for (const candidate of candidates) {
    const uid = askId('-u', candidate);
    const gid = askId('-g', candidate);
    if (uid !== null && gid !== null && uid !== 0 && canBecome(uid, gid)) {
      return { identity: { uid, gid }, name: candidate };
    }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL cannot run as root, and on this system root cannot switch to another user. Start Winnow as an ordinary user, or set DATABASE_URL to another PostgreSQL server.',
  );
}

function askId(option: '-u' | '-g', user: string): number | null {
  const { status, stdout } = spawnSync('id', [option, '--', user], { encoding: 'utf8' });
  const id = Number(stdout);
  return status === 0 && Number.isInteger(id) ? id : null;
}

function canBecome(uid: number, gid: number): boolean {
  return spawnSync('/bin/sh', ['-c', ':'], { uid, gid, cwd: '/' }).status === 0;
}

/**
 * Runs a shell command as the account. The parameters become `$1`, `$2`… of the command. Returns
 * true if the command exits with code 0.
 */
export function commandSucceeds(account: ServerAccount, line: string, ...parameters: string[]): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', line, 'sh', ...parameters], {
    ...account.identity,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}

/**
 * Makes the account the owner of a file or folder. Does nothing if the account is the user of this
 * process.
 */
export function giveOwnership(path: string, account: ServerAccount): void {
  if (account.identity.uid !== undefined) chownSync(path, account.identity.uid, account.identity.gid);
}
