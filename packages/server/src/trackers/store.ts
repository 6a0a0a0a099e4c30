import { randomUUID } from 'node:crypto';
import type { ScopeRuleInput } from '@winnow/contract/tracker';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { ScopeRuleTable, TrackerTable } from '../schema/tracker-tables.ts';

export type TrackerRow = Selectable<TrackerTable>;
export type ScopeRuleRow = Selectable<ScopeRuleTable>;
/** A tracker with its scope rules and its number of issues. */
export type TrackerView = TrackerRow & { rules: ScopeRuleRow[]; issues: number };

export async function insertTracker(
  db: Db,
  tracker: Pick<
    TrackerRow,
    'account_id' | 'id' | 'name' | 'tracker_type' | 'url' | 'username' | 'sealed_key'
  > &
    Partial<TrackerRow>,
): Promise<void> {
  await db.insertInto('tracker').values(tracker).execute();
}

/** Updates columns of a tracker. Returns false if the tracker does not exist. */
export async function updateTracker(
  db: Db,
  accountId: string,
  trackerId: string,
  values: Partial<Omit<TrackerRow, 'account_id' | 'id' | 'created_at'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('tracker')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Marks the sync of a tracker as queued. Does nothing if the sync is running or waits for a rate
 * limit.
 */
export async function markQueued(db: Db, accountId: string, trackerId: string): Promise<void> {
  await db
    .updateTable('tracker')
    .set({ sync_state: 'queued', sync_error: null })
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .where('sync_state', 'in', ['idle', 'failed'])
    .execute();
}

/**
 * Locks a tracker until commit, which prevents its deletion. Use `exclusive` before deleting the
 * tracker's data. Returns false if the tracker does not exist.
 *
 * All code that writes issues locks their tracker first. So a deletion waits for running writes,
 * and blocks new ones.
 */
export async function lockTrackerRow(
  db: Db,
  accountId: string,
  trackerId: string,
  mode: 'shared' | 'exclusive' = 'shared',
): Promise<boolean> {
  const tracker = db
    .selectFrom('tracker')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId);
  const row = await (mode === 'exclusive' ? tracker.forUpdate() : tracker.forKeyShare()).executeTakeFirst();
  return row !== undefined;
}

/** Returns the tracker, and locks its row against updates until commit. */
export async function findTrackerForUpdate(
  db: Db,
  accountId: string,
  trackerId: string,
): Promise<TrackerRow | undefined> {
  return db
    .selectFrom('tracker')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** True if a sync of any of the account's trackers is running. */
export async function isSyncing(db: Db, accountId: string): Promise<boolean> {
  const tracker = await db
    .selectFrom('tracker')
    .select('id')
    .where('account_id', '=', accountId)
    .where('sync_state', '=', 'running')
    .executeTakeFirst();
  return tracker !== undefined;
}

/**
 * Deletes a tracker and, through foreign keys, all data read from it. Call {@link lockTrackerRow}
 * with `exclusive` first.
 */
export async function deleteTracker(db: Db, accountId: string, trackerId: string): Promise<void> {
  await db.deleteFrom('tracker').where('account_id', '=', accountId).where('id', '=', trackerId).execute();
}

/** Locks the account until commit, so that its trackers are added one at a time. */
export async function lockTrackers(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

export async function countTrackers(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('tracker')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findTracker(
  db: Db,
  accountId: string,
  trackerId: string,
): Promise<TrackerRow | undefined> {
  return db
    .selectFrom('tracker')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
}

/**
 * Returns the trackers of the account, oldest first, with their scope rules and numbers of issues.
 */
export async function listTrackers(db: Db, accountId: string, trackerId?: string): Promise<TrackerView[]> {
  const trackers = await db
    .selectFrom('tracker')
    .selectAll('tracker')
    .select((select) =>
      select
        .selectFrom('issue')
        .whereRef('issue.account_id', '=', 'tracker.account_id')
        .whereRef('issue.tracker_id', '=', 'tracker.id')
        .where('issue.issue_type', '<>', 'change_request')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('issues'),
    )
    .where('account_id', '=', accountId)
    .$if(trackerId !== undefined, (query) => query.where('id', '=', trackerId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (trackers.length === 0) return [];
  const rules = await db
    .selectFrom('scope_rule')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('position')
    .execute();
  return trackers.map((tracker) => ({
    ...tracker,
    issues: tracker.issues ?? 0,
    rules: rules.filter((rule) => rule.tracker_id === tracker.id),
  }));
}

export async function scopeRules(db: Db, accountId: string, trackerId: string): Promise<ScopeRuleRow[]> {
  return db
    .selectFrom('scope_rule')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .orderBy('position')
    .execute();
}

export async function replaceScopeRules(
  db: Db,
  accountId: string,
  trackerId: string,
  rules: readonly ScopeRuleInput[],
): Promise<void> {
  await db
    .deleteFrom('scope_rule')
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .execute();
  if (rules.length === 0) return;
  await db
    .insertInto('scope_rule')
    .values(
      rules.map((rule, position) => ({
        ...rule,
        id: randomUUID(),
        position,
        account_id: accountId,
        tracker_id: trackerId,
      })),
    )
    .execute();
}
