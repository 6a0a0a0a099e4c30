import {
  type AgglomerationLimits,
  agglomerate,
  type LinkedGroups,
  PROBABILITY_SCALE,
} from './agglomerate.ts';
import { type Constraint, type ConstraintConflict, resolveConstraints } from './constraints.ts';

/** Two issues, and the calibrated probability that they are duplicates of each other. */
export interface Link {
  a: string;
  b: string;
  probability: number;
}

/** Clusters of two or more issues. An issue in none of them has no duplicates. */
export interface Clustering {
  /** Issue ids of each cluster in ascending order. Clusters are ordered by their first id. */
  clusters: string[][];
  /** Constraints that were ignored because stronger constraints contradict them. */
  conflicts: ConstraintConflict[];
}

export interface ClusterInput {
  /** Probabilities by pair, each pair at most once. Missing pairs have probability 0. */
  links: readonly Link[];
  constraints?: readonly Constraint[];
}

/**
 * Minimum average probability between two groups that are merged. Chosen on issues of
 * rust-lang/rust up to 2012: docs/decisions/0060.
 */
export const MIN_AVERAGE_LINK = 0.12;
const SIZE_LIMITS = { maxLooseSize: 25, minLargeAverage: 0.5, minGroups: 1 } as const;

/**
 * Clusters issues by average linkage. It merges the two groups with the highest average probability
 * until no average reaches `threshold`.
 *
 * Issues connected by must-links are merged first, and each pair of them counts as probability 1.
 * Two groups with a cannot-link are never merged. A cluster of more than 25 issues needs an average
 * probability of 0.5. Deterministic: the order of the input has no effect.
 */
export function clusterPairs(
  { links, constraints = [] }: ClusterInput,
  { threshold = MIN_AVERAGE_LINK }: { threshold?: number } = {},
): Clustering {
  const { groupOf, cannot, conflicts } = resolveConstraints(constraints);
  const together = constraints.filter(({ type }) => type === 'must');
  const linked = new Set<string>();
  for (const { a, b } of together) linked.add(a).add(b);
  for (const { a, b, probability } of links) if (probability >= threshold) linked.add(a).add(b);
  const issues = [...linked].sort();
  const { members, groups } = groupedLinks(issues, groupOf, { links, cannot });
  const limits: AgglomerationLimits = { threshold, ...SIZE_LIMITS };
  const clusters = agglomerate(groups, limits)
    .map((merged) => merged.flatMap((group) => members[group] ?? []).sort())
    .filter(({ length }) => length > 1)
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return { clusters, conflicts };
}

/** Builds groups of issues that must be together, and adds up the links between each two groups. */
export function groupedLinks(
  issues: readonly string[],
  groupOf: (id: string) => string,
  { links, cannot }: { links: readonly Link[]; cannot: readonly Constraint[] },
): { members: string[][]; groups: LinkedGroups } {
  const groupByName = new Map<string, number>();
  const groupById = new Map<string, number>();
  const members: string[][] = [];
  for (const id of issues) {
    const name = groupOf(id);
    const group = groupByName.get(name) ?? members.length;
    groupByName.set(name, group);
    groupById.set(id, group);
    const known = members[group];
    if (known === undefined) members[group] = [id];
    else known.push(id);
  }
  const outer = members.map(() => new Map<number, number>());
  const add = (a: string, b: string, amount: number): void => {
    const [one, other] = [groupById.get(a), groupById.get(b)];
    if (one === undefined || other === undefined || one === other) return;
    outer[one]?.set(other, (outer[one].get(other) ?? 0) + amount);
    outer[other]?.set(one, (outer[other].get(one) ?? 0) + amount);
  };
  for (const { a, b, probability } of links) add(a, b, Math.round(probability * PROBABILITY_SCALE));
  for (const { a, b } of cannot) add(a, b, Number.NEGATIVE_INFINITY);
  const sizes = members.map(({ length }) => length);
  const inner = sizes.map((size) => (PROBABILITY_SCALE * size * (size - 1)) / 2);
  return { members, groups: { sizes, inner, outer } };
}
