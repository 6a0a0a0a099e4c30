/** The share of each part in a similarity, of 1 when all are there. */
const DENSE_SHARE = 0.25;
const LEXICAL_SHARE = 0.45;
const TITLE_SHARE = 0.3;

/** Above this, siblings are drawn back to it, to a bit under the mark from which nine in ten pairs are true. */
const SIBLING_FROM = 0.6;
const SIBLING_SHARE = 0.48;

/** Only identical texts score 1, and 0.999 is where lists begin to say so. */
const MOST_UNLESS_IDENTICAL = 0.998;

/**
 * The similarity of two issues that are neither siblings nor the same text:
 * 0.25 · max(0, dense) + 0.45 · lexical + 0.3 · title, the shares renormalized over the parts that are there. `dense` is
 * null unless both have a vector, `title` when neither title has a word. In [0, 0.998], never falling as a part grows.
 */
export function combine(dense: number | null, lexical: number, title: number | null): number {
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
  return Math.min(MOST_UNLESS_IDENTICAL, Math.max(0, sum / shares));
}

/**
 * What becomes of a combined similarity with all three parts when its dense part was `from` and is `to`. Never less than
 * the truth.
 */
export function withDense(similarity: number, from: number, to: number): number {
  if (similarity >= MOST_UNLESS_IDENTICAL) return similarity;
  return similarity + DENSE_SHARE * (Math.max(0, to) - Math.max(0, from));
}

/** The similarity of siblings, whose words agree for another reason than being one issue: what exceeds 0.6 counts 0.48. */
export function asSiblings(similarity: number): number {
  if (!mattersForSiblings(similarity)) return similarity;
  return SIBLING_FROM + (similarity - SIBLING_FROM) * SIBLING_SHARE;
}

/** Whether being siblings would change a similarity, so that titles need not be compared when it would not. */
export function mattersForSiblings(similarity: number): boolean {
  return similarity > SIBLING_FROM;
}
