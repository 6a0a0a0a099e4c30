import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Binaries, programPath } from './binaries.ts';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { commandSucceeds, giveOwnership, type ServerAccount } from './server-account.ts';
import { serverEnvironment } from './server-settings.ts';
import { allowEntry, makeSharedFolder } from './shared-folder.ts';

/** A PostgreSQL cluster: the folder of its files, and the password of its only role, `winnow`. */
export interface Cluster {
  /** Absolute path without symbolic links. */
  readonly folder: string;
  readonly password: string;
  /** True if this start created the cluster. Its files may not be flushed to disk yet. */
  readonly isNew: boolean;
}

const FOLDER_LINK = 'postgres';
const PASSWORD_FILE = 'winnow.password';
/**
 * Opens the database files in `DATA_DIR/postgres`, or creates them with initdb. New files are
 * created in a draft folder that is renamed when complete, so an interrupted start leaves no
 * partial database.
 *
 * If the account cannot enter the data folder, the files are stored in `/var/lib/winnow`, and
 * `DATA_DIR/postgres` is a link to them.
 *
 * @throws {EmbeddedPostgresError} if the files have another version or owner, or cannot be created
 */
export function openCluster(dataDir: string, account: ServerAccount, binaries: Binaries): Cluster {
  const path = join(dataDir, FOLDER_LINK);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    return { ...existingCluster(path, account, binaries), isNew: false };
  }
  const parent = allowEntry(account, dataDir) ? dataDir : makeSharedFolder(account, dataDir);
  const folder = join(parent, FOLDER_LINK);
  const draft = join(parent, `${FOLDER_LINK}.new`);
  rmSync(draft, { recursive: true, force: true });
  try {
    const password = initialize(draft, account, binaries, statSync(dataDir));
    renameSync(draft, folder);
    if (folder !== path) symlinkSync(folder, path);
    return { folder: realpathSync(folder), password, isNew: true };
  } catch (error) {
    rmSync(parent === dataDir ? draft : parent, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the password of a cluster whose server another process runs. */
export function readPassword(folder: string): string {
  return readFileSync(join(folder, PASSWORD_FILE), 'utf8').trim();
}

/** Returns the folder of the cluster in this data folder; null if there is none. */
export function findCluster(dataDir: string): string | null {
  const path = join(dataDir, FOLDER_LINK);
  return existsSync(path) ? realpathSync(path) : null;
}

function existingCluster(path: string, account: ServerAccount, binaries: Binaries) {
  if (!existsSync(path)) {
    throw new EmbeddedPostgresError(
      `${path} links to ${readlinkSync(path)}, which does not exist. Restore the database there, or delete the link to begin with an empty one.`,
    );
  }
  const folder = realpathSync(path);
  const major = binaries.version.split('.')[0];
  try {
    const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
    if (found !== major) {
      throw new EmbeddedPostgresError(
        `The database in ${path} was created by PostgreSQL ${found}; this version of Winnow has PostgreSQL ${major}. Start the version it was created with, or set DATABASE_URL.`,
      );
    }
    if (account.identity.uid !== undefined && !commandSucceeds(account, 'cd "$1"', folder)) {
      throw new EmbeddedPostgresError(
        `PostgreSQL runs as ${account.name}, which cannot enter ${folder}. Set DATA_DIR to a folder that every user may enter, and move the data there.`,
      );
    }
    return { folder, password: readPassword(folder) };
  } catch (error) {
    if (systemErrorCode(error) === 'EACCES') {
      throw new EmbeddedPostgresError(
        `The database in ${path} belongs to another user. Start Winnow as that user, or set DATA_DIR to another folder.`,
        error,
      );
    }
    if (systemErrorCode(error) === 'ENOENT') {
      throw new EmbeddedPostgresError(
        `${path} contains no complete database of Winnow. Restore a complete copy of it, or move it away to begin with an empty one.`,
        error,
      );
    }
    throw error;
  }
}

function initialize(
  folder: string,
  account: ServerAccount,
  binaries: Binaries,
  owner: { uid: number; gid: number },
): string {
  // One hash iteration is enough for a random password, and makes connecting fast.
  const password = randomBytes(32).toString('base64url');
  const passwordFile = `${folder}.password`;
  mkdirSync(folder, { mode: 0o700 });
  giveOwnership(folder, account);
  try {
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    giveOwnership(passwordFile, account);
    const { status, stderr, stdout, error } = spawnSync(
      programPath(binaries, 'initdb'),
      [
        `--pgdata=${folder}`,
        '--username=winnow',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
        '--set=scram_iterations=1',
        '--no-instructions',
        '--no-sync',
      ],
      { ...account.identity, ...serverEnvironment(), cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) {
      throw new EmbeddedPostgresError(
        `The database could not be created in ${folder}: ${reasonOf(`${stdout}\n${stderr}`)} Fix that and start again, or set DATABASE_URL.`,
        error,
      );
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  const kept = join(folder, PASSWORD_FILE);
  writeFileSync(kept, `${password}\n`, { mode: 0o600, flag: 'wx' });
  if (account.identity.uid !== undefined) chownSync(kept, owner.uid, owner.gid);
  return password;
}

/**
 * Returns the reason of a failure, as a sentence: the line of PostgreSQL's output that states the
 * error.
 */
export function reasonOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) => /\b(FATAL|PANIC|error|could not)\b/.test(line)) ?? lines.at(-1);
  if (telling === undefined) return 'it gave no reason.';
  const text = telling.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '').trim();
  return /[.?]$/.test(text) ? text : `${text}.`;
}
