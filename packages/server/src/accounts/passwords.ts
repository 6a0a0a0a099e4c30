import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password for storage: argon2id with salt, in PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2_PARAMETERS);
}

/**
 * Hash of an unknown password with the same parameters. It is compared if a user does not exist.
 */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$OzqB6vYSWEpu2RXAKIXplA$IlJXAV2CtrdqdxFRbK3Anaor0EY6Ehq4WHgxXNe5nu0';

/**
 * True if the password matches the stored hash. Without a stored hash, does the same work and
 * returns false, so that timing does not reveal whether a user exists.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DECOY_HASH, password);
  return stored !== null && matches;
}
