import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from './errors.ts';

export type Secrets = {
  /**
   * Encrypts a secret for storing. `context` names the one place it belongs to (`tracker:<account>:<id>`): a sealed
   * value that was copied to another row does not open there.
   */
  seal(plaintext: string, context: string): Buffer;
  /** The secret again. Throws {@link SecretUnreadable} for another context, another key, or a changed byte. */
  open(sealed: Uint8Array, context: string): string;
  /** A 32-byte key for one other purpose, such as signing tokens; the same label always gives the same key. */
  derive(label: string): Buffer;
};

/** A stored secret does not open: it was changed, moved, or sealed with another key. */
export class SecretUnreadable extends AppError {
  constructor(cause?: unknown) {
    super({
      code: 'secret_unreadable',
      status: 500,
      detail:
        'A stored secret cannot be read. If SECRET_KEY or the key file in DATA_DIR was changed, put the former one back, or enter the secret again.',
      cause,
    });
  }
}

/** The master key is missing its safety or its form; the start must stop with this sentence. */
export class SecretKeyRefused extends AppError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'secret_key_refused', status: 500, detail, cause });
  }
}

/** Where the key comes from: `SECRET_KEY`, or, when there is none, the key file in the data folder. */
export interface KeySource {
  readonly secretKey?: string | undefined;
  readonly dataDir: string;
}

const KEY_FILE = 'secret.key';
/** The key that a rotation is about to put in the key file's place. */
const NEXT_KEY_FILE = 'secret.key.next';
const KEY_BYTES = 32;
const SHORTEST_SECRET_KEY = 32;
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/**
 * Opens the vault under `secretKey`, or, when there is none, under the key file in `dataDir`, which is made on first
 * use (0600, all at once: two processes starting together end up with one key).
 *
 * AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D); keys by HKDF-SHA-256 (RFC 5869).
 * Layout of a sealed value: version (1 byte), nonce (12), tag (16), ciphertext.
 * Throws {@link SecretKeyRefused}.
 */
export async function openSecrets(options: KeySource): Promise<Secrets> {
  const present = await readSecrets(options);
  if (present !== null) return present;
  return secretsUnder(await makeKeyFile(options.dataDir, keyFileOf(options.dataDir)));
}

/** {@link openSecrets} without making a key file: null when there is no key yet. Throws {@link SecretKeyRefused}. */
export async function readSecrets(options: KeySource): Promise<Secrets | null> {
  const master =
    options.secretKey === undefined
      ? await readKeyFile(keyFileOf(options.dataDir))
      : checkedSecretKey(options.secretKey);
  return master && secretsUnder(master);
}

/** The vault under the bytes of a key file. */
export function secretsUnder(master: Buffer): Secrets {
  const expand = (info: string) => Buffer.from(hkdfSync('sha256', master, 'winnow secrets', info, KEY_BYTES));
  const sealingKey = expand('seal');

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(context));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== VERSION) throw new SecretUnreadable();
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
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(context, 'utf8')]);
}

function checkedSecretKey(secretKey: string): Buffer {
  if (secretKey.length < SHORTEST_SECRET_KEY) {
    throw new SecretKeyRefused(
      `SECRET_KEY is shorter than ${SHORTEST_SECRET_KEY} characters. Make one with: openssl rand -base64 32`,
    );
  }
  return Buffer.from(secretKey, 'utf8');
}

/** Where the key file of a data folder is. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/** Where a rotation keeps the key that is to take the key file's place. */
export function nextKeyFileOf(dataDir: string): string {
  return join(dataDir, NEXT_KEY_FILE);
}

/** Makes the key file of a data folder with this key; one that is there stays. */
export async function writeKeyFile(dataDir: string, key: string): Promise<void> {
  await createKeyFile(dataDir, keyFileOf(dataDir), key);
}

/** Makes a key that is to take the key file's place, and answers it. One that is there already is the one. */
export async function makeNextKey(dataDir: string): Promise<Buffer> {
  return makeKeyFile(dataDir, nextKeyFileOf(dataDir));
}

/**
 * Takes a next key that is not to be used out of the way, since something may be sealed under it all the same. Answers the
 * file that keeps it; null when there was none.
 */
export async function setNextKeyAside(dataDir: string, now: Date): Promise<string | null> {
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

/** Puts the next key in the key file's place, and keeps the former key in a file of its own, which is answered. */
export async function takeNextKey(dataDir: string, now: Date): Promise<string> {
  const former = `${keyFileOf(dataDir)}.until-${stampOf(now)}`;
  await link(keyFileOf(dataDir), former);
  await syncFolder(dataDir);
  await rename(nextKeyFileOf(dataDir), keyFileOf(dataDir));
  await syncFolder(dataDir);
  return former;
}

/** An instant in the name of a file, to the second. */
function stampOf(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14);
}

/** Makes a key file with a new key, and answers the key; the one that is there when there is one. */
async function makeKeyFile(dataDir: string, path: string): Promise<Buffer> {
  await createKeyFile(dataDir, path, randomBytes(KEY_BYTES).toString('base64url'));
  const created = await readKeyFile(path);
  if (created === null) {
    throw new SecretKeyRefused(`The key file ${path} vanished while it was made. Start again.`);
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
    // A hard link fails when the name is taken, so of two processes that start together exactly one key stays.
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(dataDir);
}

/** Has the names in a folder outlive a loss of power: nothing is sealed under a key whose file may vanish. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps their entries in its journal.
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The key of a key file; null when there is none. Throws {@link SecretKeyRefused} for one that cannot be used. */
export async function readKeyFile(path: string): Promise<Buffer | null> {
  let text: string;
  try {
    // Not through a symbolic link: the file checked must be the file in the data folder.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { mode } = await file.stat();
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw new SecretKeyRefused(
          `The key file ${path} can be read by others. Take that right away (chmod 600 ${path}) and start again.`,
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
      `The key file ${path} cannot be read. Check that it is a plain file of the user that runs Winnow.`,
      error,
    );
  }
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES || key.toString('base64url') !== text.trim()) {
    throw new SecretKeyRefused(
      `The key file ${path} is damaged. Put back a copy of it, or, if no secret stored so far is needed, delete it and start again.`,
    );
  }
  return key;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
