import type { ComplianceResult } from '@winnow/contract/compliance';

/** How an issue stands: `null` while that is on its way, `failed` when it could not be had. */
export type ShownScore = ComplianceResult | null | 'failed';

/** The score, as far as there is one. */
export function factorOf(score: ShownScore): number | null {
  return score === null || score === 'failed' ? null : score.compliance_factor;
}

/** How many of these issues have a score. */
export function scoredCount(scores: readonly ShownScore[]): number {
  return scores.filter((score) => factorOf(score) !== null).length;
}
