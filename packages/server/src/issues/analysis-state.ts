import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/**
 * The next revision of an account's issues. Its row stays locked until the transaction ends, so revisions become
 * visible in their order and a reader that has seen one has seen all before it.
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

/** The snapshot by which the words of an account's issues are weighed; 0 before there is one. */
export async function snapshotVersionOf(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('analysis_state')
    .select('snapshot_version')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.snapshot_version ?? 0;
}

/** What similarity is called that compares words alone, for want of an embedding model. */
export const WORDS_ALONE = 'lexical';

/** With what the stored pairs of an account were computed, by name. */
export async function modelOfPairs(db: Db, accountId: string): Promise<string> {
  const row = await db
    .selectFrom('analysis_state')
    .select('fingerprint')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.fingerprint ?? WORDS_ALONE;
}

/** How far an analysis is, for whoever looks at the lists meanwhile; `notice` says what it has to do without. */
export async function setAnalysisProgress(
  db: Db,
  accountId: string,
  progress: { state: 'idle' | 'analyzing'; notice: string | null; done: number; total: number },
): Promise<void> {
  await db.updateTable('analysis_state').set(progress).where('account_id', '=', accountId).execute();
}

/** How far an analysis is that runs now; `idle` when none does. */
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

/** Marks issues as analyzed with the text that was read: one that changed since is still to be done. */
export async function markAnalyzed(
  db: Db,
  accountId: string,
  analyzed: readonly { issueId: string; contentHash: string }[],
): Promise<void> {
  const issueIds = analyzed.map(({ issueId }) => issueId);
  // Locked in the order of their ids, as the intake does.
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
