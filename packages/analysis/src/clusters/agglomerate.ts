/**
 * Groups of issues, and the links between them. A link is a duplicate probability times
 * `PROBABILITY_SCALE`, as an integer. Sums of integers are exact in any order.
 */
export interface LinkedGroups {
  /** Number of issues of each group. */
  sizes: number[];
  /** Per group, the sum of the links between its issues. */
  inner: number[];
  /**
   * Per group, the sum of the links to each other group. Negative infinity forbids a merge of two
   * groups. A missing entry counts as 0: only the most probable pairs of each issue are stored.
   */
  outer: Map<number, number>[];
}

export interface AgglomerationLimits {
  /** Minimum average link between two groups that are merged. */
  threshold: number;
  /** Maximum issues of a group with an average inner link below `minLargeAverage`. */
  maxLooseSize: number;
  minLargeAverage: number;
  /** Number of groups at which merging stops. */
  minGroups: number;
}

export const PROBABILITY_SCALE = 1e9;

interface Merge {
  average: number;
  a: number;
  b: number;
  /**
   * Number of issues of each group when the merge was proposed. If a group has grown since, the
   * merge is outdated.
   */
  sizeA: number;
  sizeB: number;
  /**
   * Numbers of the two groups, the lower one first. A merged group has the lowest number of its
   * parts. Merges with equal averages are ordered by these numbers.
   */
  low: number;
  high: number;
}

/**
 * Merges the two groups with the highest average link that `limits` permits. Repeats this until no
 * average reaches the threshold. Changes `groups`. Returns, per resulting group, the numbers of the
 * original groups in it. Deterministic.
 */
export function agglomerate({ sizes, inner, outer }: LinkedGroups, limits: AgglomerationLimits): number[][] {
  const members = sizes.map((_, group): number[] | null => [group]);
  const lowest = sizes.map((_, group) => group);
  const merges = new MergeHeap();
  const propose = (a: number, b: number, sum: number): void => {
    const [sizeA, sizeB] = [sizes[a] ?? 0, sizes[b] ?? 0];
    const average = sum / (PROBABILITY_SCALE * sizeA * sizeB);
    if (average < limits.threshold || average === 0) return;
    const [one, other] = [lowest[a] ?? 0, lowest[b] ?? 0];
    merges.add({ average, a, b, sizeA, sizeB, low: Math.min(one, other), high: Math.max(one, other) });
  };
  for (const [a, links] of outer.entries()) for (const [b, sum] of links) if (a < b) propose(a, b, sum);
  let left = sizes.length;
  for (let merge = merges.take(); merge !== null && left > limits.minGroups; merge = merges.take()) {
    const { a, b, sizeA, sizeB } = merge;
    if (members[a] === null || members[b] === null || sizes[a] !== sizeA || sizes[b] !== sizeB) continue;
    const within = (inner[a] ?? 0) + (inner[b] ?? 0) + (outer[a]?.get(b) ?? 0);
    if (isTooLoose(sizeA + sizeB, within, limits)) continue;
    const [kept, gone] = (outer[a]?.size ?? 0) < (outer[b]?.size ?? 0) ? [b, a] : [a, b];
    members[kept] = [...(members[kept] ?? []), ...(members[gone] ?? [])];
    members[gone] = null;
    sizes[kept] = sizeA + sizeB;
    inner[kept] = within;
    lowest[kept] = merge.low;
    left -= 1;
    const links = outer[kept] ?? new Map<number, number>();
    links.delete(gone);
    for (const [other, sum] of outer[gone] ?? []) {
      if (other === kept) continue;
      const total = (links.get(other) ?? 0) + sum;
      links.set(other, total);
      outer[other]?.delete(gone);
      outer[other]?.set(kept, total);
    }
    outer[gone]?.clear();
    for (const [other, sum] of links) propose(kept, other, sum);
  }
  return members.filter((list) => list !== null);
}

function isTooLoose(size: number, inner: number, { maxLooseSize, minLargeAverage }: AgglomerationLimits) {
  if (size <= maxLooseSize) return false;
  return inner < (minLargeAverage * PROBABILITY_SCALE * size * (size - 1)) / 2;
}

/** Proposed merges, the highest average first. */
class MergeHeap {
  readonly #merges: Merge[] = [];

  add(merge: Merge): void {
    let at = this.#merges.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.#merges[parent];
      if (above === undefined || !isBefore(merge, above)) break;
      this.#merges[at] = above;
      at = parent;
    }
    this.#merges[at] = merge;
  }

  take(): Merge | null {
    const [first] = this.#merges;
    const last = this.#merges.pop();
    if (first === undefined || last === undefined) return null;
    if (first === last) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let best = this.#merges[child];
      const right = this.#merges[child + 1];
      if (best !== undefined && right !== undefined && isBefore(right, best))
        [child, best] = [child + 1, right];
      if (best === undefined || !isBefore(best, last)) break;
      this.#merges[at] = best;
      at = child;
    }
    this.#merges[at] = last;
    return first;
  }
}

function isBefore(one: Merge, other: Merge): boolean {
  if (one.average !== other.average) return one.average > other.average;
  return one.low !== other.low ? one.low < other.low : one.high < other.high;
}
