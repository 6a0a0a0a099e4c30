import { clusterPairs, type Link, MIN_AVERAGE_LINK } from './cluster-pairs.ts';
import type { Constraint } from './constraints.ts';

/** The stored pairs and constraints of each issue. Each one belongs to both of its issues. */
export interface LinkSource {
  linksOf: (id: string) => Iterable<Link>;
  constraintsOf: (id: string) => Iterable<Constraint>;
}

export interface ClusterUpdate<Previous> {
  /** Clusters of the issues of the region. */
  clusters: string[][];
  /** Previous clusters that the clusters of this update replace. All others remain. */
  replaced: Previous[];
  /** Issues whose clusters may differ, in ascending order. */
  region: string[];
}

/**
 * Clusters only the issues that a change affects. `changed` holds the issues that are new, edited
 * or removed, and both issues of a changed constraint. The result is that of clustering all issues.
 *
 * The region starts with the changed issues. Clusters that a link of the threshold or more connects
 * to it are clustered with it. Clusters that differ afterwards join the region, and this repeats
 * until none differs. No merge then crosses the edge of the region, so clusters beyond it cannot
 * change.
 */
export function updateClusters<Previous extends { members: readonly string[] }>(
  previous: readonly Previous[],
  changed: Iterable<string>,
  source: LinkSource,
  { threshold = MIN_AVERAGE_LINK }: { threshold?: number } = {},
): ClusterUpdate<Previous> {
  const clusterOf = new Map(previous.flatMap((each) => each.members.map((id) => [id, each] as const)));
  /** Adds the issues that are in one cluster with these, or that must be. */
  const closed = (ids: Iterable<string>): Set<string> => {
    const found = new Set(ids);
    // Iterating over a Set also visits the items that are added meanwhile.
    for (const id of found) {
      for (const member of clusterOf.get(id)?.members ?? []) found.add(member);
      for (const { a, b, type } of source.constraintsOf(id)) if (type === 'must') found.add(a).add(b);
    }
    return found;
  };
  const linkedTo = (ids: Iterable<string>): string[] =>
    Array.from(ids, (id) => [...source.linksOf(id)].filter(({ probability }) => probability >= threshold))
      .flat()
      .flatMap(({ a, b }) => [a, b]);
  for (let region = closed(changed); ; ) {
    const read = closed([...region, ...linkedTo(region)]);
    const { clusters } = clusterPairs(within(read, source), { threshold });
    const affected = affectedBeyond(region, read, { previous, current: clusters });
    if (affected.length > 0) {
      region = closed([...region, ...affected]);
      continue;
    }
    return {
      clusters: clusters.filter(([id = '']) => region.has(id)),
      replaced: previous.filter(({ members }) => members.some((id) => region.has(id))),
      region: [...region].sort(),
    };
  }
}

/** Returns issues read beyond the region whose cluster differs from the previous one. */
export function affectedBeyond(
  region: ReadonlySet<string>,
  read: Iterable<string>,
  clusters: { previous: readonly { members: readonly string[] }[]; current: readonly (readonly string[])[] },
): string[] {
  const before = new Map(clusters.previous.flatMap(({ members }) => members.map((id) => [id, members])));
  const after = new Map(clusters.current.flatMap((members) => members.map((id) => [id, members])));
  return [...read].filter((id) => {
    if (region.has(id)) return false;
    const [old, current] = [before.get(id) ?? [id], after.get(id) ?? [id]];
    // All members of a current cluster share one array, so comparing arrays by identity is enough.
    return old.length !== current.length || old.some((member) => after.get(member) !== after.get(id));
  });
}

/** Returns the links and constraints between these issues. */
function within(ids: ReadonlySet<string>, source: LinkSource) {
  const links: Link[] = [];
  const constraints: Constraint[] = [];
  for (const id of ids) {
    // Each pair is taken from the issue with the lower id.
    const isTaken = ({ a, b }: { a: string; b: string }) =>
      (a < b ? a : b) === id && ids.has(a) && ids.has(b);
    for (const link of source.linksOf(id)) if (isTaken(link)) links.push(link);
    for (const constraint of source.constraintsOf(id)) if (isTaken(constraint)) constraints.push(constraint);
  }
  return { links, constraints };
}
