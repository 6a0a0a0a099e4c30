import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { commandSucceeds, type ServerAccount } from './server-account.ts';

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

/** Folder that contains PostgreSQL's `bin`, `lib` and `share`, and the version of the package. */
export interface Binaries {
  readonly folder: string;
  readonly version: string;
}

/** Returns the path of a PostgreSQL program. */
export function programPath(binaries: Binaries, program: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(binaries.folder, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

/**
 * Makes the packaged programs usable by `account`. Creates the links between libraries if the
 * package's install script did not run.
 *
 * If the account cannot enter the folder, or the links cannot be created, copies the files. Root
 * copies them to a world-readable folder, other users into the data folder.
 *
 * @throws {EmbeddedPostgresError} if the programs do not run on this system
 */
export function prepareBinaries(packaged: Binaries, account: ServerAccount, dataDir: string): Binaries {
  const linked = linkLibraries(packaged.folder);
  if (linked && isUsable(packaged.folder, account)) return packaged;
  for (const parent of copyParents(account, dataDir)) {
    const copy = copyTo(parent, packaged, account);
    if (copy !== null) return copy;
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${packaged.folder} does not run on this system${libraryHint()}. Set DATABASE_URL to another PostgreSQL server.`,
  );
}

/**
 * Finds PostgreSQL in the `@embedded-postgres` package of this platform.
 *
 * @throws {EmbeddedPostgresError} if no package exists for the platform, or it is not installed
 */
export function findPackagedBinaries(): Binaries {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (platform === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to another PostgreSQL server.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { folder: join(folder, 'native'), version: manifest.version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed. Run npm ci without omitting optional packages, or set DATABASE_URL to another PostgreSQL server.`,
      error,
    );
  }
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the symbolic links that the package lists. Returns false if a link is missing and cannot
 * be created.
 */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  for (const { source, target } of symlinkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(dirname(folder), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

function isUsable(folder: string, account: ServerAccount): boolean {
  if (process.platform === 'win32') return existsSync(join(folder, 'bin', 'postgres.exe'));
  return commandSucceeds(
    account,
    '"$1/bin/postgres" --version && [ -x "$1/bin/initdb" ] && [ -r "$1/share/postgresql/postgres.bki" ]',
    folder,
  );
}

function copyParents(account: ServerAccount, dataDir: string): string[] {
  if (account.identity.uid === undefined) return [dataDir];
  return ['/var/cache/winnow', '/var/lib/winnow', join(tmpdir(), 'winnow-programs')];
}

function copyTo(parent: string, packaged: Binaries, account: ServerAccount): Binaries | null {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    // This process must own the programs: in a shared folder, another user could have created them
    // first.
    const { uid, mode } = lstatSync(parent);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return null;
    const folder = join(parent, `postgresql-${packaged.version}`);
    if (!existsSync(folder)) {
      const draft = `${folder}.${process.pid}`;
      rmSync(draft, { recursive: true, force: true });
      cpSync(packaged.folder, join(draft, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('.a'),
      });
      makeWorldReadable(draft);
      linkLibraries(join(draft, 'native'));
      moveIntoPlace(draft, folder);
    }
    const copy = join(folder, 'native');
    return isUsable(copy, account) ? { folder: copy, version: packaged.version } : null;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}

/**
 * Renames a finished draft to its final folder. If another process has created the folder
 * meanwhile, deletes the draft and uses that folder.
 */
function moveIntoPlace(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function makeWorldReadable(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  const isProgram = dirname(path).endsWith('/bin');
  chmodSync(path, entry.isDirectory() || isProgram || (statSync(path).mode & 0o111) !== 0 ? 0o755 : 0o644);
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) makeWorldReadable(join(path, name));
}

function libraryHint(): string {
  return existsSync('/etc/alpine-release') ? ': it needs the GNU C library, which Alpine does not have' : '';
}
