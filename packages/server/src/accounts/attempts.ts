import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '../schema/tables.ts';

/** How often something may be attempted, and for how long each attempt counts. */
export interface AttemptLimit {
  readonly allowed: number;
  readonly windowMs: number;
}

/** Who attempts what, so that others cannot be counted under the same name. */
export function attemptSubject(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Counts an attempt before it is made, so that parallel ones cannot slip past the limit. Answers 0 while it is within the
 * limit, else the seconds until the next one is; an attempt that is refused does not make the wait longer.
 */
export async function countAttempt(db: Db, subject: Buffer, limit: AttemptLimit, now: Date): Promise<number> {
  const id = randomUUID();
  const countsUntil = new Date(now.getTime() + limit.windowMs);
  await deleteOld(db, now);
  await db.insertInto('attempt').values({ id, subject, counts_until: countsUntil }).execute();
  const attempts = await db
    .selectFrom('attempt')
    .select('counts_until')
    .where('subject', '=', subject)
    .where('counts_until', '>', now)
    .orderBy('counts_until')
    .execute();
  const decisive = attempts.at(-1 - limit.allowed)?.counts_until;
  if (decisive === undefined) return 0;
  await db.deleteFrom('attempt').where('id', '=', id).execute();
  return (decisive.getTime() - now.getTime()) / 1000;
}

/** Holds nothing of what was counted against the subject any more. */
export async function forgetAttempts(db: Db, subject: Buffer): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', subject).execute();
}

/** Skips what another transaction has in its hands: that one deletes it, and nobody waits for anybody. */
async function deleteOld(db: Db, now: Date): Promise<void> {
  const old = db.selectFrom('attempt').select('id').where('counts_until', '<=', now).forUpdate().skipLocked();
  await db.deleteFrom('attempt').where('id', 'in', old).execute();
}
