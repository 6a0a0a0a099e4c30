import { HOUR_MS, MINUTE_MS } from '../platform/clock.ts';
import { rateLimited } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import {
  type AttemptCounter,
  type AttemptLimit,
  attemptSubject,
  countAttempt,
  deleteAttempts,
} from './attempt-store.ts';
import type { LinkPurpose } from './store.ts';

/** Limit of failures of one user at one IP address. */
const USER_AT_ADDRESS_LIMIT: AttemptLimit = { allowed: 10, windowMs: 15 * MINUTE_MS };
/**
 * Limits of failures of one user across all IP addresses from which the user never signed in. Two
 * people who mistype on new devices stay below these. Guessing is limited to 60 passwords a day.
 */
const USER_LIMITS: readonly AttemptLimit[] = [
  { allowed: 20, windowMs: HOUR_MS },
  { allowed: 60, windowMs: 24 * HOUR_MS },
];
/**
 * Limits of failures at one IP address, across all users who never signed in from it. Successes and
 * known devices do not count, so an office of hundreds of people stays below these.
 */
const ADDRESS_LIMITS: readonly AttemptLimit[] = [
  { allowed: 30, windowMs: 15 * MINUTE_MS },
  { allowed: 200, windowMs: 24 * HOUR_MS },
];

/**
 * Limits of wrong passwords entered by a signed-in user, and of wrong codes at sign-in, over all IP
 * addresses. An owner who forgot the password can reset it by email.
 */
const PASSWORD_CHECK_LIMITS: readonly AttemptLimit[] = [
  { allowed: 10, windowMs: HOUR_MS },
  { allowed: 30, windowMs: 24 * HOUR_MS },
];

/** Limit of emails of one kind that anyone can have sent to one address. */
const EMAILS_PER_KIND_LIMIT: AttemptLimit = { allowed: 5, windowMs: HOUR_MS };

/** Subject of a password check: a user, or a name that no user has. */
export type LoginSubject = { userId: string } | { unknownName: string };

/** A password attempt. It counts as a failure until {@link clearFailedLogins} is called. */
export interface LoginAttempt {
  readonly ids: readonly string[];
  /** Subjects whose earlier failures are forgiven too. */
  readonly subjects: readonly Buffer[];
}

/**
 * Returns the counter of emails of one kind to an address. Several users may register one address.
 * If emails were counted by user, each user could learn whose account has the address.
 */
export function emailCounter(kind: LinkPurpose | 'register' | 'invitation', address: string): AttemptCounter {
  return { subject: attemptSubject('mail', kind, address.toLowerCase()), limit: EMAILS_PER_KIND_LIMIT };
}

/** Returns the subject for counting a user's failures at one IP address. */
export function loginAtAddressSubject(userId: string, caller: string): Buffer {
  return attemptSubject('sign-in', 'user', userId, caller);
}

/**
 * Counts a password attempt as a failure until {@link clearFailedLogins}. Throws 429 beyond the
 * limits. For a trusted client, only its own failures count, so that others cannot lock users out
 * of their devices.
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
 * Counts a signed-in user's password check as a failure until {@link clearFailedLogins}. Throws 429
 * beyond the limits. Pass the device token only if the device is the user's. That device then has
 * its own counters, so that failures elsewhere do not block it.
 */
export async function countPasswordCheck(
  db: Db,
  userId: string,
  { caller, deviceToken }: { caller: string; deviceToken: string | null },
  now: Date,
): Promise<LoginAttempt> {
  const counters = [
    { subject: loginAtAddressSubject(userId, caller), limit: USER_AT_ADDRESS_LIMIT },
    ...countersOf(PASSWORD_CHECK_LIMITS, 'password check', userId, deviceToken ?? 'unknown devices'),
  ];
  const ids = await countAllowed(db, counters, now);
  return { ids, subjects: counters.map(({ subject }) => subject) };
}

/**
 * Counts a code of a second factor as a failure until {@link clearFailedLogins}. Only a right code
 * clears these failures, and a right password does not. Throws 429 beyond the
 * limits. Pass the device token as for {@link countPasswordCheck}. Addresses do not matter: someone
 * who knows the password may share the user's address.
 */
export async function countCode(
  db: Db,
  userId: string,
  deviceToken: string | null,
  now: Date,
): Promise<LoginAttempt> {
  const counters = countersOf(PASSWORD_CHECK_LIMITS, 'code', userId, deviceToken ?? 'unknown devices');
  const ids = await countAllowed(db, counters, now);
  return { ids, subjects: counters.map(({ subject }) => subject) };
}

/** Removes a successful attempt, and the user's earlier failures at this address or device. */
export function clearFailedLogins(db: Db, attempt: LoginAttempt): Promise<void> {
  return deleteAttempts(db, attempt);
}

async function countAllowed(db: Db, counters: readonly AttemptCounter[], now: Date) {
  const { ids, waitSeconds } = await countAttempt(db, counters, now);
  if (waitSeconds > 0) throw rateLimited(waitSeconds);
  return ids;
}

function countersOf(limits: readonly AttemptLimit[], ...parts: readonly string[]): AttemptCounter[] {
  return limits.map((limit) => ({ subject: attemptSubject(...parts, String(limit.windowMs)), limit }));
}
