import { sql } from 'kysely';
import { prepared } from '../platform/database.ts';
import type { Db } from '../schema/tables.ts';

/**
 * Increments the revision of an account's issues and returns it. The row stays locked until commit,
 * so revisions become visible in their order. A reader that sees a revision therefore sees all
 * changes of earlier revisions.
 */
export async function nextRevision(db: Db, accountId: string): Promise<number> {
  const row = await db
    .insertInto('analysis_state')
    .values({ account_id: accountId, revision: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((set) => ({ revision: set('analysis_state.revision', '+', 1) })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  return row.revision;
}

/**
 * Returns the version of the account's newest snapshot. Returns 0 if there is none. A snapshot
 * contains the weights of words.
 */
export async function snapshotVersionOf(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('analysis_state')
    .select('snapshot_version')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.snapshot_version ?? 0;
}

/** Fingerprint with which a migration marks a snapshot as outdated. */
export const OUTDATED_FINGERPRINT = '';

/**
 * Returns the ids of accounts whose snapshot must be taken again. Such a snapshot is marked as
 * outdated, or was not taken with the model of this fingerprint.
 */
export async function accountsWithOutdatedSnapshot(db: Db, fingerprint: string): Promise<string[]> {
  const rows = await db
    .selectFrom('analysis_state')
    .select('account_id')
    .where('snapshot_version', '>', 0)
    .where('fingerprint', 'is distinct from', fingerprint)
    .execute();
  return rows.map((row) => row.account_id);
}

/**
 * Model name that is stored for pairs compared by words only, because no embedding model was
 * available.
 */
export const WORDS_ONLY_MODEL = 'lexical';

/**
 * Model name that is stored for pairs computed by an earlier version of Winnow. These pairs will be
 * computed again.
 */
const OUTDATED_MODEL = 'outdated';

/** Returns the name of the model with which the account's stored pairs were computed. */
export async function modelOfPairs(db: Db, accountId: string): Promise<string> {
  const row = await db
    .selectFrom('analysis_state')
    .modifyFront(prepared)
    .select('fingerprint')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row?.fingerprint === OUTDATED_FINGERPRINT) return OUTDATED_MODEL;
  return row?.fingerprint ?? WORDS_ONLY_MODEL;
}

/**
 * Stores the progress of an analysis, for display. `notice` explains which part of the analysis is
 * unavailable.
 */
export async function setAnalysisProgress(
  db: Db,
  accountId: string,
  progress: { state: 'idle' | 'analyzing'; notice: string | null; done: number; total: number },
): Promise<void> {
  await db.updateTable('analysis_state').set(progress).where('account_id', '=', accountId).execute();
}

/** Returns the progress of the running analysis. Returns `idle` if none is running. */
export async function analysisProgress(
  db: Db,
  accountId: string,
): Promise<{ state: 'idle' | 'analyzing'; progress: { done: number; total: number } | null }> {
  const row = await db
    .selectFrom('analysis_state')
    .select(['state', 'done', 'total'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row?.state !== 'analyzing') return { state: 'idle', progress: null };
  return { state: 'analyzing', progress: { done: row.done, total: row.total } };
}

/**
 * Marks issues as analyzed with this content hash. If an issue has changed meanwhile, its content
 * hash differs, so it will be analyzed again.
 */
export async function markAnalyzed(
  db: Db,
  accountId: string,
  analyzed: readonly { issueId: string; contentHash: string }[],
): Promise<void> {
  const issueIds = analyzed.map(({ issueId }) => issueId);
  // Locks the issues in the order of their ids, as the intake does, to avoid deadlocks.
  await sql`
    with locked as materialized (
      select id from issue
      where account_id = ${accountId} and id = any (${issueIds}::uuid[])
      order by id for no key update
    )
    update issue set analyzed_hash = given.content_hash
    from locked
    join unnest(
      ${issueIds}::uuid[], ${analyzed.map(({ contentHash }) => contentHash)}::text[]
    ) as given (id, content_hash) on given.id = locked.id
    where issue.account_id = ${accountId} and issue.id = locked.id
  `.execute(db);
}
