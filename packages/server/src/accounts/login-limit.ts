import { rateLimited } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  type AttemptCounter,
  type AttemptLimit,
  attemptSubject,
  countAttempt,
  forgetAttempts,
} from './attempts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Failures of one user at one address. */
const AT_ONE_ADDRESS: AttemptLimit = { allowed: 10, windowMs: 15 * MINUTE_MS };
/**
 * Failures of one user over all addresses that the user never signed in from: two people who mistype on two new devices stay
 * below it, and guessing comes to 60 passwords a day however many addresses are used.
 */
const OF_ONE_USER: readonly AttemptLimit[] = [
  { allowed: 20, windowMs: HOUR_MS },
  { allowed: 60, windowMs: 24 * HOUR_MS },
];
/** Failures at one address over all users that never signed in from it: an office of a thousand people stays below it. */
const OF_ONE_ADDRESS: readonly AttemptLimit[] = [
  { allowed: 100, windowMs: 15 * MINUTE_MS },
  { allowed: 500, windowMs: 24 * HOUR_MS },
];

/** Mails of one kind that anyone can have sent to one address. */
export const MAILS_OF_ONE_KIND: AttemptLimit = { allowed: 5, windowMs: HOUR_MS };

/** Who gives a password: a user, however named, or a name that no user has. */
export type LoginSubject = { userId: string } | { unknownName: string };

/** An attempt to give a password. It counts as a failure until it is forgiven. */
export interface LoginAttempt {
  readonly atAddress: Buffer;
  readonly ids: readonly string[];
}

/** The counter of a user's failures at one address. */
export function loginAtAddress(userId: string, caller: string): Buffer {
  return attemptSubject('sign-in', 'user', userId, caller);
}

/**
 * Counts an attempt to give a password as a failure until {@link forgiveLogin}. Throws 429 beyond the limits. A trusted client
 * is limited by its own failures alone, so that nobody can lock users out of their own devices.
 */
export async function countLogin(
  db: Db,
  subject: LoginSubject,
  { caller, isTrusted }: { caller: string; isTrusted: boolean },
  now: Date,
): Promise<LoginAttempt> {
  const who = 'userId' in subject ? ['user', subject.userId] : ['name', subject.unknownName.toLowerCase()];
  const atAddress = attemptSubject('sign-in', ...who, caller);
  const counters: AttemptCounter[] = [{ subject: atAddress, limit: AT_ONE_ADDRESS }];
  if (!isTrusted) {
    counters.push(...countersOf(OF_ONE_USER, 'sign-in of', ...who));
    counters.push(...countersOf(OF_ONE_ADDRESS, 'sign-in at', caller));
  }
  const { ids, waitSeconds } = await countAttempt(db, counters, now);
  if (waitSeconds > 0) throw rateLimited(waitSeconds);
  return { atAddress, ids };
}

/** Takes back a successful attempt, and the failures of the user at this address before it. */
export function forgiveLogin(db: Db, { atAddress, ids }: LoginAttempt): Promise<void> {
  return forgetAttempts(db, { ids, subject: atAddress });
}

function countersOf(limits: readonly AttemptLimit[], ...parts: readonly string[]): AttemptCounter[] {
  return limits.map((limit) => ({ subject: attemptSubject(...parts, String(limit.windowMs)), limit }));
}
