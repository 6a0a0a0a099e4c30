import { rateLimited } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { type AttemptLimit, attemptSubject, countAttempt } from './attempts.ts';

const FAILURES: AttemptLimit = { allowed: 10, windowMs: 15 * 60 * 1000 };

/** A user, however named, who gives a password at this address. */
export function loginOfUser(userId: string, remoteAddress: string): Buffer {
  return attemptSubject('sign-in', 'user', userId, remoteAddress);
}

/** Somebody at this address who gives a password for a name that nobody has. */
export function loginOfNobody(name: string, remoteAddress: string): Buffer {
  return attemptSubject('sign-in', 'name', name.toLowerCase(), remoteAddress);
}

/** Counts an attempt as a failure until it is forgiven. Throws 429 after ten failures in 15 minutes. */
export async function countLogin(db: Db, subject: Buffer, now: Date): Promise<void> {
  const waitSeconds = await countAttempt(db, subject, FAILURES, now);
  if (waitSeconds > 0) throw rateLimited(waitSeconds);
}
