import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Maximum attempts within a time window. */
export interface AttemptLimit {
  readonly allowed: number;
  readonly windowMs: number;
}

/** A subject that attempts are counted by, and its limit. */
export interface AttemptCounter {
  readonly subject: Buffer;
  readonly limit: AttemptLimit;
}

/**
 * A counted attempt: the ids of its rows, and the seconds until the next attempt is allowed (0 if
 * it is).
 */
export interface CountedAttempt {
  readonly ids: readonly string[];
  readonly waitSeconds: number;
}

/**
 * Hashes the subject that attempts are counted by. Different lists of parts have different hashes.
 */
export function attemptSubject(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Counts an attempt before it is made, so that parallel attempts cannot exceed a limit. If one
 * counter refuses the attempt, none counts it: a refused attempt does not prolong the wait.
 * In a transaction, this locks the subjects until commit. Other transactions cannot see the attempt
 * before that, so they wait to count theirs.
 */
export async function countAttempt(
  db: Db,
  counters: readonly AttemptCounter[],
  now: Date,
): Promise<CountedAttempt> {
  if (db.isTransaction) await lockSubjects(db, counters);
  const rows = counters.map(({ subject, limit }) => ({
    id: randomUUID(),
    subject,
    counts_until: new Date(now.getTime() + limit.windowMs),
  }));
  await db
    .with('deleted', (query) => query.deleteFrom('attempt').where('id', 'in', oldAttempts(db, now)))
    .insertInto('attempt')
    .values(rows)
    .execute();
  const attempts = await db
    .selectFrom('attempt')
    .select(['subject', 'counts_until'])
    .where(
      'subject',
      'in',
      counters.map(({ subject }) => subject),
    )
    .where('counts_until', '>', now)
    .orderBy('counts_until')
    .execute();
  const waits = counters.map(({ subject, limit }) => {
    const decisive = attempts.filter((attempt) => attempt.subject.equals(subject)).at(-1 - limit.allowed);
    return decisive === undefined ? 0 : (decisive.counts_until.getTime() - now.getTime()) / 1000;
  });
  const ids = rows.map(({ id }) => id);
  const waitSeconds = Math.max(0, ...waits);
  if (waitSeconds > 0) await deleteAttempts(db, { ids });
  return { ids, waitSeconds };
}

/** Locks in the order of the keys, so that two transactions cannot deadlock. */
async function lockSubjects(db: Db, counters: readonly AttemptCounter[]): Promise<void> {
  const subjects = counters.map(({ subject }) => subject.toString('hex'));
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended('attempt ' || subject, 0) as key
      from unnest(${subjects}::text[]) as counted (subject) order by key
    ) as keys
  `.execute(db);
}

/** Selects attempts by their ids, and all attempts of the given subjects. */
export interface AttemptSelector {
  ids?: readonly string[];
  subjects?: readonly Buffer[];
}

export async function deleteAttempts(db: Db, which: AttemptSelector): Promise<void> {
  await attemptDeletion(db, which).execute();
}

/** Returns the statement that deletes attempts, for use in another statement. */
export function attemptDeletion(query: Pick<Db, 'deleteFrom'>, { ids = [], subjects = [] }: AttemptSelector) {
  return query
    .deleteFrom('attempt')
    .where((where) =>
      where.or([where('id', 'in', [NO_ID, ...ids]), where('subject', 'in', [NO_SUBJECT, ...subjects])]),
    );
}

/** Values that match no row, because SQL does not allow an empty `in` list. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const NO_SUBJECT = Buffer.alloc(0);

/**
 * Selects expired attempts. Skips rows that another transaction has locked, because that
 * transaction is deleting them. So neither waits for the other.
 */
function oldAttempts(db: Db, now: Date) {
  return db.selectFrom('attempt').select('id').where('counts_until', '<=', now).forUpdate().skipLocked();
}
