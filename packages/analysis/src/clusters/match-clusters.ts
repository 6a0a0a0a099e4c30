/** A cluster with an id. Extending types may add fields such as its name and decisions. */
export interface IdentifiedCluster {
  id: string;
  members: readonly string[];
}

/** A cluster after matching. */
export interface MatchedCluster<Previous extends IdentifiedCluster> {
  id: string;
  members: string[];
  /**
   * The previous cluster that this cluster continues, with its name and decisions. Null for a new
   * cluster.
   */
  previous: Previous | null;
}

/** A change of clusters, reported to the history and to flows. */
export type ClusterEvent =
  | { type: 'created'; id: string }
  /** Issues were added to the cluster or removed from it. */
  | { type: 'changed'; id: string; added: string[]; removed: string[] }
  /**
   * The previous members of cluster `id` are in several clusters. `into` lists the clusters other
   * than `id`.
   */
  | { type: 'split'; id: string; into: string[] }
  /** Cluster `id` contains members of the previous clusters `from`. */
  | { type: 'joined'; id: string; from: string[] }
  /**
   * No cluster continues `id`. Retain its record: if its issues form a cluster again, it gets the
   * same id.
   */
  | { type: 'dissolved'; id: string };

interface Overlap {
  previous: number;
  current: number;
  shared: number;
}

/**
 * Minimum overlap for one cluster to continue another, as a share of the smaller one. With a
 * smaller overlap, names and decisions are not carried over.
 */
const MIN_SHARED = 0.5;

/**
 * Matches clusters with previous clusters by the number of common members, the highest first. A
 * matched cluster gets the id of the previous one. Each previous id is used at most once; other
 * clusters get an id from `newId`.
 *
 * `previous` may include dissolved clusters. Put them last: of two equal overlaps, the earlier one
 * wins.
 */
export function matchClusters<Previous extends IdentifiedCluster>(
  previous: readonly Previous[],
  current: readonly (readonly string[])[],
  newId: () => string,
): { clusters: MatchedCluster<Previous>[]; events: ClusterEvent[] } {
  const overlaps = overlapsOf(previous, current);
  const continued = new Map<number, Previous>();
  const taken = new Set<number>();
  for (const overlap of overlaps) {
    const before = previous[overlap.previous];
    const now = current[overlap.current];
    if (before === undefined || now === undefined) continue;
    if (taken.has(overlap.previous) || continued.has(overlap.current)) continue;
    if (overlap.shared < MIN_SHARED * Math.min(before.members.length, now.length)) continue;
    taken.add(overlap.previous);
    continued.set(overlap.current, before);
  }
  const clusters = current.map((members, at) => {
    const before = continued.get(at) ?? null;
    return { id: before?.id ?? newId(), members: [...members], previous: before };
  });
  return { clusters, events: eventsOf(previous, clusters, overlaps) };
}

/**
 * Counts the common members of each previous and current cluster. Returns the counts above 0,
 * highest first.
 */
function overlapsOf(
  previous: readonly IdentifiedCluster[],
  current: readonly (readonly string[])[],
): Overlap[] {
  const clustersBefore = new Map<string, number[]>();
  for (const [at, { members }] of previous.entries()) {
    for (const member of members) {
      const known = clustersBefore.get(member);
      if (known === undefined) clustersBefore.set(member, [at]);
      else known.push(at);
    }
  }
  const overlaps = current.flatMap((members, now) => {
    const shared = new Map<number, number>();
    for (const member of members) {
      for (const before of clustersBefore.get(member) ?? []) {
        shared.set(before, (shared.get(before) ?? 0) + 1);
      }
    }
    return Array.from(shared, ([before, count]): Overlap => {
      return { previous: before, current: now, shared: count };
    });
  });
  return overlaps.sort((a, b) => b.shared - a.shared || a.previous - b.previous || a.current - b.current);
}

function eventsOf<Previous extends IdentifiedCluster>(
  previous: readonly Previous[],
  clusters: readonly MatchedCluster<Previous>[],
  overlaps: readonly Overlap[],
): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  const byCurrent = Map.groupBy(overlaps, ({ current }) => current);
  const byPrevious = Map.groupBy(overlaps, ({ previous: before }) => before);
  const continuedIds = new Set(
    clusters.flatMap(({ previous: before }) => (before === null ? [] : [before.id])),
  );
  for (const [at, { id, members, previous: before }] of clusters.entries()) {
    if (before === null) events.push({ type: 'created', id });
    else {
      const added = without(members, before.members);
      const removed = without(before.members, members);
      if (added.length + removed.length > 0) events.push({ type: 'changed', id, added, removed });
    }
    const from = (byCurrent.get(at) ?? [])
      .map((overlap) => previous[overlap.previous]?.id ?? id)
      .filter((other) => other !== id);
    if (from.length > 0 && before !== null) events.push({ type: 'joined', id, from });
  }
  for (const [at, { id }] of previous.entries()) {
    const into = (byPrevious.get(at) ?? [])
      .map((overlap) => clusters[overlap.current]?.id ?? id)
      .filter((other) => other !== id);
    if (into.length > 0 && continuedIds.has(id)) events.push({ type: 'split', id, into });
    if (!continuedIds.has(id)) events.push({ type: 'dissolved', id });
  }
  return events;
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return ids.filter((id) => !excluded.has(id));
}
