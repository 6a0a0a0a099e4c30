import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Binaries, findPackagedBinaries, prepareBinaries, programPath } from './binaries.ts';
import { chooseServerAccount, type ServerAccount } from './server-account.ts';

const isRoot = process.getuid?.() === 0;
const ourselves: ServerAccount = { identity: {}, name: 'ourselves' };
let unwanted: string[] = [];

afterAll(() => {
  for (const path of unwanted) rmSync(path, { recursive: true, force: true });
  unwanted = [];
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-binaries-'));
  unwanted.push(folder);
  return folder;
}

/**
 * Copies the package into the state in which npm leaves it without install scripts: links between
 * its libraries are missing.
 */
function packageWithoutLinks(): Binaries {
  const original = findPackagedBinaries().folder;
  const folder = join(temporaryFolder(), 'native');
  for (const name of readdirSync(original, { recursive: true, encoding: 'utf8' })) {
    const [from, to] = [join(original, name), join(folder, name)];
    mkdirSync(dirname(to), { recursive: true });
    const entry = lstatSync(from);
    if (!entry.isFile()) continue;
    // Copies only `bin`, since the tests change file modes there. Other files are hard-linked,
    // which is faster.
    if (name.startsWith('bin')) copyFileSync(from, to);
    else linkSync(from, to);
  }
  return { folder, version: `test-${process.pid}` };
}

function runs(binaries: Binaries, account: ServerAccount): boolean {
  const options = { ...account.identity, cwd: '/', encoding: 'utf8' } as const;
  const { stdout } = spawnSync(programPath(binaries, 'postgres'), ['--version'], options);
  return stdout?.includes('PostgreSQL') ?? false;
}

describe.skipIf(process.platform === 'win32')('the packaged PostgreSQL', () => {
  let packaged: Binaries;
  beforeAll(() => {
    packaged = packageWithoutLinks();
  });

  test('runs even if npm did not run its install script', () => {
    expect(runs(packaged, ourselves)).toBe(false);
    expect(prepareBinaries(packaged, ourselves, temporaryFolder())).toEqual(packaged);
    expect(runs(packaged, ourselves)).toBe(true);
  });

  test.runIf(isRoot)(
    'is copied from a folder that only root may enter to one that its account may enter',
    () => {
      chmodSync(dirname(packaged.folder), 0o700);
      const dataDir = temporaryFolder();
      const account = chooseServerAccount(dataDir);
      expect(runs(packaged, account)).toBe(false);

      const usable = prepareBinaries(packaged, account, dataDir);
      unwanted.push(dirname(usable.folder));
      expect(runs(usable, account)).toBe(true);
      expect(lstatSync(usable.folder).uid).toBe(0);
      expect(prepareBinaries(packaged, account, dataDir)).toEqual(usable);
    },
  );

  test('is copied into the data folder, once, if it cannot run in its own folder', () => {
    for (const program of ['initdb', 'postgres'] as const) chmodSync(programPath(packaged, program), 0o644);
    const dataDir = temporaryFolder();
    const usable = prepareBinaries(packaged, ourselves, dataDir);
    expect(usable.folder).toContain(dataDir);
    expect(runs(usable, ourselves)).toBe(true);
    const made = statSync(usable.folder).ino;
    expect(statSync(prepareBinaries(packaged, ourselves, dataDir).folder).ino).toBe(made);
  });

  test('is refused with a sentence that offers an alternative if it runs nowhere', () => {
    rmSync(join(packaged.folder, 'lib'), { recursive: true });
    expect(() => prepareBinaries(packaged, ourselves, temporaryFolder())).toThrow(
      expect.objectContaining({
        name: 'EmbeddedPostgresError',
        message: expect.stringContaining('DATABASE_URL'),
      }),
    );
  });
});
