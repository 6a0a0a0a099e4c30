import { type Clustering, clusterPairs, type Link, MIN_AVERAGE_LINK } from './cluster-pairs.ts';
import type { Constraint } from './constraints.ts';

/** The stored pairs and constraints of each issue. Each one belongs to both of its issues. */
export interface LinkSource {
  linksOf: (id: string) => Iterable<Link>;
  constraintsOf: (id: string) => Iterable<Constraint>;
}

export interface ClusterUpdate<Previous> extends Clustering {
  /** Previous clusters that the clusters of this update replace. All others remain. */
  replaced: Previous[];
  /** Issues that were clustered again, in ascending order. */
  region: string[];
}

/**
 * Clusters again only the issues that a change can affect. These are connected to the changed ones
 * by must-links or by pairs that reach the threshold, or share a previous cluster with one.
 * `changed` holds the issues that are new, edited or removed, and both issues of a changed
 * constraint. The result equals clustering all issues, since links below the threshold alone never
 * merge anything.
 */
export function updateClusters<Previous extends { members: readonly string[] }>(
  previous: readonly Previous[],
  changed: Iterable<string>,
  source: LinkSource,
  { threshold = MIN_AVERAGE_LINK }: { threshold?: number } = {},
): ClusterUpdate<Previous> {
  const region = new Set(changed);
  for (const { members } of touchedBy(previous, region)) for (const id of members) region.add(id);
  // Iterating over a Set also visits the items that are added meanwhile.
  for (const id of region) {
    for (const { a, b, probability } of source.linksOf(id)) {
      if (probability >= threshold) region.add(a).add(b);
    }
    for (const { a, b, type } of source.constraintsOf(id)) if (type === 'must') region.add(a).add(b);
  }
  const links: Link[] = [];
  const constraints: Constraint[] = [];
  for (const id of region) {
    // Each pair is taken from the issue with the lower id.
    const isTaken = ({ a, b }: { a: string; b: string }) =>
      (a < b ? a : b) === id && region.has(a) && region.has(b);
    for (const link of source.linksOf(id)) if (isTaken(link)) links.push(link);
    for (const constraint of source.constraintsOf(id)) if (isTaken(constraint)) constraints.push(constraint);
  }
  return {
    ...clusterPairs({ links, constraints }, { threshold }),
    replaced: touchedBy(previous, region),
    region: [...region].sort(),
  };
}

function touchedBy<Previous extends { members: readonly string[] }>(
  previous: readonly Previous[],
  region: ReadonlySet<string>,
): Previous[] {
  return previous.filter(({ members }) => members.some((id) => region.has(id)));
}
