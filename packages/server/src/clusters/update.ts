import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  affectedBeyond,
  type ClusterEvent,
  clusterPairs,
  type MatchedCluster,
  MIN_AVERAGE_LINK,
  matchClusters,
} from '@winnow/analysis/clusters';
import { isIdentical } from '@winnow/contract/duplicate';
import type { Db } from '../schema/tables.ts';
import { linksOf, statedConstraints, textConstraints } from './constraints.ts';
import { type ClusteredIssue, Connections, readGraph, readIssues, removeStaleIssues } from './graph-store.ts';
import type { Regrouped } from './growth.ts';
import { addEvents, type ClusterEventRow } from './store.ts';
import { labels, summarize } from './summary.ts';
import {
  endClusters,
  type PreviousCluster,
  previousClusters,
  removeMembers,
  saveClusters,
  type UpdatedCluster,
} from './update-store.ts';

/** Result of recomputing clusters. */
interface ClusterUpdate {
  /** True if a cluster was created, ended, or has different members. */
  isChanged: boolean;
  /** Clusters that were created or have different members. */
  regrouped: Regrouped[];
}

/** Number of clusters that are summarized before other work may run on the event loop. */
const SUMMARY_BATCH = 50;
/** Maximum number of issues that a history entry names. */
const NAMED_ISSUES = 5;

/**
 * Recomputes the clusters of all issues that may be affected by a change of these issues. A new
 * cluster takes over id and decision of the previous cluster with most of its issues.
 *
 * `assumed` replaces the previous members of some clusters, such as the members of both clusters of
 * a merge. The caller must hold the account's cluster lock.
 */
export async function updateClustersOf(
  db: Db,
  accountId: string,
  changed: readonly string[],
  now: Date,
  assumed: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<ClusterUpdate> {
  const { region, outdated, previous, issues, links, constraints, current } = await clusterRegion(
    db,
    accountId,
    changed,
  );
  const before = new Map(previous.map((cluster) => [cluster.id, cluster]));
  const { clusters, events } = matchClusters(
    previous.map((each) => ({ ...each, members: [...(assumed.get(each.id) ?? each.members)] })),
    current,
    randomUUID,
  );

  const clusterOf = new Map(clusters.flatMap(({ id, members }) => members.map((issue) => [issue, id])));
  const within = <T extends { a: string; b: string }>(all: readonly T[]) =>
    Map.groupBy(all, ({ a, b }) => (clusterOf.get(a) === clusterOf.get(b) ? clusterOf.get(a) : undefined));
  const [linksIn, constraintsIn] = [within(links), within(constraints)];
  const updated: UpdatedCluster[] = [];
  for (const cluster of clusters) {
    const change = changeOf({ ...cluster, previous: before.get(cluster.id) ?? null });
    const isCurrent = !change.isChanged && !cluster.members.some((id) => outdated.has(id));
    if (isCurrent) continue;
    if (updated.length % SUMMARY_BATCH === SUMMARY_BATCH - 1) await setImmediate();
    const members = cluster.members.flatMap((id) => issues.get(id) ?? []);
    const { name, canonical, cohesion } = summarize(
      members,
      linksIn.get(cluster.id) ?? [],
      constraintsIn.get(cluster.id) ?? [],
    );
    updated.push({
      ...change,
      name,
      proposedCanonical: canonical.id,
      canonicalReasons: canonical.reasons,
      probability: cohesion.average,
      weakestProbability: cohesion.weakest?.probability ?? null,
    });
  }
  await saveClusters(db, accountId, updated, now);
  const left = [...region].filter((id) => !clusterOf.has(id));
  await removeMembers(db, accountId, left);
  const continued = new Set(clusters.map(({ id }) => id));
  const ended = previous.filter(({ id, ended_at }) => ended_at === null && !continued.has(id));
  await endClusters(db, accountId, { ended, changed }, now);
  const nameOf = new Map([
    ...previous.map(({ id, name, given_name }) => [id, given_name ?? name] as const),
    ...updated.map(({ id, name }) => [id, name] as const),
  ]);
  await addEvents(db, accountId, historyOf(events, { updated, issues, nameOf, now }));
  const changedClusters = updated.filter(({ isChanged }) => isChanged);
  return {
    isChanged: changedClusters.length > 0 || ended.length > 0,
    regrouped: changedClusters.map(({ id, members }) => regroupedOf({ id, members }, previous)),
  };
}

/**
 * Clusters the issues that may be affected by a change of these issues. Produces the same clusters
 * as clustering all issues. Even if weak links connect many issues, a change affects few of them.
 */
async function clusterRegion(db: Db, accountId: string, changed: readonly string[]) {
  const connections = new Connections(db, accountId);
  const outdated = new Set(changed);
  for (let region = await connections.withClusterMembers(changed); ; ) {
    const read = await connections.withLinked(region);
    for (const id of await removeStaleIssues(db, accountId, [...region])) outdated.add(id);
    const graph = await readGraph(db, accountId, connections.groupsOf(read));
    const issues = await readIssues(db, accountId, linkedIssues(graph));
    const known = { ...graph, pairs: graph.pairs.filter(({ a, b }) => issues.has(a) && issues.has(b)) };
    const constraints = [...statedConstraints(known), ...textConstraints(known, issues)].filter(
      ({ a, b }) => issues.has(a) && issues.has(b),
    );
    const links = linksOf(known);
    await setImmediate();
    const { clusters } = clusterPairs({ links, constraints });
    await setImmediate();
    const stored = await previousClusters(db, accountId, [...read]);
    const standing = stored.filter(({ ended_at }) => ended_at === null);
    const affected = affectedBeyond(region, read, { previous: standing, current: clusters });
    if (affected.length > 0) {
      region = await connections.withClusterMembers([...region, ...affected]);
      continue;
    }
    const previous = stored.filter(({ members }) => members.some((id) => region.has(id)));
    const current = clusters.filter(([id = '']) => region.has(id));
    return { region, outdated, previous, issues, links, constraints, current };
  }
}

/** Returns a changed cluster with the members of the clusters that its issues were in before. */
function regroupedOf(
  cluster: Pick<Regrouped, 'id' | 'members'>,
  previous: readonly PreviousCluster[],
): Regrouped {
  const members = new Set(cluster.members);
  const current = previous.filter(({ ended_at }) => ended_at === null);
  return {
    ...cluster,
    own: current.find(({ id }) => id === cluster.id)?.members ?? [],
    others: current
      .filter((other) => other.id !== cluster.id && other.members.some((issue) => members.has(issue)))
      .map((other) => other.members),
  };
}

/** Returns the ids of issues with pairs or constraints that can connect clusters. */
function linkedIssues(graph: Awaited<ReturnType<typeof readGraph>>) {
  const { pairs, judgments, overrides, duplicates, statements } = graph;
  const strong = pairs.filter(
    ({ probability, similarity, resolution }) =>
      probability >= MIN_AVERAGE_LINK || isIdentical(similarity) || resolution !== null,
  );
  const all = [...strong, ...judgments, ...overrides, ...duplicates, ...statements];
  return [...new Set(all.flatMap(({ a, b }) => [a, b]))];
}

function changeOf({ id, members, previous }: MatchedCluster<PreviousCluster>) {
  const before = new Set(previous?.members);
  const isGrown = members.some((issue) => !before.has(issue));
  return {
    id,
    members,
    isChanged: (previous?.ended_at ?? null) !== null || isGrown || before.size !== members.length,
    isReopened: previous?.status === 'decided' && isGrown,
  };
}

/** Returns the history entries for changes of clusters that have not ended. */
function historyOf(
  events: readonly ClusterEvent[],
  {
    updated,
    issues,
    nameOf,
    now: at,
  }: {
    updated: readonly UpdatedCluster[];
    issues: ReadonlyMap<string, ClusteredIssue>;
    nameOf: ReadonlyMap<string, string>;
    now: Date;
  },
): ClusterEventRow[] {
  const labelOf = labels([...issues.values()]);
  const named = (ids: readonly string[]) => {
    const known = ids.flatMap((id) => issues.get(id) ?? []).map(labelOf);
    const shown = known.slice(0, NAMED_ISSUES);
    const others = ids.length - shown.length;
    return listed(others === 0 ? shown : [...shown, `${others} ${others === 1 ? 'issue' : 'issues'}`]);
  };
  const clusters = (ids: readonly string[]) => listed(ids.map((id) => `“${nameOf.get(id) ?? 'another'}”`));
  const rows = events.flatMap((event): Pick<ClusterEventRow, 'cluster_id' | 'type' | 'text'>[] => {
    const { id: cluster_id, type } = event;
    if (type === 'changed') {
      const added = event.added.length === 0 ? [] : [`Added ${named(event.added)}.`];
      const removed = event.removed.length === 0 ? [] : [`Removed ${named(event.removed)}.`];
      return [{ cluster_id, type, text: [...added, ...removed].join(' ') }];
    }
    if (type === 'split') return [{ cluster_id, type, text: `Split off ${clusters(event.into)}.` }];
    if (type === 'joined') return [{ cluster_id, type, text: `Joined with ${clusters(event.from)}.` }];
    return [];
  });
  const reopened = updated
    .filter(({ isReopened }) => isReopened)
    .map(({ id }) => {
      const text = 'Must be decided again, because issues were added.';
      return { cluster_id: id, type: 'reopened', text } as const;
    });
  return [...rows, ...reopened].map((row) => ({ ...row, by: null, at }));
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
