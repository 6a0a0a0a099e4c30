import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash of this password for storing; salted, argon2id, PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

let decoy: Promise<string> | null = null;

/**
 * Whether the password is the one that was hashed. Without a stored hash it does the same work and says no, so the
 * time taken does not tell whether a user exists.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, password);
  decoy ??= hashPassword('no user has this password');
  await verify(await decoy, password);
  return false;
}
