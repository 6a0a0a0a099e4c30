import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSecrets, SecretKeyRefused, SecretUnreadable } from './secrets.ts';

const KEY = 'an operator chose these characters';
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'winnow-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('a sealed secret does not open', () => {
  test('in another context', async () => {
    const secrets = await openSecrets({ secretKey: KEY, dataDir });
    const sealed = secrets.seal('ghp_token', 'tracker:a:1');
    expect(() => secrets.open(sealed, 'tracker:b:1')).toThrow(SecretUnreadable);
    expect(() => secrets.open(sealed, '')).toThrow(SecretUnreadable);
  });

  test('if any byte was changed or it was truncated', async () => {
    const secrets = await openSecrets({ secretKey: KEY, dataDir });
    const sealed = secrets.seal('ghp_token', 'c');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index);
      expect(() => secrets.open(changed, 'c')).toThrow(SecretUnreadable);
      expect(() => secrets.open(sealed.subarray(0, index), 'c')).toThrow(SecretUnreadable);
    }
  });

  test('with another key, and the error says what to do', async () => {
    const sealed = (await openSecrets({ secretKey: KEY, dataDir })).seal('t', 'c');
    const other = await openSecrets({ secretKey: `${KEY}.`, dataDir });
    expect(() => other.open(sealed, 'c')).toThrow(/SECRET_KEY or the key file/);
  });
});

describe('a key is refused', () => {
  test('if SECRET_KEY is too short', async () => {
    await expect(openSecrets({ secretKey: 'short', dataDir })).rejects.toThrow(/SECRET_KEY is shorter/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test.runIf(process.platform !== 'win32')('if others can read its file', async () => {
    await openSecrets({ dataDir });
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(join(dataDir, 'secret.key'), mode);
      await expect(openSecrets({ dataDir })).rejects.toThrow(/chmod 600/);
    }
  });

  test.each(['', 'not a key', 'A'.repeat(42), `${'A'.repeat(43)}!`])(
    'if its file is damaged: "%s"',
    async (text) => {
      await writeFile(join(dataDir, 'secret.key'), text, { mode: 0o600 });
      await expect(openSecrets({ dataDir })).rejects.toThrow(/is damaged/);
      expect(await readFile(join(dataDir, 'secret.key'), 'utf8')).toBe(text);
    },
  );

  test.runIf(process.platform !== 'win32')('if its file is a symbolic link', async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    await writeFile(elsewhere, `${'A'.repeat(43)}\n`, { mode: 0o600 });
    await symlink(elsewhere, join(dataDir, 'secret.key'));
    await expect(openSecrets({ dataDir })).rejects.toThrow(SecretKeyRefused);
  });
});

test('a sealed secret opens in its context, even after a restart, and is never sealed the same way twice', async () => {
  for (const secretKey of [undefined, KEY]) {
    const sealed = (await openSecrets({ secretKey, dataDir })).seal('gëheim 🔑', 'tracker:a:1');
    const again = await openSecrets({ secretKey, dataDir });
    expect(again.open(sealed, 'tracker:a:1')).toBe('gëheim 🔑');
    expect(again.seal('gëheim 🔑', 'tracker:a:1').equals(sealed)).toBe(false);
    expect(sealed.includes('heim')).toBe(false);
  }
});

test('an empty secret can be sealed', async () => {
  const secrets = await openSecrets({ secretKey: KEY, dataDir });
  expect(secrets.open(secrets.seal('', 'c'), 'c')).toBe('');
});

test('the key file is private, leaves no temporary files, and ten concurrent starts agree on one key', async () => {
  const folder = join(dataDir, 'made', 'on', 'demand');
  const all = await Promise.all(Array.from({ length: 10 }, () => openSecrets({ dataDir: folder })));
  expect(await readdir(folder)).toEqual(['secret.key']);
  const { mode } = await stat(join(folder, 'secret.key'));
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
  const sealed = all[0]?.seal('t', 'c') ?? Buffer.alloc(0);
  for (const secrets of all) expect(secrets.open(sealed, 'c')).toBe('t');
});

test('derived keys differ by label and key, and are stable', async () => {
  const secrets = await openSecrets({ secretKey: KEY, dataDir });
  expect(secrets.derive('jwt')).toHaveLength(32);
  expect((await openSecrets({ secretKey: KEY, dataDir })).derive('jwt')).toEqual(secrets.derive('jwt'));
  expect(secrets.derive('cookie')).not.toEqual(secrets.derive('jwt'));
  expect((await openSecrets({ secretKey: `${KEY}.`, dataDir })).derive('jwt')).not.toEqual(
    secrets.derive('jwt'),
  );
});
