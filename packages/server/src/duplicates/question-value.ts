import { ASKED_PROBABILITY, isIdentical } from '@winnow/contract/duplicate';

/** Facts that decide whether a language model is asked about a pair. */
export interface AskablePair {
  similarity: number;
  likelihood: { probability: number };
  /** True if a person can still decide about the pair: unresolved, with an open newer issue. */
  isUndecided: boolean;
}

/**
 * True if a language model is asked about a pair without a user's request: its probability is
 * within `ASKED_PROBABILITY`. Pairs with equal texts are excluded, since a rule decides them.
 */
export function isWorthAsking({ similarity, likelihood: { probability } }: AskablePair): boolean {
  const { min, below } = ASKED_PROBABILITY;
  return probability >= min && probability < below && !isIdentical(similarity);
}

/**
 * Returns the value of a model's answer about a pair. A person acts on the pair with about its
 * probability p, and p(1 − p) measures how uncertain the pair is. The product p²(1 − p) is highest
 * at p = 2/3. Returns 0 for pairs that need no decision, so that they come last.
 */
export function valueOfAsking({ likelihood: { probability: p }, isUndecided }: AskablePair): number {
  return isUndecided ? p * p * (1 - p) : 0;
}
