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
import { type Binaries, findPackagedBinaries, makeUsable, programPath } from './binaries.ts';
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

/** The package as npm leaves it when it did not run install scripts: no links between the libraries. */
function packageWithoutLinks(): Binaries {
  const original = findPackagedBinaries().folder;
  const folder = join(temporaryFolder(), 'native');
  for (const name of readdirSync(original, { recursive: true, encoding: 'utf8' })) {
    const [from, to] = [join(original, name), join(folder, name)];
    mkdirSync(dirname(to), { recursive: true });
    const entry = lstatSync(from);
    if (!entry.isFile()) continue;
    // The tests change modes in `bin`; the rest is shared with the real package to be quick.
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

  test('runs although npm did not run its install script', () => {
    expect(runs(packaged, ourselves)).toBe(false);
    expect(makeUsable(packaged, ourselves, temporaryFolder())).toEqual(packaged);
    expect(runs(packaged, ourselves)).toBe(true);
  });

  test.runIf(isRoot)('in a folder only root may enter is copied to where its account may', () => {
    chmodSync(dirname(packaged.folder), 0o700);
    const dataDir = temporaryFolder();
    const account = chooseServerAccount(dataDir);
    expect(runs(packaged, account)).toBe(false);

    const usable = makeUsable(packaged, account, dataDir);
    unwanted.push(dirname(usable.folder));
    expect(runs(usable, account)).toBe(true);
    expect(lstatSync(usable.folder).uid).toBe(0);
    expect(makeUsable(packaged, account, dataDir)).toEqual(usable);
  });

  test('that does not run where it lies is copied into the data folder, once', () => {
    for (const program of ['initdb', 'postgres'] as const) chmodSync(programPath(packaged, program), 0o644);
    const dataDir = temporaryFolder();
    const usable = makeUsable(packaged, ourselves, dataDir);
    expect(usable.folder).toContain(dataDir);
    expect(runs(usable, ourselves)).toBe(true);
    const made = statSync(usable.folder).ino;
    expect(statSync(makeUsable(packaged, ourselves, dataDir).folder).ino).toBe(made);
  });

  test('whose programs do not run anywhere is refused with a sentence that offers a way out', () => {
    rmSync(join(packaged.folder, 'lib'), { recursive: true });
    expect(() => makeUsable(packaged, ourselves, temporaryFolder())).toThrow(
      expect.objectContaining({
        name: 'EmbeddedPostgresError',
        message: expect.stringContaining('DATABASE_URL'),
      }),
    );
  });
});
