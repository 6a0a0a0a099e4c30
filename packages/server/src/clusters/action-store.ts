import { sql } from 'kysely';
import type { StoredOverride } from '../schema/cluster-tables.ts';
import type { Db } from '../schema/tables.ts';

/**
 * An undoable action that changed the members of clusters, with the overrides that it added and
 * removed. An override puts two issues together or keeps them apart.
 */
export interface ClusterAction {
  id: string;
  /** Sentence that describes the action. */
  text: string;
  at: Date;
  /** Members of each affected cluster before the action. */
  members: [cluster: string, issues: string[]][];
  added: StoredOverride[];
  /** Overrides that the action deleted or replaced. */
  removed: StoredOverride[];
}

/** Returns the overrides of pairs that contain at least one of these issues. */
export async function overridesOf(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<StoredOverride[]> {
  const { rows } = await sql<StoredOverride>`
    select issue_a as a, issue_b as b, type, decided_by as by, decided_at::text as at from cluster_override
    where account_id = ${accountId}
      and (issue_a = any (${issueIds}::uuid[]) or issue_b = any (${issueIds}::uuid[]))
  `.execute(db);
  return rows;
}

/** Stores an action, so that it can be undone. Deletes actions made before `keptSince`. */
export async function insertAction(
  db: Db,
  accountId: string,
  { members, added, removed, ...action }: ClusterAction,
  keptSince: Date,
): Promise<void> {
  await db
    .deleteFrom('cluster_action')
    .where('account_id', '=', accountId)
    .where('at', '<', keptSince)
    .execute();
  await db
    .insertInto('cluster_action')
    .values({
      account_id: accountId,
      ...action,
      members: JSON.stringify(members),
      added: JSON.stringify(added),
      removed: JSON.stringify(removed),
    })
    .execute();
}

/** Deletes an action and returns it; undefined if no action has this id. */
export async function takeAction(db: Db, accountId: string, id: string): Promise<ClusterAction | undefined> {
  return db
    .deleteFrom('cluster_action')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['id', 'text', 'at', 'members', 'added', 'removed'])
    .executeTakeFirst();
}

/** Deletes the overrides of these pairs of issues. */
export async function deleteOverrides(
  db: Db,
  accountId: string,
  pairs: readonly StoredOverride[],
): Promise<void> {
  await sql`
    delete from cluster_override
    using unnest(${pairs.map(({ a }) => a)}::uuid[], ${pairs.map(({ b }) => b)}::uuid[]) as given (a, b)
    where account_id = ${accountId} and issue_a = given.a and issue_b = given.b
  `.execute(db);
}

/**
 * Stores overrides again, with their original author and time. Skips overrides of deleted issues.
 */
export async function restoreOverrides(
  db: Db,
  accountId: string,
  overrides: readonly StoredOverride[],
): Promise<void> {
  await sql`
    insert into cluster_override (account_id, issue_a, issue_b, type, decided_by, decided_at)
    select ${accountId}::uuid, given.* from unnest(
      ${overrides.map(({ a }) => a)}::uuid[], ${overrides.map(({ b }) => b)}::uuid[],
      ${overrides.map(({ type }) => type)}::text[], ${overrides.map(({ by }) => by)}::text[],
      ${overrides.map(({ at }) => at)}::timestamptz[]
    ) as given (a, b, type, by, at)
    where exists (select from issue where issue.account_id = ${accountId} and issue.id = given.a)
      and exists (select from issue where issue.account_id = ${accountId} and issue.id = given.b)
  `.execute(db);
}
