import { clusterPairs, type Link, MIN_AVERAGE_LINK } from './cluster-pairs.ts';
import type { Constraint } from './constraints.ts';

/**
 * Reads the stored pairs and constraints of an issue. Each pair is returned for both of its issues.
 */
export interface LinkSource {
  linksOf: (id: string) => Iterable<Link>;
  constraintsOf: (id: string) => Iterable<Constraint>;
}

export interface ClusterUpdate<Previous> {
  /** New clusters that contain issues of the region. */
  clusters: string[][];
  /** Previous clusters to replace by these. All other previous clusters remain. */
  replaced: Previous[];
  /** Ids of the issues whose clusters may have changed, in ascending order. */
  region: string[];
}

/**
 * Updates clusters after a change, without clustering all issues again. The result is the same as
 * for all issues. `changed` holds issues that are new, edited or removed, and the two issues of
 * each changed constraint.
 *
 * The region starts with the changed issues. Each round clusters the region together with all
 * clusters that links connect to it. If a cluster outside the region differs afterwards, it joins
 * the region, and another round follows. In the end, no merge crosses the edge of the region.
 * Clusters outside it therefore cannot change.
 */
export function updateClusters<Previous extends { members: readonly string[] }>(
  previous: readonly Previous[],
  changed: Iterable<string>,
  source: LinkSource,
  { threshold = MIN_AVERAGE_LINK }: { threshold?: number } = {},
): ClusterUpdate<Previous> {
  const clusterOf = new Map(previous.flatMap((each) => each.members.map((id) => [id, each] as const)));
  /** Adds all issues that share a cluster or a must-link with an issue of `ids`. */
  const closed = (ids: Iterable<string>): Set<string> => {
    const found = new Set(ids);
    // Iterating over a Set also visits the items that are added during the iteration.
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

/**
 * Returns the ids from `read` outside the region whose cluster differs from their previous cluster.
 */
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
    // All members of a current cluster share one array. Comparing the arrays by identity is enough.
    return old.length !== current.length || old.some((member) => after.get(member) !== after.get(id));
  });
}

/** Returns the links and constraints for which both issues are in `ids`. */
function within(ids: ReadonlySet<string>, source: LinkSource) {
  const links: Link[] = [];
  const constraints: Constraint[] = [];
  for (const id of ids) {
    // Both issues of a pair return it. It is taken only from the issue with the lower id.
    const isTaken = ({ a, b }: { a: string; b: string }) =>
      (a < b ? a : b) === id && ids.has(a) && ids.has(b);
    for (const link of source.linksOf(id)) if (isTaken(link)) links.push(link);
    for (const constraint of source.constraintsOf(id)) if (isTaken(constraint)) constraints.push(constraint);
  }
  return { links, constraints };
}
