import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash of this password for storing; salted, argon2id, PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** A hash with the same parameters of a password that nobody knows. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$OzqB6vYSWEpu2RXAKIXplA$IlJXAV2CtrdqdxFRbK3Anaor0EY6Ehq4WHgxXNe5nu0';

/**
 * Whether the password is the one that was hashed. Without a stored hash it does the same work and says no, so the
 * time taken does not tell whether a user exists.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DECOY_HASH, password);
  return stored !== null && matches;
}
