import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from './errors.ts';

export type Secrets = {
  /**
   * Encrypts a secret for storage. `context` names the place where it is stored
   * (`tracker:<account>:<id>`). The result cannot be decrypted with another context, so copying it
   * to another row does not work.
   */
  seal(plaintext: string, context: string): Buffer;
  /**
   * Decrypts a secret.
   *
   * @throws {SecretUnreadable} if the context or key is not the one used for encryption, or if any
   * byte was changed
   */
  open(sealed: Uint8Array, context: string): string;
  /**
   * Derives a 32-byte key for another purpose, such as signing tokens. The same label always
   * returns the same key.
   */
  derive(label: string): Buffer;
};

/** A stored secret cannot be decrypted: it was changed, moved, or encrypted with another key. */
export class SecretUnreadable extends AppError {
  constructor(cause?: unknown) {
    super({
      code: 'secret_unreadable',
      category: 'internal',
      detail:
        'A stored secret cannot be read. If SECRET_KEY or the key file in DATA_DIR was changed, restore the previous one, or enter the secret again.',
      cause,
    });
  }
}

/** The master key is unsafe or malformed. The server must not start, and shows this message. */
export class SecretKeyRefused extends AppError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'secret_key_refused', category: 'internal', detail, cause });
  }
}

/**
 * Source of the master key: `SECRET_KEY`, or the key file in the data folder if that variable is
 * not set.
 */
export interface KeySource {
  readonly secretKey?: string | undefined;
  readonly dataDir: string;
}

const KEY_FILE = 'secret.key';
/** File of the next key during a key rotation. At the end, it replaces the key file. */
const NEXT_KEY_FILE = 'secret.key.next';
const KEY_BYTES = 32;
const MIN_SECRET_KEY_CHARS = 32;
const SEAL_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/**
 * Opens the vault with `secretKey`. Without it, uses the key file in `dataDir`. The file is created
 * atomically at first use (mode 0600), so processes that start at the same time use the same key.
 *
 * Algorithms: AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D), and HKDF-SHA-256 for
 * deriving keys (RFC 5869). Format of an encrypted secret: version (1 byte), nonce (12), tag (16),
 * ciphertext.
 *
 * @throws {SecretKeyRefused} for an unusable key
 */
export async function openSecrets(options: KeySource): Promise<Secrets> {
  const present = await readSecrets(options);
  if (present !== null) return present;
  return secretsUnder(await makeKeyFile(options.dataDir, keyFileOf(options.dataDir)));
}

/**
 * Like {@link openSecrets}, but creates no key file. Returns null if neither a key nor a key file
 * exists.
 *
 * @throws {SecretKeyRefused} for an unusable key
 */
export async function readSecrets(options: KeySource): Promise<Secrets | null> {
  const master =
    options.secretKey === undefined
      ? await readKeyFile(keyFileOf(options.dataDir))
      : checkedSecretKey(options.secretKey);
  return master && secretsUnder(master);
}

/** Returns a vault with keys derived from this master key. */
export function secretsUnder(master: Buffer): Secrets {
  const expand = (info: string) => Buffer.from(hkdfSync('sha256', master, 'winnow secrets', info, KEY_BYTES));
  const sealingKey = expand('seal');

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(context));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(SEAL_VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== SEAL_VERSION)
        throw new SecretUnreadable();
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(1, HEADER_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(boundTo(context));
        decipher.setAuthTag(sealed.subarray(HEADER_BYTES, HEADER_BYTES + TAG_BYTES));
        const body = decipher.update(sealed.subarray(HEADER_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SecretUnreadable(error);
      }
    },
    derive(label) {
      return expand(`label:${label}`);
    },
  };
}

function boundTo(context: string): Buffer {
  return Buffer.concat([Buffer.of(SEAL_VERSION), Buffer.from(context, 'utf8')]);
}

function checkedSecretKey(secretKey: string): Buffer {
  if (secretKey.length < MIN_SECRET_KEY_CHARS) {
    throw new SecretKeyRefused(
      `SECRET_KEY is shorter than ${MIN_SECRET_KEY_CHARS} characters. Create one with: openssl rand -base64 32`,
    );
  }
  return Buffer.from(secretKey, 'utf8');
}

/** Returns the path of the key file in a data folder. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/** Returns the path of the file that contains the next key during a key rotation. */
export function nextKeyFileOf(dataDir: string): string {
  return join(dataDir, NEXT_KEY_FILE);
}

/** Creates the key file of a data folder with this key. Does nothing if a key file exists. */
export async function writeKeyFile(dataDir: string, key: string): Promise<void> {
  await createKeyFile(dataDir, keyFileOf(dataDir), key);
}

/**
 * Creates the next key for a key rotation and returns it. If a next key exists, returns that one.
 */
export async function createNextKey(dataDir: string): Promise<Buffer> {
  return makeKeyFile(dataDir, nextKeyFileOf(dataDir));
}

/**
 * Renames the file of a next key that a rotation did not use. The file is not deleted, because a
 * secret may be encrypted with its key. Returns the new path, or null if no such file exists.
 */
export async function renameUnusedNextKey(dataDir: string, now: Date): Promise<string | null> {
  const unused = `${keyFileOf(dataDir)}.unused-${stampOf(now)}`;
  try {
    await rename(nextKeyFileOf(dataDir), unused);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  await syncFolder(dataDir);
  return unused;
}

/**
 * Replaces the key file by the next key, and saves the previous key in another file. Returns the
 * path of that file.
 */
export async function activateNextKey(dataDir: string, now: Date): Promise<string> {
  const former = `${keyFileOf(dataDir)}.until-${stampOf(now)}`;
  await link(keyFileOf(dataDir), former);
  await syncFolder(dataDir);
  await rename(nextKeyFileOf(dataDir), keyFileOf(dataDir));
  await syncFolder(dataDir);
  return former;
}

/** Formats a time for a file name, to the second. */
function stampOf(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}

/**
 * Creates a key file with a new random key and returns the key. If the file exists, returns its
 * key.
 */
async function makeKeyFile(dataDir: string, path: string): Promise<Buffer> {
  await createKeyFile(dataDir, path, randomBytes(KEY_BYTES).toString('base64url'));
  const created = await readKeyFile(path);
  if (created === null) {
    throw new SecretKeyRefused(`The key file ${path} vanished while it was created. Start again.`);
  }
  return created;
}

async function createKeyFile(dataDir: string, path: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Creating a hard link fails if the target exists. So processes that start at the same time use
    // the same key.
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(dataDir);
}

/**
 * Flushes the file names of a folder to disk. Wait for it before using a new key file, so that a
 * power failure cannot remove the file.
 */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot flush folders, but its file system journal protects file names.
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Returns the key of a key file; null if the file does not exist.
 *
 * @throws {SecretKeyRefused} for an unusable file
 */
export async function readKeyFile(path: string): Promise<Buffer | null> {
  let text: string;
  try {
    // Refuses a symbolic link, since the checks must apply to the file in the data folder itself.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { mode } = await file.stat();
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw new SecretKeyRefused(
          `The key file ${path} can be read by others. Remove that permission (chmod 600 ${path}) and start again.`,
        );
      }
      text = await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SecretKeyRefused) throw error;
    if (errorCode(error) === 'ENOENT') return null;
    throw new SecretKeyRefused(
      `The key file ${path} cannot be read. Check that it is a regular file owned by the user that runs Winnow.`,
      error,
    );
  }
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES || key.toString('base64url') !== text.trim()) {
    throw new SecretKeyRefused(
      `The key file ${path} is damaged. Restore a copy of it, or, if no stored secret is needed, delete it and start again.`,
    );
  }
  return key;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
