/** Weights of the parts of a similarity, if all parts exist. Their sum is 1. */
const DENSE_SHARE = 0.25;
const LEXICAL_SHARE = 0.45;
const TITLE_SHARE = 0.3;

/**
 * Scores of siblings above this threshold are reduced. They then stay below the level at which nine
 * of ten pairs are duplicates.
 */
const SIBLING_THRESHOLD = 0.6;
const SIBLING_SHARE = 0.48;

/**
 * Maximum similarity of different texts. Only equal texts have 1, and the interface calls 0.999 or
 * more identical.
 */
const MAX_DIFFERENT_TEXTS = 0.998;

/**
 * Combines the parts of a similarity: 0.25 · max(0, dense) + 0.45 · lexical + 0.3 · title. Without
 * a part, the remaining weights are scaled to a sum of 1.
 *
 * `dense` is null unless both issues have a vector. `title` is null if no title has a word. The
 * result is from 0 to 0.998, and never decreases when a part grows. It does not apply to siblings
 * and equal texts.
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
 * Returns an upper bound of a similarity after its vector part changes from `from` to `to`. Assumes
 * that all three parts exist.
 */
export function withDense(similarity: number, from: number, to: number): number {
  if (similarity >= MAX_DIFFERENT_TEXTS) return similarity;
  return similarity + DENSE_SHARE * (Math.max(0, to) - Math.max(0, from));
}

/**
 * Reduces the similarity of siblings: issues whose titles are the same sentence about different
 * things. The part above 0.6 is multiplied by 0.48.
 */
export function asSiblings(similarity: number): number {
  if (!mattersForSiblings(similarity)) return similarity;
  return SIBLING_THRESHOLD + (similarity - SIBLING_THRESHOLD) * SIBLING_SHARE;
}

/**
 * True if this similarity would be reduced for siblings. If not, their titles need not be compared.
 */
export function mattersForSiblings(similarity: number): boolean {
  return similarity > SIBLING_THRESHOLD;
}
