import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';
import type { StoredCluster } from './store.ts';

/** A cluster before an update, with the ids of its members. */
export type PreviousCluster = Pick<StoredCluster, 'id' | 'status' | 'name' | 'given_name' | 'ended_at'> & {
  members: string[];
};

/** A cluster after an update, to be stored. */
export interface UpdatedCluster {
  id: string;
  members: readonly string[];
  name: string;
  proposedCanonical: string | null;
  canonicalReasons: readonly string[];
  probability: number;
  weakestProbability: number | null;
  /** True if members were added or removed. */
  isChanged: boolean;
  /** True if members were added to a decided cluster. The cluster then becomes undecided. */
  isReopened: boolean;
}

/**
 * Returns the clusters that contain any of these issues. After them come the ended clusters whose
 * last members contain any of these issues.
 */
export async function previousClusters(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<PreviousCluster[]> {
  const { rows } = await sql<PreviousCluster>`
    select id, status, name, given_name, ended_at, array_agg(member.issue_id order by member.issue_id) as members
    from cluster join cluster_member member on member.account_id = cluster.account_id and member.cluster_id = cluster.id
    where cluster.account_id = ${accountId} and cluster.id in (
      select cluster_id from cluster_member
      where account_id = ${accountId} and issue_id in (select unnest(${issueIds}::uuid[])))
    group by cluster.account_id, cluster.id
    union all
    select id, status, name, given_name, ended_at, last_members from cluster
    where account_id = ${accountId} and ended_at is not null and last_members && ${issueIds}::uuid[]
    order by ended_at desc nulls first, id
  `.execute(db);
  return rows;
}

/** Inserts and updates clusters. Skips members that were deleted in the meantime. */
export async function saveClusters(
  db: Db,
  accountId: string,
  clusters: readonly UpdatedCluster[],
  now: Date,
): Promise<void> {
  await sql`
    insert into cluster as stored (account_id, id, name, proposed_canonical, canonical_reasons, probability,
      weakest_probability, created_at)
    select ${accountId}, given.id, given.name, given.canonical,
      array(select jsonb_array_elements_text(given.reasons::jsonb)), given.probability, given.weakest, ${now}
    from unnest(
      ${clusters.map(({ id }) => id)}::uuid[], ${clusters.map(({ name }) => name)}::text[],
      ${clusters.map(({ proposedCanonical }) => proposedCanonical)}::uuid[],
      ${clusters.map(({ canonicalReasons }) => JSON.stringify(canonicalReasons))}::text[],
      ${clusters.map(({ probability }) => probability)}::float8[],
      ${clusters.map(({ weakestProbability }) => weakestProbability)}::float8[]
    ) as given (id, name, canonical, reasons, probability, weakest)
    on conflict (account_id, id) do update
      set name = excluded.name, proposed_canonical = excluded.proposed_canonical,
        canonical_reasons = excluded.canonical_reasons, probability = excluded.probability,
        weakest_probability = excluded.weakest_probability, ended_at = null, last_members = '{}'
  `.execute(db);
  const changed = clusters.filter(({ isChanged }) => isChanged);
  const reopened = clusters.filter(({ isReopened }) => isReopened);
  await sql`
    update cluster set revision = revision + 1 where account_id = ${accountId}
      and id = any (${changed.map(({ id }) => id)}::uuid[])
  `.execute(db);
  await sql`
    update cluster set status = 'to_decide' where account_id = ${accountId}
      and id = any (${reopened.map(({ id }) => id)}::uuid[])
  `.execute(db);
  const members = clusters.flatMap(({ id, members: ids }) => ids.map((issue) => ({ id, issue })));
  await sql`
    insert into cluster_member as stored (account_id, issue_id, cluster_id)
    select issue.account_id, issue.id, given.cluster_id
    from unnest(${members.map(({ issue }) => issue)}::uuid[], ${members.map(({ id }) => id)}::uuid[])
      as given (issue_id, cluster_id)
    join issue on issue.account_id = ${accountId} and issue.id = given.issue_id
    on conflict (account_id, issue_id) do update set cluster_id = excluded.cluster_id
      where stored.cluster_id <> excluded.cluster_id
  `.execute(db);
}

/** Removes issues from the clusters that contain them. */
export async function removeMembers(db: Db, accountId: string, issueIds: readonly string[]): Promise<void> {
  await sql`
    delete from cluster_member where account_id = ${accountId} and issue_id = any (${issueIds}::uuid[])
  `.execute(db);
}

/**
 * Ends clusters. Clusters that a person named or decided are retained, in case they form again; all
 * others are deleted.
 *
 * If a changed issue was deleted, also deletes clusters whose issues were all deleted. This takes
 * time proportional to the number of the account's clusters.
 */
export async function endClusters(
  db: Db,
  accountId: string,
  {
    ended,
    changed,
  }: { ended: readonly Pick<PreviousCluster, 'id' | 'members'>[]; changed: readonly string[] },
  now: Date,
): Promise<void> {
  const endedIds = ended.map(({ id }) => id);
  await sql`
    update cluster set ended_at = ${now}, last_members = array(select jsonb_array_elements_text(given.members::jsonb)::uuid),
      revision = revision + 1, claimed_until = null
    from unnest(
      ${endedIds}::uuid[], ${ended.map(({ members }) => JSON.stringify(members))}::text[]
    ) as given (id, members)
    where cluster.account_id = ${accountId} and cluster.id = given.id
      and (given_name is not null or chosen_canonical is not null or status <> 'to_decide')
  `.execute(db);
  const isEmpty = sql`ended_at is null and not exists (
    select from cluster_member member where member.account_id = cluster.account_id and member.cluster_id = cluster.id)`;
  await sql`
    delete from cluster where account_id = ${accountId} and id = any (${endedIds}::uuid[]) and ${isEmpty}
  `.execute(db);
  const { rows: deleted } = await sql`
    select from unnest(${changed}::uuid[]) as changed (id)
    where not exists (select from issue where account_id = ${accountId} and issue.id = changed.id) limit 1
  `.execute(db);
  if (deleted.length === 0) return;
  await sql`delete from cluster where account_id = ${accountId} and ${isEmpty}`.execute(db);
}
