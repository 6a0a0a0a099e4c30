import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { commandSucceeds, giveOwnership, type ServerAccount } from './server-account.ts';

/**
 * Parent folder of databases that cannot be stored in their data folder, because the account of
 * PostgreSQL cannot enter it.
 */
const SHARED_PARENT = '/var/lib/winnow';
/** File in the folder of a database that contains the path of its data folder. */
const OWNER_FILE = 'belongs-to';

/**
 * Returns true if the account can enter the data folder. If root owns the folder, first tries to
 * grant the account's group permission to enter the folder, but not to list it.
 */
export function allowEntry(account: ServerAccount, dataDir: string): boolean {
  if (account.identity.uid === undefined || commandSucceeds(account, 'cd "$1"', dataDir)) return true;
  if (statSync(dataDir).uid !== 0) return false;
  const { gid, mode } = statSync(dataDir);
  chownSync(dataDir, 0, account.identity.gid);
  chmodSync(dataDir, 0o710);
  if (commandSucceeds(account, 'cd "$1"', dataDir)) return true;
  chownSync(dataDir, 0, gid);
  chmodSync(dataDir, mode & 0o7777);
  return false;
}

/**
 * Creates a folder in `/var/lib/winnow` for the database of this data folder.
 *
 * @throws {EmbeddedPostgresError} if that is not possible
 */
export function makeSharedFolder(account: ServerAccount, dataDir: string): string {
  try {
    mkdirSync(SHARED_PARENT, { recursive: true, mode: 0o755 });
    removeAbandoned();
    const folder = mkdtempSync(join(SHARED_PARENT, 'data-'));
    writeFileSync(join(folder, OWNER_FILE), `${dataDir}\n`);
    giveOwnership(folder, account);
    if (commandSucceeds(account, 'cd "$1"', folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as ${account.name}, which can enter neither ${dataDir} nor ${SHARED_PARENT}. Set DATA_DIR to a folder that every user may enter, or set DATABASE_URL.`,
  );
}

/**
 * Removes databases whose data folder was temporary and is deleted. Keeps databases of other
 * missing data folders, which may have been moved.
 */
function removeAbandoned(): void {
  for (const name of readdirSync(SHARED_PARENT)) {
    const note = join(SHARED_PARENT, name, OWNER_FILE);
    if (!existsSync(note)) continue;
    const owner = readFileSync(note, 'utf8').trim();
    if (owner.startsWith(join(tmpdir(), '/')) && !existsSync(owner)) {
      rmSync(join(SHARED_PARENT, name), { recursive: true, force: true });
    }
  }
}
