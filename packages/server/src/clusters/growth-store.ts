import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Subject of a growth event: the name and the canonical issue of a cluster. */
interface Subject {
  name: string;
  issueExternalId: string;
  projectId: string;
}

/**
 * Maximum age of a change that makes an issue news. The analysis runs within minutes of a change.
 */
const MAX_NEWS_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the open issues among these, with true for each issue that is news. An issue is news if
 * it was reported or changed during the last day, and after its project was connected. An issue
 * that Winnow created, or was the last to write to, is not news.
 */
export async function openIssues(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
  now: Date,
): Promise<Map<string, boolean>> {
  const newsFrom = new Date(now.getTime() - MAX_NEWS_MS);
  const isOurs = sql<boolean>`exists (
    select from change_step step
    where step.account_id = issue.account_id and step.target_issue_id = issue.id
      and step.status in ('applied', 'undone')
      and (step.action = 'create'
        or (step.result #>> '{stood,at}')::timestamptz >= issue.updated_at - interval '2 seconds')
  )`;
  const rows = await db
    .selectFrom('issue')
    .innerJoin('project', (join) =>
      join.onRef('project.account_id', '=', 'issue.account_id').onRef('project.id', '=', 'issue.project_id'),
    )
    .select('issue.id')
    .select(
      // Trackers report times in seconds.
      sql<boolean>`issue.updated_at >= date_trunc('second', project.created_at)
        and issue.updated_at >= ${newsFrom} and not ${isOurs}`.as('is_news'),
    )
    .where('issue.account_id', '=', accountId)
    .where('issue.id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .where('issue.state', '=', 'opened')
    .execute();
  return new Map(rows.map(({ id, is_news }) => [id, is_news]));
}

/**
 * Returns name and canonical issue of each cluster. Omits clusters without a canonical issue.
 *
 * If a cluster spans several projects, its name is replaced by the title of its canonical issue.
 * Otherwise, text of one project could reach the flows of another project.
 */
export async function clusterSubjects(
  db: Db,
  accountId: string,
  clusterIds: readonly string[],
): Promise<Map<string, Subject>> {
  const { rows } = await sql<{ id: string; name: string; external_id: string; project_id: string }>`
    select distinct on (cluster.id) cluster.id, issue.external_id, issue.project_id,
      case when exists (
        select from cluster_member other
        join issue elsewhere on elsewhere.account_id = other.account_id and elsewhere.id = other.issue_id
        where other.account_id = cluster.account_id and other.cluster_id = cluster.id
          and elsewhere.project_id <> issue.project_id
      ) then issue.title else coalesce(given_name, name) end as name
    from cluster
    join cluster_member member on member.account_id = cluster.account_id and member.cluster_id = cluster.id
      and member.issue_id in (chosen_canonical, proposed_canonical)
    join issue on issue.account_id = member.account_id and issue.id = member.issue_id
    where cluster.account_id = ${accountId} and cluster.id = any (${clusterIds}::uuid[])
    order by cluster.id, (member.issue_id = chosen_canonical) desc nulls last
  `.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      { name: row.name, issueExternalId: row.external_id, projectId: row.project_id },
    ]),
  );
}
