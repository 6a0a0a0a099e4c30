/** Share of each part in a similarity. They add up to 1 if all parts exist. */
const DENSE_SHARE = 0.25;
const LEXICAL_SHARE = 0.45;
const TITLE_SHARE = 0.3;

/**
 * Threshold above which the score of siblings is reduced, to stay below the level at which nine in
 * ten pairs are true.
 */
const SIBLING_THRESHOLD = 0.6;
const SIBLING_SHARE = 0.48;

/**
 * Maximum score of different texts. Only identical texts score 1, and lists call 0.999 and above
 * identical.
 */
const MAX_DIFFERENT_TEXTS = 0.998;

/**
 * Combines the similarity of two issues that are neither siblings nor equal texts: 0.25 · max(0,
 * dense) + 0.45 · lexical + 0.3 · title. Shares are renormalized over the existing parts. `dense`
 * is null unless both have a vector, and `title` if neither title has a word. The result is in [0,
 * 0.998] and never decreases when a part grows.
 */
export function combineParts(dense: number | null, lexical: number, title: number | null): number {
  let sum = LEXICAL_SHARE * lexical;
  let shares = LEXICAL_SHARE;
  if (dense !== null) {
    sum += DENSE_SHARE * Math.max(0, dense);
    shares += DENSE_SHARE;
  }
  if (title !== null) {
    sum += TITLE_SHARE * title;
    shares += TITLE_SHARE;
  }
  return Math.min(MAX_DIFFERENT_TEXTS, Math.max(0, sum / shares));
}

/**
 * Returns an upper bound of a combined similarity with all three parts after its dense part changes
 * from `from` to `to`.
 */
export function withDense(similarity: number, from: number, to: number): number {
  if (similarity >= MAX_DIFFERENT_TEXTS) return similarity;
  return similarity + DENSE_SHARE * (Math.max(0, to) - Math.max(0, from));
}

/**
 * Reduces the similarity of siblings, whose words agree for a reason other than being the same
 * issue. The part above 0.6 is multiplied by 0.48.
 */
export function asSiblings(similarity: number): number {
  if (!mattersForSiblings(similarity)) return similarity;
  return SIBLING_THRESHOLD + (similarity - SIBLING_THRESHOLD) * SIBLING_SHARE;
}

/** True if being siblings would change this similarity. Otherwise titles need not be compared. */
export function mattersForSiblings(similarity: number): boolean {
  return similarity > SIBLING_THRESHOLD;
}
