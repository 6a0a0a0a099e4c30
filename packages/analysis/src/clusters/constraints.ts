/**
 * Strength of each source of constraints. If two constraints contradict each other, the stronger
 * one applies. A statement is the weakest, because anyone can write that an issue is a duplicate.
 */
const SOURCE_RANKS = {
  /** A decision or judgment of a person. */
  decision: 4,
  /** A relation in the tracker. */
  tracker: 3,
  /** Equal texts, or a difference that a rule finds. */
  rule: 2,
  /** A statement in the text of an issue. */
  statement: 1,
} as const;
type ConstraintSource = keyof typeof SOURCE_RANKS;

/** States that two issues must be in one cluster, or must not be. */
export interface Constraint {
  a: string;
  b: string;
  type: 'must' | 'cannot';
  source: ConstraintSource;
  /** The fact behind the constraint, for display, such as “Ann judged the pair as different.”. */
  reason: string;
}

/** A constraint that is ignored, and the constraints that contradict it. */
export interface ConstraintConflict {
  ignored: Constraint;
  /**
   * The stronger constraint, or the must-links that connect the two issues. If both sides are
   * equally strong, the issues stay apart: a wrong merge costs more than a missed one.
   */
  because: Constraint[];
}

/** Constraints without contradictions. */
export interface ResolvedConstraints {
  /** Returns the issue that represents all issues connected to this one by must-links. */
  groupOf: (id: string) => string;
  /** Cannot-links that apply. */
  cannot: Constraint[];
  conflicts: ConstraintConflict[];
}

/**
 * Resolves contradictions. Applies the constraints by descending strength. If two are equally
 * strong, cannot-links come first. Ignores each constraint that contradicts one applied before. The
 * order of the input has no effect.
 */
export function resolveConstraints(constraints: readonly Constraint[]): ResolvedConstraints {
  const groups = new Groups();
  const cannot: Constraint[] = [];
  const conflicts: ConstraintConflict[] = [];
  const must = new Map<string, Constraint[]>();
  for (const constraint of constraints.toSorted(compareConstraints)) {
    const { a, b, type } = constraint;
    const areTogether = groups.find(a) === groups.find(b);
    if (type === 'cannot') {
      if (areTogether) conflicts.push({ ignored: constraint, because: pathBetween(a, b, must) });
      else {
        groups.keepApart(constraint);
        cannot.push(constraint);
      }
      continue;
    }
    const against = areTogether ? undefined : groups.linkApart(a, b);
    if (against !== undefined) {
      conflicts.push({ ignored: constraint, because: [against] });
      continue;
    }
    groups.unite(a, b);
    for (const id of [a, b]) {
      const links = must.get(id);
      if (links === undefined) must.set(id, [constraint]);
      else links.push(constraint);
    }
  }
  return { groupOf: (id) => groups.find(id), cannot, conflicts };
}

function compareConstraints(one: Constraint, other: Constraint): number {
  if (one.source !== other.source) return SOURCE_RANKS[other.source] - SOURCE_RANKS[one.source];
  if (one.type !== other.type) return one.type === 'cannot' ? -1 : 1;
  const [low, high] = one.a < one.b ? [one.a, one.b] : [one.b, one.a];
  const [otherLow, otherHigh] = other.a < other.b ? [other.a, other.b] : [other.b, other.a];
  return compare(low, otherLow) || compare(high, otherHigh) || compare(one.reason, other.reason);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Groups of issues united by must-links, and the cannot-links between these groups. */
class Groups {
  readonly #parents = new Map<string, string>();
  readonly #apart = new Map<string, Map<string, Constraint>>();

  find(id: string): string {
    let root = id;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    for (let at = id; at !== root; ) {
      const next = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = next;
    }
    return root;
  }

  /** Returns the cannot-link between the groups of two issues, if there is one. */
  linkApart(a: string, b: string): Constraint | undefined {
    return this.#apart.get(this.find(a))?.get(this.find(b));
  }

  keepApart(link: Constraint): void {
    const [one, other] = [this.find(link.a), this.find(link.b)];
    this.#note(one, other, link);
    this.#note(other, one, link);
  }

  unite(a: string, b: string): void {
    const [one, other] = [this.find(a), this.find(b)];
    if (one === other) return;
    const countOf = (root: string): number => this.#apart.get(root)?.size ?? 0;
    const [kept, absorbed] = countOf(one) < countOf(other) ? [other, one] : [one, other];
    this.#parents.set(absorbed, kept);
    for (const [neighbor, link] of this.#apart.get(absorbed) ?? []) {
      this.#apart.get(neighbor)?.delete(absorbed);
      this.#note(neighbor, kept, link);
      this.#note(kept, neighbor, link);
    }
    this.#apart.delete(absorbed);
  }

  /** Stores a cannot-link between two groups. If several exist, retains the strongest. */
  #note(from: string, to: string, link: Constraint): void {
    const links = this.#apart.get(from) ?? new Map<string, Constraint>();
    this.#apart.set(from, links);
    const known = links.get(to);
    if (known === undefined || compareConstraints(link, known) < 0) links.set(to, link);
  }
}

/** Returns the shortest chain of must-links from one issue to another. */
function pathBetween(
  from: string,
  to: string,
  must: ReadonlyMap<string, readonly Constraint[]>,
): Constraint[] {
  const cameBy = new Map<string, { link: Constraint; before: string } | null>([[from, null]]);
  const queue = [from];
  for (const id of queue) {
    if (id === to) break;
    for (const link of must.get(id) ?? []) {
      const next = link.a === id ? link.b : link.a;
      if (cameBy.has(next)) continue;
      cameBy.set(next, { link, before: id });
      queue.push(next);
    }
  }
  const path: Constraint[] = [];
  for (let step = cameBy.get(to); step; step = cameBy.get(step.before)) path.unshift(step.link);
  return path;
}
