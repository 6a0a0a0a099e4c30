import { HOUR_MS, MINUTE_MS } from '../platform/clock.ts';
import { rateLimited } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  type AttemptCounter,
  type AttemptLimit,
  attemptSubject,
  countAttempt,
  forgetAttempts,
} from './attempt-store.ts';
import type { LinkPurpose } from './store.ts';

/** Failures of one user at one address. */
const USER_AT_ADDRESS_LIMIT: AttemptLimit = { allowed: 10, windowMs: 15 * MINUTE_MS };
/**
 * Failures of one user across all addresses that the user never signed in from. Two people who
 * mistype on new devices stay below it. Guessing is limited to 60 passwords a day.
 */
const USER_LIMITS: readonly AttemptLimit[] = [
  { allowed: 20, windowMs: HOUR_MS },
  { allowed: 60, windowMs: 24 * HOUR_MS },
];
/**
 * Failures at one address across all users that never signed in from it. Successes and
 * known devices do not count, so an office of hundreds of people stays below it.
 */
const ADDRESS_LIMITS: readonly AttemptLimit[] = [
  { allowed: 30, windowMs: 15 * MINUTE_MS },
  { allowed: 200, windowMs: 24 * HOUR_MS },
];

/**
 * Wrong passwords of signed-in users, over all addresses. An owner who forgot the password can
 * reset it by email.
 */
const PASSWORD_CHECK_LIMITS: readonly AttemptLimit[] = [
  { allowed: 10, windowMs: HOUR_MS },
  { allowed: 30, windowMs: 24 * HOUR_MS },
];

/** Emails of one kind that anyone can trigger for one address. */
const EMAILS_PER_KIND_LIMIT: AttemptLimit = { allowed: 5, windowMs: HOUR_MS };

/** Subject of a password check: a user, or a name that no user has. */
export type LoginSubject = { userId: string } | { unknownName: string };

/** A password attempt. It counts as a failure until it is forgiven. */
export interface LoginAttempt {
  readonly ids: readonly string[];
  /** Subjects whose earlier failures are forgiven too. */
  readonly subjects: readonly Buffer[];
}

/**
 * Returns the counter of emails of one kind to an address. Several users may have registered with
 * an address. Counting by user would reveal to them which one holds it.
 */
export function emailCounter(kind: LinkPurpose | 'register', address: string): AttemptCounter {
  return { subject: attemptSubject('mail', kind, address.toLowerCase()), limit: EMAILS_PER_KIND_LIMIT };
}

/** Returns the counter of a user's failures at one address. */
export function loginAtAddress(userId: string, caller: string): Buffer {
  return attemptSubject('sign-in', 'user', userId, caller);
}

/**
 * Counts a password attempt as a failure until {@link forgiveLogin}. 429 beyond the limits. A
 * trusted client is limited only by its own failures, so that others cannot lock users out of their
 * devices.
 */
export async function countLogin(
  db: Db,
  subject: LoginSubject,
  { caller, isTrusted }: { caller: string; isTrusted: boolean },
  now: Date,
): Promise<LoginAttempt> {
  const who = 'userId' in subject ? ['user', subject.userId] : ['name', subject.unknownName.toLowerCase()];
  const atAddress = attemptSubject('sign-in', ...who, caller);
  const counters: AttemptCounter[] = [{ subject: atAddress, limit: USER_AT_ADDRESS_LIMIT }];
  if (!isTrusted) {
    counters.push(...countersOf(USER_LIMITS, 'sign-in of', ...who));
    counters.push(...countersOf(ADDRESS_LIMITS, 'sign-in at', caller));
  }
  return { ids: await countAllowed(db, counters, now), subjects: [atAddress] };
}

/**
 * Counts a signed-in user's password check as a failure until {@link forgiveLogin}. 429 beyond the
 * limits. Pass the device token only if the device is the user's: it then has its own counters, so
 * that failures elsewhere do not slow it down.
 */
export async function countPasswordCheck(
  db: Db,
  userId: string,
  { caller, deviceToken }: { caller: string; deviceToken: string | null },
  now: Date,
): Promise<LoginAttempt> {
  const counters = [
    { subject: loginAtAddress(userId, caller), limit: USER_AT_ADDRESS_LIMIT },
    ...countersOf(PASSWORD_CHECK_LIMITS, 'password check', userId, deviceToken ?? 'unknown devices'),
  ];
  const ids = await countAllowed(db, counters, now);
  return { ids, subjects: counters.map(({ subject }) => subject) };
}

/** Removes a successful attempt, and the user's earlier failures at this address or device. */
export function forgiveLogin(db: Db, attempt: LoginAttempt): Promise<void> {
  return forgetAttempts(db, attempt);
}

async function countAllowed(db: Db, counters: readonly AttemptCounter[], now: Date) {
  const { ids, waitSeconds } = await countAttempt(db, counters, now);
  if (waitSeconds > 0) throw rateLimited(waitSeconds);
  return ids;
}

function countersOf(limits: readonly AttemptLimit[], ...parts: readonly string[]): AttemptCounter[] {
  return limits.map((limit) => ({ subject: attemptSubject(...parts, String(limit.windowMs)), limit }));
}
