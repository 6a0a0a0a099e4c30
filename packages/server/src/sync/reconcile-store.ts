import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { ProjectRow } from './store.ts';

/**
 * Returns the project with its state of reconciliation. Returns undefined if the project was
 * deleted.
 */
export async function readProject(
  db: Db,
  accountId: string,
  projectId: string,
): Promise<ProjectRow | undefined> {
  return db
    .selectFrom('project')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .executeTakeFirst();
}

/** Returns the number of stored issues and change requests of a project. */
export async function countStored(db: Db, accountId: string, projectId: string): Promise<number> {
  return countOf(issuesOf(db, accountId, projectId));
}

/** Stores ids of items that the tracker has listed. */
export async function addPresent(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds: readonly string[],
): Promise<void> {
  await sql`
    insert into present_item (account_id, project_id, external_id)
    select ${accountId}, ${projectId}, unnest(${externalIds}::text[])
    on conflict do nothing
  `.execute(db);
}

/**
 * Treats all stored issues of a type as listed. Use it for a type that the listing cannot contain.
 */
export async function addStoredOfType(
  db: Db,
  accountId: string,
  projectId: string,
  issueType: string,
): Promise<void> {
  await sql`
    insert into present_item (account_id, project_id, external_id)
    select account_id, project_id, external_id from issue
    where account_id = ${accountId} and project_id = ${projectId} and issue_type = ${issueType}
    on conflict do nothing
  `.execute(db);
}

/** Deletes the given ids of listed items. Without ids, deletes all listed items of the project. */
export async function forgetPresent(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds?: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('present_item')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .$if(externalIds !== undefined, (query) =>
      query.where('external_id', '=', sql<string>`any (${externalIds ?? []}::text[])`),
    )
    .execute();
}

/** Returns the number of a project's issues that are marked as missing in the tracker. */
export async function countMissing(db: Db, accountId: string, projectId: string): Promise<number> {
  return countOf(issuesOf(db, accountId, projectId).where('missing_since', 'is not', null));
}

/** Returns the issues that have been missing at least since `since`. */
export async function missingSince(
  db: Db,
  accountId: string,
  projectId: string,
  since: Date,
  limit: number,
): Promise<IssueName[]> {
  return issuesOf(db, accountId, projectId)
    .select(['external_id as externalId', 'key'])
    .where('missing_since', '<=', since)
    .limit(limit)
    .execute();
}

/** Removes the mark "missing" from issues that the tracker lists again. */
export async function forgetMissing(db: Db, accountId: string, projectId: string): Promise<void> {
  await sql`
    update issue set missing_since = null
    where account_id = ${accountId} and id in (
      select issue.id from issue
      join present_item using (account_id, project_id, external_id)
      where account_id = ${accountId} and project_id = ${projectId} and issue.missing_since is not null
      order by issue.id for no key update of issue
    )
  `.execute(db);
}

/** Id and key of an issue, by which a provider finds it. */
export interface IssueName {
  externalId: string;
  key: string;
}

/**
 * Returns the stored issues that the tracker has not listed and that are not marked as missing yet.
 */
export async function storedNotPresent(
  db: Db,
  accountId: string,
  projectId: string,
  limit: number,
): Promise<IssueName[]> {
  return issuesOf(db, accountId, projectId)
    .select(['external_id as externalId', 'key'])
    .where('missing_since', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('present_item')
            .select('present_item.external_id')
            .whereRef('present_item.account_id', '=', 'issue.account_id')
            .whereRef('present_item.project_id', '=', 'issue.project_id')
            .whereRef('present_item.external_id', '=', 'issue.external_id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
}

/** Returns the ids of listed items that are not stored. */
export async function presentNotStored(
  db: Db,
  accountId: string,
  projectId: string,
  limit: number,
): Promise<IssueName[]> {
  return db
    .selectFrom('present_item')
    .select(['external_id as externalId', 'external_id as key'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue')
            .select('issue.id')
            .whereRef('issue.account_id', '=', 'present_item.account_id')
            .whereRef('issue.project_id', '=', 'present_item.project_id')
            .whereRef('issue.external_id', '=', 'present_item.external_id'),
        ),
      ),
    )
    .limit(limit)
    .execute();
}

function issuesOf(db: Db, accountId: string, projectId: string) {
  return db.selectFrom('issue').where('account_id', '=', accountId).where('project_id', '=', projectId);
}

async function countOf(issues: ReturnType<typeof issuesOf>): Promise<number> {
  const { count } = await issues.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return count;
}
