import { comparePair, type IndexedIssue, rounded, type Scale, type ScoreParts } from './indexed-issue.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { byEstimate, denseFrom, ESTIMATE_SLACK, type RowSearch } from './row-search.ts';
import { mattersForSiblings, withDense } from './score.ts';

/** A search result: an issue and its similarity to the query. */
export class SimilarIssue {
  readonly id: string;
  readonly similarity: number;
  readonly #compare: () => { parts: ScoreParts };

  constructor(id: string, similarity: number, compare: () => { parts: ScoreParts }) {
    this.id = id;
    this.similarity = similarity;
    this.#compare = compare;
  }

  /** Computes the parts of the similarity. Each call compares the two issues again. */
  parts(): ScoreParts {
    return this.#compare().parts;
  }
}

/**
 * Returns the issues most similar to `query`, best first, at most `limit`. Issues with equal
 * similarity are ordered by id. Includes only issues that pass `filter`, with a similarity above 0
 * and of at least `floor`. Excludes `query` itself. Exact to a billionth.
 */
export function mostSimilar(options: {
  query: IndexedIssue;
  issues: IndexedIssues;
  search: RowSearch;
  scale: Scale;
  limit: number;
  floor?: number | undefined;
  filter?: ((id: string, group: string) => boolean) | undefined;
}): SimilarIssue[] {
  const { query, issues, scale, limit, filter } = options;
  const floor = Math.max(options.floor ?? 0, Number.MIN_VALUE);
  const { estimates, dense } = options.search.everything(query, scale);
  for (const slot of issues.alike(query.digest)) estimates[slot] = 1;
  const denseTo = denseFrom(query, scale);
  const hasNoWords = ({ terms }: IndexedIssue): boolean => terms.terms.length === 0;
  /**
   * Returns the exact similarity. In most cases only the exact cosine must be inserted into the
   * estimate. A full comparison is needed for possible siblings, for two missing titles, and for a
   * text without words.
   */
  const similarityOf = (other: IndexedIssue, slot: number): number => {
    const estimate = estimates[slot] ?? 0;
    const isUntitled = query.norms.title + other.norms.title === 0;
    if (mattersForSiblings(estimate) || isUntitled || hasNoWords(query) || hasNoWords(other)) {
      return comparePair(query, other, scale).similarity;
    }
    if (denseTo === null || other.vector === null) return rounded(estimate);
    return rounded(withDense(estimate, dense?.[slot] ?? 0, denseTo(other)));
  };
  const found: SimilarIssue[] = [];
  const slots = atLeast(estimates, issues.capacity, floor - ESTIMATE_SLACK);
  for (const slot of byEstimate(slots, estimates, Number.MIN_VALUE)) {
    const last = found[limit - 1];
    if (last !== undefined && (estimates[slot] ?? 0) + ESTIMATE_SLACK < last.similarity) break;
    const other = issues.at(slot);
    if (other === null || other === query || filter?.(other.id, other.group) === false) continue;
    const similarity = similarityOf(other, slot);
    if (similarity < floor || (last !== undefined && similarity < last.similarity)) continue;
    insert(found, new SimilarIssue(other.id, similarity, () => comparePair(query, other, scale)));
    if (found.length > limit) found.pop();
  }
  return found;
}

function atLeast(estimates: Float64Array, capacity: number, floor: number): Uint32Array {
  const slots = new Uint32Array(capacity);
  let count = 0;
  for (let slot = 0; slot < capacity; slot += 1) {
    const estimate = estimates[slot] ?? 0;
    if (estimate > 0 && estimate >= floor) {
      slots[count] = slot;
      count += 1;
    }
  }
  return slots.subarray(0, count);
}

function insert(found: SimilarIssue[], scored: SimilarIssue): void {
  let at = found.length;
  for (; at > 0; at -= 1) {
    const above = found[at - 1];
    if (above === undefined || above.similarity > scored.similarity) break;
    if (above.similarity === scored.similarity && above.id < scored.id) break;
  }
  found.splice(at, 0, scored);
}
