import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { ProjectTable, TrackerTable } from '../schema/tracker-tables.ts';
import type { ProviderOrganization, ProviderProject } from '../trackers/index.ts';

export type ProjectRow = Selectable<ProjectTable>;
type ProjectColumns = Partial<
  Pick<
    ProjectRow,
    | 'identifier'
    | 'name'
    | 'issues_cursor'
    | 'issues_synced_at'
    | 'comments_cursor'
    | 'comments_as_of'
    | 'reconcile_after'
    | 'present_cursor'
    | 'count_surplus'
  >
>;
type SyncColumns = Partial<
  Pick<
    Selectable<TrackerTable>,
    'sync_state' | 'sync_done' | 'sync_total' | 'sync_finished_at' | 'sync_error' | 'sync_failures'
  >
>;

/** Lists the trackers of all accounts. */
export async function listAllTrackers(db: Db): Promise<{ accountId: string; trackerId: string }[]> {
  return db.selectFrom('tracker').select(['account_id as accountId', 'id as trackerId']).execute();
}

/** Stores the sync state of a tracker. Returns false if the tracker was deleted. */
export async function saveSyncState(
  db: Db,
  accountId: string,
  trackerId: string,
  values: SyncColumns,
): Promise<boolean> {
  const result = await db
    .updateTable('tracker')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Inserts an organization, or updates its name. Returns its id. */
export async function upsertOrganization(
  db: Db,
  accountId: string,
  trackerId: string,
  organization: ProviderOrganization,
): Promise<string> {
  const row = await db
    .insertInto('organization')
    .values({ account_id: accountId, id: randomUUID(), tracker_id: trackerId, ...organization })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'tracker_id', 'identifier'])
        .doUpdateSet((set) => ({ name: set.ref('excluded.name') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Inserts a project, or updates its name. Returns its row. */
export async function upsertProject(
  db: Db,
  accountId: string,
  trackerId: string,
  organizationId: string,
  project: ProviderProject,
): Promise<ProjectRow> {
  return db
    .insertInto('project')
    .values({
      account_id: accountId,
      id: randomUUID(),
      tracker_id: trackerId,
      organization_id: organizationId,
      external_id: project.externalId,
      identifier: project.identifier,
      name: project.name,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'tracker_id', 'external_id']).doUpdateSet((set) => ({
        identifier: set.ref('excluded.identifier'),
        name: set.ref('excluded.name'),
        organization_id: set.ref('excluded.organization_id'),
        gone_since: null,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** True if the tracker has stored projects that are not in `keepProjectIds`. */
export async function hasOutOfScope(
  db: Db,
  accountId: string,
  trackerId: string,
  keepProjectIds: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('project')
    .select('id')
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .$if(keepProjectIds.length > 0, (query) => query.where('id', 'not in', [...keepProjectIds]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the stored organizations of a tracker. */
export async function organizationsOf(
  db: Db,
  accountId: string,
  trackerId: string,
): Promise<{ id: string; identifier: string }[]> {
  return db
    .selectFrom('organization')
    .select(['id', 'identifier'])
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .execute();
}

/** Returns the stored projects of an organization. */
export async function projectsOf(db: Db, accountId: string, organizationId: string): Promise<ProjectRow[]> {
  return db
    .selectFrom('project')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('organization_id', '=', organizationId)
    .execute();
}

/**
 * Stores the time since when the tracker has not listed the project. Null means that it lists the
 * project.
 */
export async function saveGoneSince(
  db: Db,
  accountId: string,
  projectId: string,
  since: Date | null,
): Promise<void> {
  await db
    .updateTable('project')
    .set({ gone_since: since })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('gone_since', 'is distinct from', since)
    .execute();
}

/** Finds a stored project by its id in the tracker. */
export async function findProject(
  db: Db,
  accountId: string,
  trackerId: string,
  externalId: string,
): Promise<ProjectRow | undefined> {
  return db
    .selectFrom('project')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
}

/**
 * Deletes the projects and organizations of the tracker that are not in `keep`, with all their
 * data.
 */
export async function removeOutOfScope(
  db: Db,
  accountId: string,
  trackerId: string,
  keep: { projectIds: readonly string[]; organizationIds: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('project')
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .$if(keep.projectIds.length > 0, (query) => query.where('id', 'not in', [...keep.projectIds]))
    .execute();
  await db
    .deleteFrom('organization')
    .where('account_id', '=', accountId)
    .where('tracker_id', '=', trackerId)
    .$if(keep.organizationIds.length > 0, (query) => query.where('id', 'not in', [...keep.organizationIds]))
    .execute();
}

/** Updates a project's name, cursors or reconciliation state. */
export async function saveProject(
  db: Db,
  accountId: string,
  projectId: string,
  values: ProjectColumns,
): Promise<void> {
  await db
    .updateTable('project')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .execute();
}
