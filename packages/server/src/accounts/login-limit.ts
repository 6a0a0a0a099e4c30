import { createHash, randomUUID } from 'node:crypto';
import { rateLimited } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';

const WINDOW_MS = 15 * 60 * 1000;
const FAILURES_ALLOWED = 10;

/** Who tries to sign in from where: the user that the typed name belongs to, if any. */
export interface LoginAttempt {
  readonly userId: string | null;
  readonly name: string;
  readonly remoteAddress: string;
}

/**
 * Counts an attempt as a failure until it is forgiven, so that parallel attempts cannot slip past the limit. Failures
 * count by user, however named, and address; for a name that nobody has by that name, with the same answers.
 * Throws 429 after ten failures in 15 minutes. Answers what {@link forgiveFailures} takes.
 */
export async function countAttempt(db: Db, attempt: LoginAttempt, now: Date): Promise<Buffer> {
  const id = randomUUID();
  const subject = subjectOf(attempt);
  const windowStart = new Date(now.getTime() - WINDOW_MS);
  await db.deleteFrom('login_failure').where('failed_at', '<=', windowStart).execute();
  await db.insertInto('login_failure').values({ id, subject, failed_at: now }).execute();
  const failures = await db
    .selectFrom('login_failure')
    .select('failed_at')
    .where('subject', '=', subject)
    .orderBy('failed_at')
    .execute();
  const decisive = failures.at(-1 - FAILURES_ALLOWED)?.failed_at;
  if (decisive === undefined) return subject;
  // Refused unseen, it must not make the wait longer.
  await db.deleteFrom('login_failure').where('id', '=', id).execute();
  throw rateLimited((decisive.getTime() + WINDOW_MS - now.getTime()) / 1000);
}

/** After a success nothing is held against whoever signed in. */
export async function forgiveFailures(db: Db, subject: Buffer): Promise<void> {
  await db.deleteFrom('login_failure').where('subject', '=', subject).execute();
}

function subjectOf({ userId, name, remoteAddress }: LoginAttempt): Buffer {
  const who = userId === null ? ['name', name.toLowerCase()] : ['user', userId];
  return createHash('sha256')
    .update(JSON.stringify([...who, remoteAddress]))
    .digest();
}
