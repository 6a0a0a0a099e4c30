import { agglomerate } from './agglomerate.ts';
import { groupedLinks, type Link } from './cluster-pairs.ts';
import { type Constraint, resolveConstraints } from './constraints.ts';

/** Measures whether the issues of a cluster belong together. */
export interface Cohesion {
  /**
   * Average probability over the pairs of members. Must-links count as 1, missing pairs as 0. A
   * must-link with a closed issue is left out: it is settled. 1 if all pairs are settled.
   */
  average: number;
  /**
   * Without this pair, the cluster would fall into two parts. Null if must-links alone connect it.
   */
  weakest: Link | null;
  /** The best division into two parts; null if must-links connect all members. */
  split: Split | null;
}

interface Split {
  /**
   * Issue ids of each part, in ascending order. The larger part is first. If both have the same
   * size, the part with the lowest id is first.
   */
  parts: [string[], string[]];
  /** Average probability of the pairs between the two parts. */
  average: number;
}

/**
 * Measures the cohesion of a cluster.
 * - The weakest link is the least probable pair in the maximum spanning tree of the members.
 * - The split undoes the last merge of the clustering. It never separates issues connected by
 *   must-links.
 * - A must-link with a closed issue is settled: no decision about it is left.
 *
 * `links` and `constraints` may include those of issues outside the cluster.
 */
export function cohesionOf(
  memberIds: readonly string[],
  links: readonly Link[],
  constraints: readonly Constraint[] = [],
  isClosed: (id: string) => boolean = () => false,
): Cohesion {
  const issues = memberIds.toSorted();
  const isInside = new Set(issues);
  const inside = ({ a, b }: { a: string; b: string }) => isInside.has(a) && isInside.has(b);
  const { groupOf } = resolveConstraints(constraints.filter(inside));
  const within = links.filter(inside);
  // Cannot-links do not apply here: a person may have put such issues into one cluster.
  const { members, groups } = groupedLinks(issues, groupOf, { links: within, cannot: [] });
  const pairs = pairsOf(issues.length);
  const isTogether = ({ a, b }: Link) => groupOf(a) === groupOf(b);
  const certain = members.reduce((sum, { length }) => sum + pairsOf(length), 0);
  const open = members.map((group) => group.filter((id) => !isClosed(id)).length);
  const undecided = open.reduce((sum, count) => sum + pairsOf(count), 0);
  const counted = pairs - certain + undecided;
  const linked = within.reduce((sum, link) => sum + (isTogether(link) ? 0 : link.probability), 0);
  const limits = { threshold: 0, maxLooseSize: issues.length, minLargeAverage: 0, minGroups: 2 };
  const parts = agglomerate(groups, limits).map((merged) =>
    merged.flatMap((group) => members[group] ?? []).sort(),
  );
  return {
    average: counted === 0 ? 1 : (undecided + linked) / counted,
    weakest: weakestOf(within, groupOf),
    split: splitInto(parts, within),
  };
}

/** Returns the number of pairs among this many issues. */
function pairsOf(issues: number): number {
  return (issues * (issues - 1)) / 2;
}

/**
 * Builds the maximum spanning tree and returns its weakest link. Returns null if must-links connect
 * all issues.
 */
function weakestOf(links: readonly Link[], groupOf: (id: string) => string): Link | null {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = groupOf(id);
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  let weakest: Link | null = null;
  for (const link of links.toSorted(compareLinks)) {
    const [one, other] = [rootOf(link.a), rootOf(link.b)];
    if (one === other) continue;
    parents.set(one, other);
    weakest = link;
  }
  return weakest;
}

function compareLinks(one: Link, other: Link): number {
  if (one.probability !== other.probability) return other.probability - one.probability;
  if (one.a !== other.a) return one.a < other.a ? -1 : 1;
  return one.b < other.b ? -1 : 1;
}

function splitInto(parts: readonly string[][], links: readonly Link[]): Split | null {
  const [first, ...rest] = parts.toSorted(
    (one, other) => other.length - one.length || ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1),
  );
  if (first === undefined || rest.length === 0) return null;
  const second = rest.flat().sort();
  const isFirst = new Set(first);
  const between = links.filter(({ a, b }) => isFirst.has(a) !== isFirst.has(b));
  const sum = between.reduce((total, { probability }) => total + probability, 0);
  return { parts: [first, second], average: sum / (first.length * second.length) };
}
