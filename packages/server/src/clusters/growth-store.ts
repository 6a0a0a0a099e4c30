import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Name and canonical issue of a cluster. */
interface Subject {
  name: string;
  issueExternalId: string;
  projectId: string;
}

/** Returns which of these issues are open, and whether each was changed since it was connected. */
export async function openIssues(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await db
    .selectFrom('issue')
    .innerJoin('project', (join) =>
      join.onRef('project.account_id', '=', 'issue.account_id').onRef('project.id', '=', 'issue.project_id'),
    )
    .select('issue.id')
    // Trackers report times in seconds.
    .select(sql<boolean>`issue.updated_at >= date_trunc('second', project.created_at)`.as('is_news'))
    .where('issue.account_id', '=', accountId)
    .where('issue.id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .where('issue.state', '=', 'opened')
    .execute();
  return new Map(rows.map(({ id, is_news }) => [id, is_news]));
}

/** Returns the name and the canonical issue of each cluster. Skips clusters without one. */
export async function subjectsOf(
  db: Db,
  accountId: string,
  clusterIds: readonly string[],
): Promise<Map<string, Subject>> {
  const { rows } = await sql<{ id: string; name: string; external_id: string; project_id: string }>`
    select distinct on (cluster.id) cluster.id, coalesce(given_name, name) as name, issue.external_id,
      issue.project_id
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
