import { ASKED_PROBABILITY, isIdentical } from '@winnow/contract/duplicate';

/** Facts that determine whether a language model is asked about a pair. */
export interface AskablePair {
  similarity: number;
  likelihood: { probability: number };
  /** True if the pair still needs a decision: it is unresolved, and its newer issue is open. */
  isUndecided: boolean;
}

/**
 * True if a language model may be asked about a pair without a user's request: its probability is
 * within `ASKED_PROBABILITY`. Pairs with equal texts are excluded, because a rule decides them.
 */
export function isWorthAsking({ similarity, likelihood: { probability } }: AskablePair): boolean {
  const { min, below } = ASKED_PROBABILITY;
  return probability >= min && probability < below && !isIdentical(similarity);
}

/**
 * Returns the value of asking a model about a pair with probability p: p²(1 − p), which is highest
 * at p = 2/3. Factor p is about how often people act on such a pair; p(1 − p) measures the
 * uncertainty. Returns 0 for pairs that need no decision, so that they come last.
 */
export function valueOfAsking({ likelihood: { probability: p }, isUndecided }: AskablePair): number {
  return isUndecided ? p * p * (1 - p) : 0;
}
