import type { Db } from '../schema/tables.ts';

/**
 * Records the first time that a new issue was skipped for lack of quota, and the cursors at that
 * time. Call it before the cursors advance.
 */
export async function noteLeftOut(db: Db, accountId: string, projectId: string, since: Date): Promise<void> {
  await db
    .updateTable('project')
    .set((set) => ({
      left_out_since: since,
      left_out_issues_cursor: set.ref('issues_cursor'),
      left_out_comments_cursor: set.ref('comments_cursor'),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('left_out_since', 'is', null)
    .execute();
}

/**
 * Resets the cursors of the tracker's projects to the positions at which the first new issues were
 * skipped. Also schedules a comparison of the projects with the tracker.
 */
export async function readLeftOutAgain(
  db: Db,
  accountId: string,
  trackerId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('project')
    .set((set) => ({
      issues_cursor: set.ref('left_out_issues_cursor'),
      comments_cursor: set.ref('left_out_comments_cursor'),
      comments_as_of: null,
      left_out_since: null,
      left_out_issues_cursor: null,
      left_out_comments_cursor: null,
      count_surplus: 0,
      reconcile_after: now,
    }))
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .where('left_out_since', 'is not', null)
    .execute();
}

/** Returns the ids of an account's trackers that currently skip new issues. */
export async function trackersLeavingOut(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project')
    .select('tracker_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('left_out_since', 'is not', null)
    .execute();
  return rows.map(({ tracker_id: trackerId }) => trackerId);
}
