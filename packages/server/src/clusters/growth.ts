import { FLOW_CLUSTER_SIZE } from '@winnow/contract/flow';
import type { Db } from '../schema/tables.ts';
import { clusterSubjects, openIssues } from './growth-store.ts';

/** A cluster that has more open issues than before an update. */
export interface GrownCluster {
  id: string;
  /**
   * Name of the cluster. If the cluster spans several projects, the title of its canonical issue.
   */
  name: string;
  /** Number of open issues before the update. */
  openBefore: number;
  openAfter: number;
  /** Canonical issue of the cluster. It is the subject of the growth event. */
  issueExternalId: string;
  projectId: string;
}

/** A cluster after an update, with the previous clusters of its issues. */
export interface Regrouped {
  id: string;
  members: readonly string[];
  /** Issues of this cluster before the update. Empty if the cluster is new or had ended. */
  own: readonly string[];
  /** For each other cluster that lost issues to this one: its issues before the update. */
  others: readonly (readonly string[])[];
}

/**
 * Returns the clusters that grew by at least one issue that is news. They must exceed the smallest
 * size that a flow can wait for. Old issues that a new score or model brings together are not
 * growth.
 */
export async function grownClusters(
  db: Db,
  accountId: string,
  regrouped: readonly Regrouped[],
  now: Date,
): Promise<GrownCluster[]> {
  const possible = regrouped.filter(({ members }) => members.length > FLOW_CLUSTER_SIZE.least);
  if (possible.length === 0) return [];
  const open = await openIssues(
    db,
    accountId,
    possible.flatMap(({ members, own }) => [...members, ...own]),
    now,
  );
  const grown = possible.flatMap(({ id, members, own, others }) => {
    const openAfter = members.filter((issue) => open.has(issue)).length;
    const openBefore = openBeforeOf({ members, own, others }, open);
    const before = new Set(own);
    const hasNews = members.some((issue) => !before.has(issue) && open.get(issue) === true);
    const isGrown =
      openAfter > Math.max(openBefore, FLOW_CLUSTER_SIZE.least) && openBefore <= FLOW_CLUSTER_SIZE.most;
    return isGrown && hasNews ? [{ id, openBefore, openAfter }] : [];
  });
  if (grown.length === 0) return [];
  const subjects = await clusterSubjects(
    db,
    accountId,
    grown.map(({ id }) => id),
  );
  return grown.flatMap((cluster) => {
    const subject = subjects.get(cluster.id);
    return subject === undefined ? [] : [{ ...cluster, ...subject }];
  });
}

/**
 * Returns the number of issues that were open before an update. For clusters that were split or
 * joined, counts the largest previous part, because regrouping is not growth.
 */
function openBeforeOf(
  { members, own, others }: Omit<Regrouped, 'id'>,
  open: ReadonlyMap<string, boolean>,
): number {
  const current = new Set(members);
  const parts = others.map((issues) => issues.filter((issue) => current.has(issue)));
  return Math.max(...[own, ...parts].map((issues) => issues.filter((issue) => open.has(issue)).length));
}
