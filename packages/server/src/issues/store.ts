import { type Selectable, sql } from 'kysely';
import { prepared } from '../platform/database.ts';
import type { CommentTable, IssueTable } from '../schema/issue-tables.ts';
import type { Db } from '../schema/tables.ts';
import type { ProjectTable, TrackerTable } from '../schema/tracker-tables.ts';
import type { ProviderComment } from '../trackers/index.ts';

export type IssueRow = Selectable<IssueTable>;
export type CommentRow = Selectable<CommentTable>;
/** An issue with the names of its project, organization and tracker. */
export type IssueView = Omit<IssueRow, 'missing_since'> & {
  project_name: string;
  project_identifier: string;
  project_external_id: string;
  organization_id: string;
  organization_name: string;
  tracker_name: string;
  tracker_type: TrackerTable['tracker_type'];
};

/** The project and tracker of an issue. */
export type IssuePlace = Pick<IssueView, 'project_id' | 'tracker_id' | 'tracker_name' | 'tracker_type'>;

/** An issue that is being stored. It is not analyzed yet and not marked as missing. */
export type IncomingIssue = Omit<IssueRow, 'analyzed_hash' | 'missing_since'>;

/** Stored fields of an issue that an incoming issue is compared with. */
export type KnownIssue = Pick<
  IssueRow,
  'id' | 'external_id' | 'content_hash' | 'state' | 'status' | 'priority' | 'assignees' | 'updated_at'
>;

/**
 * Lets only one transaction at a time store issues of a project. Otherwise two concurrent readers
 * could both treat the same issue as new.
 */
export async function lockProject(db: Db, accountId: string, projectId: string): Promise<void> {
  await db
    .selectFrom('project')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .execute();
}

/**
 * Returns the stored issues with these external ids, and locks their rows in the order of their
 * ids, as all code does. Other transactions may still insert rows that refer to them.
 */
export async function lockKnownIssues(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds: readonly string[],
): Promise<KnownIssue[]> {
  if (externalIds.length === 0) return [];
  return db
    .selectFrom('issue')
    .select(['id', 'external_id', 'content_hash', 'state', 'status', 'priority', 'assignees', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('external_id', 'in', [...externalIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Locks all issues of a tracker in the order of their ids. They can then be removed in any order
 * without a deadlock.
 */
export async function lockIssuesOf(db: Db, accountId: string, trackerId: string): Promise<void> {
  await sql`
    select count(*) from (
      select from issue where account_id = ${accountId} and tracker_id = ${trackerId} order by id for update
    ) as locked
  `.execute(db);
}

/** True if at least one of these issues is stored. */
export async function hasIssues(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds: readonly string[],
): Promise<boolean> {
  const row = await issuesNamed(db, accountId, projectId, externalIds).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Marks issues as missing in their tracker since `since`. Does not change earlier marks. */
export async function markMissing(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds: readonly string[],
  since: Date,
): Promise<void> {
  await db
    .updateTable('issue')
    .set({ missing_since: since })
    .where('account_id', '=', accountId)
    .where(
      'id',
      'in',
      issuesNamed(db, accountId, projectId, externalIds)
        .where('missing_since', 'is', null)
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .execute();
}

/** An issue that was removed, with the fields that were stored last. */
export type RemovedIssue = Pick<IssueRow, 'external_id' | 'title' | 'url' | 'updated_at'>;

/**
 * Deletes issues with all rows that refer to them. Locks them in the order of their ids. Returns
 * the issues that existed.
 */
export async function deleteIssues(
  db: Db,
  accountId: string,
  projectId: string,
  externalIds: readonly string[],
): Promise<RemovedIssue[]> {
  const ids = await issuesNamed(db, accountId, projectId, externalIds).orderBy('id').forUpdate().execute();
  return db
    .deleteFrom('issue')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids.map(({ id }) => id)}::uuid[])`)
    .returning(['external_id', 'title', 'url', 'updated_at'])
    .execute();
}

/**
 * Renames a project in the keys and URLs of its issues. Also changes the references of the
 * tracker's other issues. Call {@link lockIssuesOf} first.
 */
export async function renameKeys(
  db: Db,
  { accountId, trackerId, projectId }: { accountId: string; trackerId: string; projectId: string },
  from: string,
  to: string,
): Promise<void> {
  const rest = (column: 'key' | 'parent_key' | 'duplicate_of') =>
    sql`substr(${sql.ref(column)}, length(${from}::text) + 1)`;
  // In a key, the project name is followed by a separator and the issue's number.
  const isOfIt = (column: 'key' | 'parent_key' | 'duplicate_of') =>
    sql`(starts_with(${sql.ref(column)}, ${from}) and ${rest(column)} ~ '^[#!-][0-9]+$')`;
  const renamed = (column: 'key' | 'parent_key' | 'duplicate_of') =>
    sql`case when ${isOfIt(column)} then ${to}::text || ${rest(column)} else ${sql.ref(column)} end`;
  // True for issues of the renamed project only. Another project may have taken over its previous
  // name.
  const isItsOwn = sql`project_id = ${projectId}`;
  await sql`
    update issue
    set key = case when ${isItsOwn} then ${renamed('key')} else key end, parent_key = ${renamed('parent_key')}, duplicate_of = ${renamed('duplicate_of')},
        url = case when ${isItsOwn} and ${isOfIt('key')}
              then replace(replace(url, ${`/${from}/`}, ${`/${to}/`}), ${`/${from}-`}, ${`/${to}-`}) else url end
    where account_id = ${accountId} and tracker_id = ${trackerId}
      and (${isOfIt('key')} or ${isOfIt('parent_key')} or ${isOfIt('duplicate_of')})
  `.execute(db);
}

function issuesNamed(db: Db, accountId: string, projectId: string, externalIds: readonly string[]) {
  return db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('external_id', '=', sql<string>`any (${externalIds}::text[])`);
}

/** Inserts or updates issues. Does not change the state of their analysis. */
export async function upsertIssues(db: Db, rows: readonly IncomingIssue[]): Promise<void> {
  if (rows.length === 0) return;
  // Passes all rows as one JSON value. Thousands of separate parameters would take longer to parse
  // than to store.
  const given = sql`json_populate_recordset(null::issue, ${JSON.stringify(rows)})`;
  await db
    .insertInto('issue')
    .expression(sql`select * from ${given}`)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'project_id', 'external_id']).doUpdateSet((set) => ({
        key: set.ref('excluded.key'),
        title: set.ref('excluded.title'),
        description: set.ref('excluded.description'),
        status: set.ref('excluded.status'),
        state: set.ref('excluded.state'),
        issue_type: set.ref('excluded.issue_type'),
        priority: set.ref('excluded.priority'),
        labels: set.ref('excluded.labels'),
        assignees: set.ref('excluded.assignees'),
        author: set.ref('excluded.author'),
        url: set.ref('excluded.url'),
        parent_key: set.ref('excluded.parent_key'),
        is_duplicate: set.ref('excluded.is_duplicate'),
        // Retains the stored original of a closed duplicate, because some trackers omit it in
        // listings.
        duplicate_of: sql`case when excluded.state = 'closed'
          then coalesce(excluded.duplicate_of, issue.duplicate_of) end`,
        comments_count: set.ref('excluded.comments_count'),
        reactions: set.ref('excluded.reactions'),
        milestone: set.ref('excluded.milestone'),
        is_locked: set.ref('excluded.is_locked'),
        is_completed: set.ref('excluded.is_completed'),
        updated_at: set.ref('excluded.updated_at'),
        closed_at: set.ref('excluded.closed_at'),
        content_hash: set.ref('excluded.content_hash'),
        missing_since: null,
        synced_at: set.ref('excluded.synced_at'),
        revision: sql<number>`case when issue.content_hash = excluded.content_hash
          then issue.revision else excluded.revision end`,
      })),
    )
    .execute();
}

/**
 * Inserts or updates comments of stored issues. Returns the comments that have changed. Skips a
 * comment that is older than the stored version, unless the stored date is too far in the future to
 * be right.
 */
export async function upsertComments(
  db: Db,
  accountId: string,
  projectId: string,
  comments: readonly (ProviderComment & { id: string })[],
  latestPlausible: Date,
): Promise<{ issue_external_id: string; external_id: string; is_new: boolean }[]> {
  if (comments.length === 0) return [];
  const { rows } = await sql<{ issue_external_id: string; external_id: string; is_new: boolean }>`
    with stored as (
    insert into comment (account_id, id, issue_id, external_id, author, body, created_at, updated_at)
    select issue.account_id, given.id, issue.id, given.external_id, given.author, given.body,
           given.created_at, given.updated_at
    from unnest(
      ${comments.map((comment) => comment.id)}::uuid[],
      ${comments.map((comment) => comment.issueExternalId)}::text[],
      ${comments.map((comment) => comment.externalId)}::text[],
      ${comments.map((comment) => comment.author)}::text[],
      ${comments.map((comment) => comment.body)}::text[],
      ${comments.map((comment) => comment.createdAt)}::timestamptz[],
      ${comments.map((comment) => comment.updatedAt)}::timestamptz[]
    ) as given (id, issue_external_id, external_id, author, body, created_at, updated_at)
    join issue on issue.account_id = ${accountId} and issue.project_id = ${projectId}
      and issue.external_id = given.issue_external_id
    on conflict (account_id, issue_id, external_id) do update
      set author = excluded.author, body = excluded.body, updated_at = excluded.updated_at
      where (comment.updated_at <= excluded.updated_at or comment.updated_at > ${latestPlausible})
        and (comment.author, comment.body, comment.updated_at)
          is distinct from (excluded.author, excluded.body, excluded.updated_at)
    returning issue_id, external_id, xmax = 0 as is_new
    )
    select issue.external_id as issue_external_id, stored.external_id, stored.is_new
    from stored join issue on issue.account_id = ${accountId} and issue.id = stored.issue_id
  `.execute(db);
  return rows;
}

/** An issue without its description, because that may be long. */
export type IssueHeadline = Omit<IssueView, 'description'>;

const HEADLINE_COLUMNS = [
  'issue.account_id',
  'issue.id',
  'issue.tracker_id',
  'issue.project_id',
  'issue.external_id',
  'issue.key',
  'issue.title',
  'issue.status',
  'issue.state',
  'issue.issue_type',
  'issue.priority',
  'issue.labels',
  'issue.assignees',
  'issue.author',
  'issue.url',
  'issue.parent_key',
  'issue.is_duplicate',
  'issue.duplicate_of',
  'issue.comments_count',
  'issue.reactions',
  'issue.milestone',
  'issue.is_locked',
  'issue.is_completed',
  'issue.created_at',
  'issue.updated_at',
  'issue.closed_at',
  'issue.content_hash',
  'issue.analyzed_hash',
  'issue.revision',
] as const;

/**
 * Time when the stored issue was last known to be current. A listing returns an issue only if it
 * was updated. So a complete sync of the project confirms all issues that it does not return.
 */
const SYNCED_AT = sql<Date | null>`greatest(issue.synced_at, project.issues_synced_at)`.as('synced_at');

function placedIssues(db: Db, accountId: string) {
  return db
    .selectFrom('issue')
    .innerJoin('project', (join) =>
      join.onRef('project.account_id', '=', 'issue.account_id').onRef('project.id', '=', 'issue.project_id'),
    )
    .innerJoin('organization', (join) =>
      join
        .onRef('organization.account_id', '=', 'project.account_id')
        .onRef('organization.id', '=', 'project.organization_id'),
    )
    .innerJoin('tracker', (join) =>
      join.onRef('tracker.account_id', '=', 'issue.account_id').onRef('tracker.id', '=', 'issue.tracker_id'),
    )
    .select(HEADLINE_COLUMNS)
    .select([
      'project.name as project_name',
      'project.identifier as project_identifier',
      'project.external_id as project_external_id',
      'organization.id as organization_id',
      'organization.name as organization_name',
      'tracker.name as tracker_name',
      'tracker.tracker_type',
    ])
    .select(SYNCED_AT)
    .where('issue.account_id', '=', accountId);
}

/**
 * Returns the issues of the account with these ids, in the same order. Omits ids that do not exist.
 */
export async function findIssues(db: Db, accountId: string, ids: readonly string[]): Promise<IssueView[]> {
  if (ids.length === 0) return [];
  const found = await placedIssues(db, accountId)
    .modifyFront(prepared)
    .select('issue.description')
    .where('issue.id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
  return inOrderOf(ids, found);
}

function inOrderOf<T extends { id: string }>(ids: readonly string[], found: readonly T[]): T[] {
  const byId = new Map(found.map((issue) => [issue.id, issue]));
  return ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
}

/** Finds an issue of a project by its external id. */
export async function findIssueIn(
  db: Db,
  accountId: string,
  projectId: string,
  externalId: string,
): Promise<IssueView | undefined> {
  return placedIssues(db, accountId)
    .select('issue.description')
    .where('issue.project_id', '=', projectId)
    .where('issue.external_id', '=', externalId)
    .executeTakeFirst();
}

/** Like {@link findIssues}, without descriptions. */
export async function findHeadlines(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<IssueHeadline[]> {
  if (ids.length === 0) return [];
  const found = await placedIssues(db, accountId)
    .modifyFront(prepared)
    .where('issue.id', '=', sql<string>`any (${ids}::uuid[])`)
    .execute();
  return inOrderOf(ids, found);
}

/**
 * Finds the issues with this key, sorted by tracker name. Several trackers may have an issue with
 * the same key.
 */
export async function findIssuesByKey(db: Db, accountId: string, key: string): Promise<IssueView[]> {
  return placedIssues(db, accountId)
    .select('issue.description')
    .where('issue.key', '=', key)
    .orderBy('tracker.name')
    .orderBy('issue.id')
    .execute();
}

/**
 * Returns the comments of an issue, oldest first. Comments with the same time are sorted by their
 * id in the tracker.
 */
export async function commentsOf(db: Db, accountId: string, issueId: string): Promise<CommentRow[]> {
  return db
    .selectFrom('comment')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .orderBy('created_at')
    .orderBy(sql`length(external_id)`)
    .orderBy('external_id')
    .execute();
}

/**
 * Returns the ids of the newest issues of a project. Excludes change requests and the issues in
 * `without`.
 */
export async function newestOfProject(
  db: Db,
  accountId: string,
  projectId: string,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from issue
    where account_id = ${accountId} and project_id = ${projectId} and issue_type <> 'change_request'
      and not (id = any(${without}::uuid[]))
    order by created_at desc, id limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The title and description of an issue, without its comments. */
export type IssueTexts = Pick<
  IssueRow,
  'id' | 'tracker_id' | 'key' | 'url' | 'title' | 'description' | 'issue_type'
>;

/**
 * Returns the titles and descriptions of issues. Excludes change requests. Cuts each description
 * after `longest` characters.
 */
export async function findTexts(
  db: Db,
  accountId: string,
  ids: readonly string[],
  longest: number,
): Promise<IssueTexts[]> {
  return db
    .selectFrom('issue')
    .select(['id', 'tracker_id', 'key', 'url', 'title', 'issue_type'])
    .select(sql<string>`left(description, ${longest})`.as('description'))
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .where('issue_type', '<>', 'change_request')
    .execute();
}

/** Finds issues by their keys. Excludes change requests. */
export async function findIdsByKey(
  db: Db,
  accountId: string,
  keys: readonly string[],
): Promise<Pick<IssueRow, 'id' | 'tracker_id' | 'key'>[]> {
  return db
    .selectFrom('issue')
    .select(['id', 'tracker_id', 'key'])
    .where('account_id', '=', accountId)
    .where('key', '=', sql<string>`any (${keys}::text[])`)
    .where('issue_type', '<>', 'change_request')
    .execute();
}

/** Text and author of a comment. */
export interface CommentText {
  body: string;
  author: string | null;
}

/**
 * Returns the newest comments of each issue, sorted from oldest to newest. Limits their number, the
 * length of each comment and the total length.
 */
export async function commentTextsOf(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
  { most, longest, longestOfAll }: { most: number; longest: number; longestOfAll: number },
): Promise<Map<string, CommentText[]>> {
  const { rows } = await sql<{ issue_id: string; bodies: string[]; authors: (string | null)[] }>`
    select named.id as issue_id, newest.bodies, newest.authors
    from unnest(${issueIds}::uuid[]) as named (id)
    cross join lateral (
      select array_agg(body order by created_at, length(external_id), external_id) as bodies,
        array_agg(author order by created_at, length(external_id), external_id) as authors
      from (
        select left(body, ${longest}) as body, author, created_at, external_id,
          sum(least(length(body), ${longest}))
            over (order by created_at desc, length(external_id) desc, external_id desc) as characters
        from comment where account_id = ${accountId} and issue_id = named.id
        order by created_at desc, length(external_id) desc, external_id desc limit ${most}
      ) as last
      where characters <= ${longestOfAll}
    ) as newest
    where newest.bodies is not null
  `.execute(db);
  return new Map(
    rows.map(({ issue_id, bodies, authors }) => [
      issue_id,
      bodies.map((body, at) => ({ body, author: authors[at] ?? null })),
    ]),
  );
}

export async function deleteComment(
  db: Db,
  accountId: string,
  issueId: string,
  externalId: string,
): Promise<void> {
  await db
    .deleteFrom('comment')
    .where('account_id', '=', accountId)
    .where('issue_id', '=', issueId)
    .where('external_id', '=', externalId)
    .execute();
}

/**
 * Decreases the comment count of an issue by one, but not below the number of its stored comments.
 */
export async function countCommentOff(db: Db, accountId: string, issueId: string): Promise<void> {
  await db
    .updateTable('issue')
    .set({
      comments_count: sql`greatest(comments_count - 1, (select count(*) from comment
        where comment.account_id = issue.account_id and comment.issue_id = issue.id))`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', issueId)
    .execute();
}

/**
 * Returns the number of issues of an account, and the number of those whose stored pairs are
 * current.
 */
export async function countIssues(
  db: Db,
  accountId: string,
): Promise<{ total: number; processed: number; notice: string | null }> {
  return db
    .selectFrom('issue')
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where analyzed_hash = content_hash))::int`.as('processed'),
    ])
    .select((select) =>
      select
        .selectFrom('analysis_state')
        .select('notice')
        .where('analysis_state.account_id', '=', accountId)
        .as('notice'),
    )
    .where('account_id', '=', accountId)
    .where('issue_type', '<>', 'change_request')
    .executeTakeFirstOrThrow();
}

export async function listOrganizations(
  db: Db,
  accountId: string,
  filter: {
    trackerId?: string | undefined;
    organizationId?: string | undefined;
    limit: number;
    skip: number;
  },
) {
  const organizations = db
    .selectFrom('organization')
    .where('account_id', '=', accountId)
    .$if(filter.trackerId !== undefined, (query) => query.where('tracker_id', '=', filter.trackerId ?? ''))
    .$if(filter.organizationId !== undefined, (query) => query.where('id', '=', filter.organizationId ?? ''));
  const [items, count] = await Promise.all([
    organizations
      .select(['id', 'name', 'identifier', 'tracker_id'])
      .orderBy('name')
      .orderBy('id')
      .limit(filter.limit)
      .offset(filter.skip)
      .execute(),
    organizations.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items, total: count.total };
}

/** Finds an organization of the account. */
export async function findOrganization(
  db: Db,
  accountId: string,
  organizationId: string,
): Promise<{ id: string; tracker_id: string; name: string } | undefined> {
  return db
    .selectFrom('organization')
    .select(['id', 'tracker_id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', '=', organizationId)
    .executeTakeFirst();
}

/** Query for the projects of an account with their trackers. */
function projectsOf(db: Db, accountId: string) {
  return db
    .selectFrom('project')
    .innerJoin('tracker', (join) =>
      join
        .onRef('tracker.account_id', '=', 'project.account_id')
        .onRef('tracker.id', '=', 'project.tracker_id'),
    )
    .where('project.account_id', '=', accountId);
}

/** Finds a project of the account. Includes the identifiers by which the tracker knows it. */
export async function findProject(
  db: Db,
  accountId: string,
  projectId: string,
): Promise<TrackerProject | undefined> {
  return projectsOf(db, accountId)
    .select([
      'project.id',
      'project.tracker_id',
      'project.organization_id',
      'tracker.tracker_type',
      'project.external_id',
      'project.identifier',
      'project.name',
    ])
    .where('project.id', '=', projectId)
    .executeTakeFirst();
}

export type TrackerProject = Pick<
  ProjectTable,
  'id' | 'tracker_id' | 'organization_id' | 'external_id' | 'identifier' | 'name'
> &
  Pick<TrackerTable, 'tracker_type'>;

/**
 * Finds the projects and trackers of issues or projects. The keys of the result are the given ids.
 * Omits unknown ids.
 */
export async function placesOf(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, IssuePlace>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<IssuePlace & { id: string }>`
    with place (id, project_id, tracker_id) as (
      select id, project_id, tracker_id from issue where account_id = ${accountId} and id = any (${ids}::uuid[])
      union all
      select id, id, tracker_id from project where account_id = ${accountId} and id = any (${ids}::uuid[])
    )
    select place.id, place.project_id, place.tracker_id, tracker.name as tracker_name, tracker.tracker_type
    from place join tracker on tracker.account_id = ${accountId} and tracker.id = place.tracker_id
  `.execute(db);
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/** Returns those of the given keys that belong to issues of a project. */
export async function keysIn(
  db: Db,
  accountId: string,
  projectId: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('issue')
    .select('key')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('key', '=', sql<string>`any (${keys}::text[])`)
    .execute();
  return rows.map(({ key }) => key);
}

/** Names of a project and its tracker. */
export interface ProjectNames {
  id: string;
  identifier: string;
  name: string;
  tracker_id: string;
  tracker_name: string;
  tracker_type: TrackerTable['tracker_type'];
}

/** Returns the names of an account's projects. */
export async function projectNamesOf(db: Db, accountId: string): Promise<ProjectNames[]> {
  return projectsOf(db, accountId)
    .select(['project.id', 'project.identifier', 'project.name', 'project.tracker_id'])
    .select(['tracker.name as tracker_name', 'tracker.tracker_type'])
    .orderBy('project.name')
    .orderBy('project.id')
    .execute();
}

export async function listProjects(
  db: Db,
  accountId: string,
  filter: { trackerId?: string | undefined; organizationId?: string | undefined } = {},
) {
  return projectsOf(db, accountId)
    .select([
      'project.id',
      'project.name',
      'project.identifier',
      'project.organization_id',
      'project.tracker_id',
      'tracker.name as tracker_name',
      'tracker.tracker_type',
    ])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('project as other')
            .select('other.id')
            .whereRef('other.account_id', '=', 'project.account_id')
            .whereRef('other.tracker_id', '<>', 'project.tracker_id')
            .where(
              sql<boolean>`(lower(other.identifier) = lower(project.identifier) or lower(other.name) = lower(project.name))`,
            ),
        )
        .$castTo<boolean>()
        .as('has_namesake'),
    )
    .select((select) =>
      select
        .selectFrom('issue')
        .whereRef('issue.account_id', '=', 'project.account_id')
        .whereRef('issue.project_id', '=', 'project.id')
        .where('issue.issue_type', '<>', 'change_request')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('issues'),
    )
    .$if(filter.trackerId !== undefined, (query) =>
      query.where('project.tracker_id', '=', filter.trackerId ?? ''),
    )
    .$if(filter.organizationId !== undefined, (query) =>
      query.where('project.organization_id', '=', filter.organizationId ?? ''),
    )
    .orderBy('project.name')
    .orderBy('project.id')
    .execute();
}
